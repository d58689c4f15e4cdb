"""Assertions for tests: a sampler is lossless on each pair of tables, or the test fails with figures."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from exactspec.audit.audited import Audited
from exactspec.audit.audits import Step, audit_sequences, audit_step
from exactspec.audit.finding import LOSSLESS, LOSSY, UNDECIDED, Finding, message, why_undecided
from exactspec.audit.law import MAX_REPLAYS
from exactspec.audit.portfolio import portfolio
from exactspec.audit.tables import Tables
from exactspec.audit.world import LEVELS, RATIONAL
from exactspec.errors import BudgetReached, Fault
from exactspec.model.load import load
from exactspec.model.scenario import Scenario

File = str | os.PathLike[str]
Choice = Scenario | File | Sequence[Scenario | File] | None
Generate = Callable[[Tables], Any]


class NotLossless(AssertionError):
    """A program is lossy, or undecided, on one pair of tables or more.

    Args:
        name: what the program is called.
        findings: one for each pair of tables.

    Attributes:
        word: ``lossy`` or ``undecided``.
    """

    def __init__(self, name: str, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        words = {finding.word for finding in findings}
        self.word = LOSSY if LOSSY in words else UNDECIDED
        super().__init__(message(name, findings))


def assert_lossless(
    step: Step,
    tables: Choice = None,
    *,
    drafts: int | None = None,
    level: str = RATIONAL,
    max_replays: int = MAX_REPLAYS,
    accept_rounding: bool = False,
) -> None:
    """Assert that a verification step is lossless on each pair of tables.

    Args:
        step: takes a ``Block`` and returns the emitted token ids.
        tables: a scenario, the path of a model file, or a sequence of these; None for the portfolio.
        drafts: γ, how many tokens are drafted; None for the tables' draft length, 2 in the portfolio.
        level: ``rational``, ``float`` or ``grid``.
        max_replays: more runs than this on one pair of tables are undecided.
        accept_rounding: whether a step may be undecided because numbers were rounded, as they always
            are at level ``float``: its law is then within the rounding of the target's.

    Raises:
        NotLossless: an ``AssertionError``: the step is lossy, or undecided, on some tables.
        ModelError: for a model file that can't be read.

    >>> import random
    >>> def from_the_target(block):
    ...     row = block.python.target_probs[0]
    ...     return random.choices(range(len(row)), row)
    >>> assert_lossless(from_the_target)
    """
    __tracebackhide__ = True

    def audit(scenario: Scenario) -> Audited:
        return audit_step(step, scenario, drafts=drafts, level=level, max_replays=max_replays)

    options = _options(drafts=drafts, level=level, max_replays=max_replays)
    call = f"audit.step({_name(step, 'step')}, {{}}{options})"
    findings = _findings(audit, chosen_tables(tables), level, call)
    _must_be_lossless(_name(step, "the step"), findings, accept_rounding)


def assert_sequences_lossless(
    generate: Generate,
    tables: Choice = None,
    *,
    length: int,
    level: str = RATIONAL,
    max_replays: int = MAX_REPLAYS,
    accept_rounding: bool = False,
) -> None:
    """Assert that a whole generation loop is lossless on each pair of tables.

    Args:
        generate: takes the ``Tables`` that its models answer from, and returns the token ids behind
            the prompt: ``length`` of them, or fewer up to an end token.
        tables: as for ``assert_lossless``.
        length: how many tokens are compared.
        level: as for ``assert_lossless``.
        max_replays: as for ``assert_lossless``.
        accept_rounding: as for ``assert_lossless``.

    Raises:
        NotLossless: an ``AssertionError``: the loop is lossy, or undecided, on some tables.
        ModelError: for a model file that can't be read.
    """
    __tracebackhide__ = True

    def audit(scenario: Scenario) -> Audited:
        shown = Tables(scenario)
        return audit_sequences(
            lambda: generate(shown), scenario, length, level=level, max_replays=max_replays
        )

    options = _options(level=level, max_replays=max_replays)
    name = _name(generate, "generate")
    call = f"audit.sequences(lambda: {name}(audit.Tables(t)), t := {{}}, {length}{options})"
    findings = _findings(audit, chosen_tables(tables), level, call)
    _must_be_lossless(_name(generate, "the loop"), findings, accept_rounding)


def chosen_tables(tables: Choice) -> Sequence[Scenario]:
    """The scenarios that somebody means.

    Raises:
        ModelError: for a model file that can't be read, or whose tables hold a parameter.
    """
    if tables is None:
        return portfolio()
    if isinstance(tables, Scenario | str | os.PathLike):
        return [_scenario(tables)]
    chosen = list(map(_scenario, tables))
    if not chosen:
        raise ValueError("no tables: nothing would be audited")
    return chosen


def _scenario(tables: Scenario | File) -> Scenario:
    scenario = tables if isinstance(tables, Scenario) else load(os.fspath(tables))
    if scenario.family is not None:
        scenario.target.row_after(())
    return scenario


def title_of(scenario: Scenario) -> str:
    """What a scenario is called."""
    return scenario.title or scenario.file or "without a title"


def _findings(
    audit: Callable[[Scenario], Audited], tables: Sequence[Scenario], level: str, call: str
) -> list[Finding]:
    if level not in LEVELS:
        raise ValueError(f"there is no level {level!r}: one of {', '.join(LEVELS)}")
    return [
        _finding(audit, scenario, call.format(_as_python(scenario, number, len(tables))))
        for number, scenario in enumerate(tables)
    ]


def _finding(audit: Callable[[Scenario], Audited], scenario: Scenario, call: str) -> Finding:
    title = title_of(scenario)
    try:
        return Finding(title, scenario, audit(scenario), reproduce=call)
    except (BudgetReached, Fault) as error:
        return Finding(title, scenario, None, *why_undecided(error), reproduce=call)


def _must_be_lossless(name: str, findings: Sequence[Finding], accept_rounding: bool) -> None:
    __tracebackhide__ = True
    if not all(
        finding.word == LOSSLESS or (accept_rounding and finding.is_within_rounding)
        for finding in findings
    ):
        raise NotLossless(name, findings)


def _name(program: Callable[..., Any], otherwise: str) -> str:
    name = getattr(program, "__name__", "")
    return name if name.isidentifier() else otherwise


def _options(*, drafts: int | None = None, level: str, max_replays: int) -> str:
    """The options of a call that are not the defaults, as Python."""
    given = {"drafts": drafts} if drafts is not None else {}
    options: dict[str, object] = dict(given)
    options |= {"level": level} if level != RATIONAL else {}
    options |= {"max_replays": max_replays} if max_replays != MAX_REPLAYS else {}
    return "".join(f", {name}={value!r}" for name, value in options.items())


def _as_python(scenario: Scenario, number: int, count: int) -> str:
    """A scenario as Python that gives it again."""
    for place, known in enumerate(portfolio()):
        if scenario is known:
            return f"audit.portfolio()[{place}]"
    if scenario.file and scenario.assigned is None and os.path.exists(scenario.file):
        return f"load({scenario.file!r})"
    return "tables" if count == 1 else f"tables[{number}]"
