"""``exactspec simulate``: a rule run at random, beside its exact law."""

import sys
from dataclasses import dataclass

from exactspec.algorithms.load import rule_of
from exactspec.check.check import Result, check
from exactspec.check.compare import observed
from exactspec.check.simulate import Simulation, sample
from exactspec.check.verdict import Undecided
from exactspec.cli.guard import say
from exactspec.cli.guest import hosting
from exactspec.cli.progress import Progress
from exactspec.errors import BudgetReached, ExactspecError, ExitCode
from exactspec.expand.budget import Budget
from exactspec.model.load import load
from exactspec.model.scenario import Scenario
from exactspec.render import as_json
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.output import new_page
from exactspec.render.simulate import simulation_data, simulation_report
from exactspec.rule import Algorithm


@dataclass(frozen=True)
class SimulateWishes:
    """What the user asked for."""

    rule: str | None
    allow_rules: bool
    runs: int
    seed: int
    rows: int
    as_json: bool
    colour: str


def simulation_text(
    file: str, wishes: SimulateWishes, budget: Budget, progress: Progress
) -> tuple[str, ExitCode]:
    """The text to print and the exit code: 0, or 3 where the sample took too long.

    Raises:
        ExactspecError: for a bad model, or a rule that no law can be given for; in JSON these are
            the text.
    """
    try:
        simulation = _simulated(load(file), wishes, budget)
    except BudgetReached as limit:
        progress.clear()
        say(f"exactspec: undecided: {limit.reason}\n  hint: {limit.hint}\n")
        verdict = as_json.verdict_data(Undecided(limit.reason, limit.hint))
        text = as_json.document(file=file, verdict=verdict) if wishes.as_json else ""
        return text, ExitCode.UNDECIDED
    except ExactspecError as error:
        progress.clear()
        if not wishes.as_json:
            raise
        return as_json.document(**as_json.error_data(file, error.diagnostics)), ExitCode.BAD_INPUT
    progress.clear()
    if wishes.as_json:
        return as_json.document(**simulation_data(simulation, wishes.rows)), ExitCode.LOSSLESS
    say(diagnostics_text(simulation.result.scenario.warnings))
    page = new_page(wishes.colour, sys.stdout)
    simulation_report(page, simulation, wishes.rows)
    return page.text(), ExitCode.LOSSLESS


def _simulated(scenario: Scenario, wishes: SimulateWishes, budget: Budget) -> Simulation:
    request = observed(scenario)
    with hosting(budget.timeout):
        rule = rule_of(request, rule=wishes.rule, allow_rules=wishes.allow_rules)
    result = _checked(request, rule, budget)
    with hosting(budget.timeout):
        return sample(result, wishes.runs, wishes.seed, budget)


def _checked(request: Scenario, rule: Algorithm, budget: Budget) -> Result:
    """The exact result; where a limit was reached, the sample stands alone."""
    try:
        with hosting(budget.timeout):
            return check(request, rule, budget=budget)
    except BudgetReached as limit:
        return Result(request, rule, Undecided(limit.reason, limit.hint))
    except MemoryError:
        return Result(request, rule, Undecided("memory is used up", "lower draft_length"))
