"""``exactspec compare``: several rules on one model, side by side."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exactspec.check.check import Result
from exactspec.check.compare import (
    Judged,
    SideBySide,
    default_rules,
    judge,
    observed,
    rule_named,
    side_by_side,
)
from exactspec.check.verdict import Undecided
from exactspec.cli.answers import Answer, answered, within_limits
from exactspec.cli.guard import say
from exactspec.cli.guest import hosting
from exactspec.cli.progress import Progress
from exactspec.errors import ExactspecError, ExitCode
from exactspec.expand.budget import Budget
from exactspec.model.load import load
from exactspec.model.scenario import Scenario
from exactspec.render import as_json
from exactspec.render.compare import comparison
from exactspec.render.compare_json import comparison_data
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.output import new_page
from exactspec.rule import Algorithm
from exactspec.text import show


@dataclass(frozen=True)
class CompareWishes:
    """What the user asked for: names of rules, those given one by one, and the form of the report."""

    algorithms: str | None
    rules: Sequence[str]
    at: str | None
    new_budget: Callable[[], Budget]
    timeout: float | None
    rows: int
    as_json: bool
    colour: str


def comparison_text(file: str, wishes: CompareWishes, progress: Progress) -> Answer:
    """The text to print and the exit code: 0, 2 where no rule could be judged, 3 where none was loaded in time.

    Raises:
        ExactspecError: for a bad model, or a rule that is unknown or can't be loaded.
    """

    def answer() -> Answer:
        table = _compared(load(file, wishes.at), wishes, progress)
        progress.clear()
        return _told(table, wishes)

    return answered(file, wishes.as_json, progress, answer)


def _told(table: SideBySide, wishes: CompareWishes) -> Answer:
    code = ExitCode.BAD_INPUT if table.nothing_was_judged else ExitCode.LOSSLESS
    if wishes.as_json:
        return as_json.document(**comparison_data(table, wishes.rows)), code
    say(diagnostics_text(table.scenario.warnings))
    if not table.rules:
        say("exactspec: nothing was compared: name a rule\n")
        return "", code
    page = new_page(wishes.colour, sys.stdout)
    comparison(page, table, wishes.rows)
    return page.text(), code


def _compared(scenario: Scenario, wishes: CompareWishes, progress: Progress) -> SideBySide:
    with hosting(wishes.timeout):
        rules = _labelled(
            [(name, rule_named(name, scenario)) for name in _references(scenario, wishes)]
        )
    judged = []
    for name, rule in rules.items():
        progress(f"{show(name)}: expanding")
        judged.append(_judge(scenario, name, rule, wishes))
    return side_by_side(scenario, judged)


def _references(scenario: Scenario, wishes: CompareWishes) -> list[str]:
    """The rules in the order given, each once; the catalogue's lossless ones where none are named."""
    if wishes.algorithms is None:
        given: Sequence[str] = default_rules(scenario)
    else:
        given = [name for part in wishes.algorithms.split(",") if (name := part.strip())]
    return list(dict.fromkeys((*given, *wishes.rules)))


def _labelled(rules: Sequence[tuple[str, Algorithm]]) -> dict[str, Algorithm]:
    """Each rule by its function's name, or as it was given where two have the same name."""
    names = [rule.name for _, rule in rules]
    return {
        rule.name if names.count(rule.name) == 1 else reference: rule for reference, rule in rules
    }


def _judge(scenario: Scenario, name: str, rule: Algorithm, wishes: CompareWishes) -> Judged:
    try:
        found = within_limits(
            wishes.timeout, lambda: judge(scenario, name, rule, wishes.new_budget())
        )
    except ExactspecError as error:
        return Judged(name, None, error.diagnostics)
    if isinstance(found, Undecided):
        return Judged(name, Result(observed(scenario), rule, found))
    return found
