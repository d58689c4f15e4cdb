"""``exactspec simulate``: a rule run at random, beside its exact law."""

import sys
from dataclasses import dataclass

from exactspec.algorithms.load import rule_of
from exactspec.check.check import Result, check
from exactspec.check.compare import observed
from exactspec.check.simulate import Simulation, sample
from exactspec.check.verdict import Undecided
from exactspec.cli.answers import Answer, answered, within_limits
from exactspec.cli.guard import say
from exactspec.cli.guest import hosting
from exactspec.cli.progress import Progress
from exactspec.errors import ExitCode
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
    at: str | None
    runs: int
    seed: int
    rows: int
    as_json: bool
    colour: str


def simulation_text(
    file: str, wishes: SimulateWishes, budget: Budget, progress: Progress
) -> Answer:
    """The text to print and the exit code: 0, or 3 where the sample took too long.

    Raises:
        ExactspecError: for a bad model, or a rule that no law can be given for.
    """

    def answer() -> Answer:
        simulation = _simulated(load(file, wishes.at), wishes, budget)
        progress.clear()
        return _text(simulation, wishes), ExitCode.LOSSLESS

    return answered(file, wishes.as_json, progress, answer)


def _text(simulation: Simulation, wishes: SimulateWishes) -> str:
    if wishes.as_json:
        return as_json.document(**simulation_data(simulation, wishes.rows))
    say(diagnostics_text(simulation.result.scenario.warnings))
    page = new_page(wishes.colour, sys.stdout)
    simulation_report(page, simulation, wishes.rows)
    return page.text()


def _simulated(scenario: Scenario, wishes: SimulateWishes, budget: Budget) -> Simulation:
    request = observed(scenario)
    with hosting(budget.timeout):
        rule = rule_of(request, rule=wishes.rule, allow_rules=wishes.allow_rules)
    result = _checked(request, rule, budget)
    with hosting(budget.timeout):
        return sample(result, wishes.runs, wishes.seed, budget)


def _checked(request: Scenario, rule: Algorithm, budget: Budget) -> Result:
    """The exact result; where a limit was reached, the sample stands alone."""
    found = within_limits(budget.timeout, lambda: check(request, rule, budget=budget))
    return Result(request, rule, found) if isinstance(found, Undecided) else found
