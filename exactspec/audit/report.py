"""An audit of one program on several tables, with the verdict on a rule of the theory beside it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from exactspec.audit.audited import Audited
from exactspec.audit.audits import audit_sequences, audit_step, first_not_lossless
from exactspec.audit.law import MAX_REPLAYS
from exactspec.audit.program import Program
from exactspec.audit.tables import Tables
from exactspec.audit.world import RATIONAL
from exactspec.check.check import Result, check
from exactspec.check.verdict import Undecided
from exactspec.errors import AuditError, BudgetReached, Diagnostic, Fault
from exactspec.expand.budget import Budget
from exactspec.model.scenario import Scenario
from exactspec.text import show

Found = Audited | Undecided


@dataclass(frozen=True)
class Request:
    """How a program is audited.

    Args:
        drafts: γ, how many tokens are drafted; None for the draft length of the tables.
        length: how many tokens of a whole loop are compared; None to audit one step.
        level: ``rational``, ``float`` or ``grid``.
        max_replays: more runs than this are undecided.
        rule: the rule of the theory to judge on the same tables; None for the one that they name.
        allow_rules: whether a Python file that they name as their rule may run.
        timeout: seconds for the rule, or None.
    """

    drafts: int | None = None
    length: int | None = None
    level: str = RATIONAL
    max_replays: int = MAX_REPLAYS
    rule: str | None = None
    allow_rules: bool = False
    timeout: float | None = None


@dataclass(frozen=True)
class Trial:
    """What was found out on one pair of tables.

    Args:
        scenario: the tables.
        found: the program's law against the target's, or why there is no law.
        rule: the verdict on the rule of the theory; None where it was not judged.
    """

    scenario: Scenario
    found: Found
    rule: Result | None = None

    @property
    def word(self) -> str:
        """lossless, lossy or undecided."""
        return self.found.word

    @property
    def title(self) -> str:
        """What the tables are called."""
        return self.scenario.title or self.scenario.file


@dataclass(frozen=True)
class AuditReport:
    """An audit of one program.

    Args:
        program: the program.
        request: how it was audited.
        trials: what was found on each pair of tables.
    """

    program: Program
    request: Request
    trials: Sequence[Trial]

    @property
    def word(self) -> str:
        """The verdict on all tables: lossy if it is that on any, else undecided if it is that on any."""
        words = {trial.word for trial in self.trials}
        return next((word for word in ("lossy", "undecided") if word in words), "lossless")

    def count(self, word: str) -> int:
        """On how many tables the verdict is this word."""
        return sum(trial.word == word for trial in self.trials)

    @property
    def audited(self) -> list[Audited]:
        """The verdicts on the tables for which there is a law."""
        return [trial.found for trial in self.trials if isinstance(trial.found, Audited)]

    @property
    def is_exact(self) -> bool:
        """Whether no number was rounded and nothing was idealised, on any of the tables."""
        return all(audited.is_exact for audited in self.audited)

    @cached_property
    def shown_first(self) -> Trial | None:
        """The trial to look at: the lossy one that is furthest off, else the first that is undecided."""
        worst = first_not_lossless(self.audited)
        if self.word == "lossy" or (worst and self._stopped is None):
            return next(trial for trial in self.trials if trial.found is worst)
        return self._stopped

    @property
    def _stopped(self) -> Trial | None:
        return next((t for t in self.trials if isinstance(t.found, Undecided)), None)

    @property
    def rule_words(self) -> dict[str, list[str]]:
        """For each rule of the theory its verdicts, in the order of the tables."""
        words: dict[str, list[str]] = {}
        for trial in self.trials:
            if trial.rule is not None:
                words.setdefault(trial.rule.rule.name, []).append(trial.rule.verdict.word)
        return words


def tried(
    program: Program,
    scenario: Scenario,
    request: Request,
    on_run: Callable[[int], None] = lambda run: None,
) -> Trial:
    """Audit a program on one pair of tables, and judge the rule of the theory on them.

    Args:
        program: the program.
        scenario: the tables.
        request: how.
        on_run: called before each run of the program with its number.

    Raises:
        AuditError: where no law can be given for the program.
        ExactspecError: where the tables or the rule are wrong.
    """
    scenario = _as_asked(scenario, request)
    rule = check(
        scenario,
        request.rule,
        allow_rules=request.allow_rules,
        budget=Budget(timeout=request.timeout),
        listing=False,
    )
    try:
        found: Found = audit_of(program, scenario, request, on_run)
    except BudgetReached as limit:
        found = Undecided(limit.reason, limit.hint, limit.limit)
    except Fault as fault:
        raise AuditError([fault.at(None, (f"on the tables: {_named(scenario)}",))]) from None
    except SystemExit:
        message, hint = "the program raised SystemExit", "let it return, or raise an Exception"
        raise AuditError([Diagnostic("audit-exit", message, hint)]) from None
    return Trial(scenario, found, rule)


def _as_asked(scenario: Scenario, request: Request) -> Scenario:
    """The tables with the draft length that was asked for.

    Raises:
        ModelError: where the tables hold a parameter without a value.
    """
    if scenario.family is not None:
        scenario.target.row_after(scenario.prompt)
    if request.drafts is None:
        return scenario
    return replace(scenario, draft_length=request.drafts)


def _named(scenario: Scenario) -> str:
    return show(scenario.title or scenario.file)


def audit_of(
    program: Program, scenario: Scenario, request: Request, on_run: Callable[[int], None]
) -> Audited:
    """The program's law against the target's.

    Args:
        program: the program.
        scenario: the tables, with the draft length that was asked for.
        request: how.
        on_run: called before each run of the program with its number.

    Raises:
        BudgetReached: after ``request.max_replays`` runs.
        Fault: where no law can be given for the program.
    """
    runs = 0

    def count() -> None:
        nonlocal runs
        runs += 1
        on_run(runs)

    level, most, drafts = request.level, request.max_replays, scenario.draft_length
    step, loop = program.step, program.loop
    if step is not None and request.length is None:

        def counted_step(block: object) -> object:
            count()
            return step(block)  # type: ignore[arg-type]

        return audit_step(counted_step, scenario, level=level, max_replays=most)
    if loop is None:
        raise Fault(
            Diagnostic(
                "audit-no-loop",
                f"adapter {program.name} has no whole loop, only a step",
                "leave out --length",
            )
        )
    tables, length = Tables(scenario), request.length or drafts + 1

    def counted_loop() -> object:
        count()
        return loop(tables, length, drafts)

    return audit_sequences(counted_loop, scenario, length, level=level, max_replays=most)
