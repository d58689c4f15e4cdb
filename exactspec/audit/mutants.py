"""Does an audit see small faults? Each mutant of an audited function is audited like the function.

A mutant that survives either means the same as its original, or shows what the tables do not reach.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from exactspec.audit.asserting import title_of
from exactspec.audit.audited import Audited
from exactspec.audit.audits import Step, audit_step
from exactspec.audit.mutation.operators import mutants_of
from exactspec.audit.mutation.source import Mutant, function_behind
from exactspec.audit.mutation.trial import Case, Killed, Trial
from exactspec.audit.portfolio import portfolio
from exactspec.audit.world import RATIONAL
from exactspec.model.scenario import Scenario

Choose = Callable[[Sequence[Mutant]], Sequence[Mutant]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Tried:
    """A mutant, and how it was killed; None for one that survived all tables."""

    mutant: Mutant
    killed: Killed | None


@dataclass(frozen=True)
class Score:
    """All mutants of a function that were tried.

    Args:
        function: how it is called.
        tried: each mutant, in the order of the text.
        tables: the titles of the tables that were used.
        left_out: titles of tables on which the function itself is lossy: nothing can be learnt there.
    """

    function: str
    tried: tuple[Tried, ...]
    tables: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """The mutants that no tables killed."""
        return tuple(each.mutant for each in self.tried if each.killed is None)

    @property
    def killed(self) -> int:
        """How many mutants were killed."""
        return len(self.tried) - len(self.survivors)

    def killed_as(self, kind: str) -> int:
        """How many mutants were killed in one way."""
        return sum(each.killed is not None and each.killed.kind == kind for each in self.tried)


def mutants_of_step(
    steps: Step | Sequence[Step],
    *,
    mutate: Any = None,
    scenarios: Sequence[Scenario] | None = None,
    drafts: int | Sequence[int] | None = None,
    level: str = RATIONAL,
    choose: Choose = lambda mutants: mutants,
    on_mutant: Progress = lambda number, count: None,
) -> Score:
    """Audit every mutant of a function until some tables kill it.

    Args:
        steps: one step, or several that call the function in different ways, as for ``step``.
        mutate: the function to change; None for the (first) step itself.
        scenarios: the tables; None for the portfolio.
        drafts: γ, or several to be tried one after another; None for each scenario's own.
        level: as for ``step``.
        choose: picks the mutants to try from all.
        on_mutant: called before each mutant with its number, from 0, and how many there are.

    Raises:
        Fault: where the function has no source, the step can't be audited, or is lossy on all tables.
    """
    all_steps = list(steps) if isinstance(steps, Sequence) else [steps]
    cases = [
        _case(step, scenario, length, level)
        for step in all_steps
        for length in (drafts if isinstance(drafts, Sequence) else [drafts])
        for scenario in (portfolio() if scenarios is None else scenarios)
    ]
    function = function_behind(all_steps[0] if mutate is None else mutate)
    return score_of(function, cases, choose, on_mutant)


def _case(step: Step, scenario: Scenario, drafts: int | None, level: str) -> Case:
    def audit(on_run: Callable[[], None], level: str, max_replays: int) -> Audited:
        def counted(block: Any) -> Any:
            on_run()
            return step(block)

        return audit_step(counted, scenario, drafts=drafts, level=level, max_replays=max_replays)

    return Case(title_of(scenario), audit, level)


def score_of(
    function: FunctionType,
    cases: Sequence[Case],
    choose: Choose = lambda mutants: mutants,
    on_mutant: Progress = lambda number, count: None,
    name: str | None = None,
) -> Score:
    """Try a function's mutants on audits that are given.

    Args:
        function: the function to change.
        cases: audits of what calls it.
        choose: as for ``mutants_of_step``.
        on_mutant: the same.
        name: how the function is called; None for its own name.

    Raises:
        Fault: as ``mutants_of_step``.
    """
    mutants = choose(mutants_of(function))
    trial = Trial(function, cases)
    tried = []
    for number, mutant in enumerate(mutants):
        on_mutant(number, len(mutants))
        tried.append(Tried(mutant, trial.fate(mutant.text)))
    return Score(
        name or f"{function.__module__}:{function.__qualname__}",
        tuple(tried),
        trial.used,
        trial.left_out,
    )
