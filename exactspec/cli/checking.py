"""``exactspec check``: several models one after another, one report, one exit code."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from exactspec.check.check import Result, check
from exactspec.check.family import FamilyResult, check_family
from exactspec.check.verdict import Lossy, Undecided
from exactspec.cli.answers import within_limits
from exactspec.cli.guard import internal_error, say
from exactspec.cli.guest import hosting
from exactspec.cli.progress import Progress
from exactspec.errors import BudgetReached, Diagnostic, ExactspecError, ExitCode
from exactspec.expand.budget import Budget
from exactspec.expand.tree import round_tree
from exactspec.model.load import load
from exactspec.model.scenario import Scenario
from exactspec.render import as_json
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.family import (
    family_counterexamples,
    family_line,
    family_panel,
    family_report,
)
from exactspec.render.family_json import family_data
from exactspec.render.junit import Case, junit_text
from exactspec.render.output import Page, new_page
from exactspec.render.report import counterexample_lines, report, verdict_panel
from exactspec.render.tree import FoldedTree
from exactspec.rule import Algorithm
from exactspec.text import fraction_text, show, show_tokens

MOST_TREE_NODES = 20_000
_ANY_WIDTH = 10_000
_ORDER = (
    ExitCode.INTERNAL_ERROR,
    ExitCode.BAD_INPUT,
    ExitCode.LOSSY,
    ExitCode.UNDECIDED,
    ExitCode.LOSSLESS,
)


@dataclass(frozen=True)
class Wishes:
    """What the user asked for."""

    rule: str | None
    allow_rules: bool
    at: str | None
    new_budget: Callable[[], Budget]
    timeout: float | None
    rows: int
    lines: int
    colour: str
    brief: bool
    quiet: bool


@dataclass(frozen=True)
class Judged:
    """One file: its result, or what is wrong with it."""

    file: str
    result: Result | FamilyResult | None
    diagnostics: tuple[Diagnostic, ...] = ()
    crashed: bool = False

    @property
    def exit_code(self) -> ExitCode:
        if self.result is not None:
            return self.result.exit_code
        return ExitCode.INTERNAL_ERROR if self.crashed else ExitCode.BAD_INPUT


class Checking:
    """Judges all files at once; the report is made from what was found."""

    def __init__(self, files: Sequence[str], wishes: Wishes, progress: Progress) -> None:
        self._wishes, self._progress = wishes, progress
        self.judged = [self._judge(file) for file in files]
        self._progress.clear()

    def _judge(self, file: str) -> Judged:
        try:
            scenario = load(file, self._wishes.at)
            self._progress(f"{show(file)}: expanding")
            return Judged(file, self._result(scenario))
        except ExactspecError as error:
            return Judged(file, None, error.diagnostics)
        except Exception as error:
            return Judged(file, None, (internal_error(error, file),), crashed=True)

    def _result(self, scenario: Scenario) -> Result | FamilyResult:
        wishes = self._wishes
        judge = check if scenario.family is None else check_family
        found: Result | FamilyResult | Undecided = within_limits(
            wishes.timeout,
            lambda: judge(
                scenario, wishes.rule, allow_rules=wishes.allow_rules, budget=wishes.new_budget()
            ),
        )
        if isinstance(found, Undecided):
            return Result(scenario, _not_run(wishes.rule or scenario.algorithm), found)
        return found

    @property
    def exit_code(self) -> ExitCode:
        codes = {judged.exit_code for judged in self.judged}
        return next((code for code in _ORDER if code in codes), ExitCode.BAD_INPUT)

    def text(self, form: str) -> str:
        """The report; what is wrong with a file goes to stderr besides, where the form has no place."""
        if form == "json":
            return self._json()
        if form == "junit":
            return junit_text(list(map(_case, self.judged)))
        return self._report()

    def _report(self) -> str:
        page = new_page(self._wishes.colour, sys.stdout)
        for judged in self.judged:
            if judged.result is None:
                say(diagnostics_text(judged.diagnostics))
                if len(self.judged) > 1:
                    page.line(Text(f"ERROR {show(judged.file)}", "red"))
            else:
                say(diagnostics_text(judged.result.scenario.warnings))
                self._one(page, judged.result)
        if len(self.judged) > 1:
            page.line(Text(self._summary(), "bold"))
        return page.text()

    def _one(self, page: Page, result: Result | FamilyResult) -> None:
        if self._wishes.quiet:
            page.line(one_line(result))
        elif isinstance(result, FamilyResult):
            self._family(page, result)
        elif self._wishes.brief:
            page.add(verdict_panel(result))
            if isinstance(result.verdict, Lossy):
                page.add(*counterexample_lines(result.verdict.counterexample))
        else:
            report(page, result, self._tree(result, page.width), self._wishes.rows)

    def _family(self, page: Page, result: FamilyResult) -> None:
        if self._wishes.brief:
            page.add(family_panel(result), *family_counterexamples(result, self._wishes.rows))
        else:
            family_report(page, result, self._wishes.rows)

    def _tree(self, result: Result, width: int) -> FoldedTree | None:
        if result.rounds is None:
            return None
        try:
            with hosting(None):
                tree = round_tree(result.rounds, result.rounds.start, MOST_TREE_NODES)
        except BudgetReached:
            return None
        return FoldedTree(tree, self._wishes.lines, None, width)

    def _summary(self) -> str:
        words = [_word(judged.result) for judged in self.judged]
        kinds = ("lossless", "lossy", "undecided", "error")
        counts = [f"{words.count(kind)} {kind}" for kind in kinds if kind in words]
        unexpected = sum(not j.result.as_expected for j in self.judged if j.result)
        note = f"; {unexpected} not as expected" if unexpected else ""
        return f"{len(words)} models: {', '.join(counts)}{note}"

    def _json(self) -> str:
        results = [
            as_json.error_data(judged.file, judged.diagnostics)
            if judged.result is None
            else self._data(judged.result)
            for judged in self.judged
        ]
        return as_json.document(results=results, exit_code=int(self.exit_code))

    def _data(self, result: Result | FamilyResult) -> dict[str, Any]:
        if isinstance(result, FamilyResult):
            return family_data(result)
        return as_json.result_data(result, self._tree(result, _ANY_WIDTH), self._wishes.rows)


def _word(result: Result | FamilyResult | None) -> str:
    if result is None:
        return "error"
    return result.word if isinstance(result, FamilyResult) else result.verdict.word


def _not_run(name: str) -> Algorithm:
    """A rule by its name only, where a limit was reached before it was loaded or had ended."""
    return Algorithm(name, lambda: ())


def one_line(result: Result | FamilyResult) -> Text:
    """A verdict on one line."""
    if isinstance(result, FamilyResult):
        return family_line(result)
    verdict = result.verdict
    text = Text(f"{verdict.word.upper()} {show(result.scenario.file)}: ")
    text.append("" if isinstance(verdict, Undecided) else verdict.extent)
    if isinstance(verdict, Lossy):
        text.append(f"; {_difference(verdict)}")
    if isinstance(verdict, Undecided):
        text.append(verdict.reason)
    if result.scenario.expect is not None:
        text.append(", as expected" if result.as_expected else ", NOT as expected")
    return text


def _difference(verdict: Lossy) -> str:
    example = verdict.counterexample
    return (
        f"{show_tokens(example.tokens)} has {fraction_text(example.got)}, "
        f"not {fraction_text(example.want)}"
    )


def _case(judged: Judged) -> Case:
    if judged.result is None:
        details = diagnostics_text(judged.diagnostics)
        return Case(judged.file, "", "error", judged.diagnostics[0].message, details)
    line = one_line(judged.result).plain
    kind = {
        ExitCode.LOSSLESS: "passed",
        ExitCode.LOSSY: "failure",
        ExitCode.UNDECIDED: "skipped",
    }[judged.exit_code]
    return Case(judged.file, judged.result.rule.name, kind, line)
