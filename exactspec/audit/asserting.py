"""Assertions for tests: a sampler is lossless on each pair of tables, or the test fails with figures."""

import inspect
import os
import shlex
from collections.abc import Callable, Sequence
from typing import Any

from exactspec.audit.audited import Audited
from exactspec.audit.audits import Step, audit_sequences, audit_step
from exactspec.audit.finding import LOSSLESS, LOSSY, UNDECIDED, Finding, message
from exactspec.audit.law import MAX_REPLAYS
from exactspec.audit.portfolio import portfolio
from exactspec.audit.program import LOOP, STEP
from exactspec.audit.tables import Tables
from exactspec.audit.world import LEVELS, RATIONAL
from exactspec.check.verdict import Undecided
from exactspec.errors import AuditError, BudgetReached, Fault
from exactspec.model.load import load
from exactspec.model.scenario import Scenario
from exactspec.text import show, visible

File = str | os.PathLike[str]
Choice = Scenario | File | Sequence[Scenario | File] | None
Loop = Callable[[Tables, int, int], Any]


class Call:
    """How an audit is repeated: as a command where there is one, and as Python.

    Args:
        program: what is audited.
        function: the function that audits it.
        options: its options.
    """

    def __init__(self, program: Callable[..., Any], function: str, **options: Any) -> None:
        self.program, self.function, self.options = program, function, options
        name = getattr(program, "__name__", "")
        self.is_named = name.isidentifier()
        self.name = name if self.is_named else "the sampler"

    @property
    def _given(self) -> dict[str, Any]:
        """The options that are not the defaults."""
        defaults = {"level": RATIONAL, "max_replays": MAX_REPLAYS}
        return {n: v for n, v in self.options.items() if v is not None and v != defaults.get(n)}

    def lines(self, scenario: Scenario, own_name: str) -> list[str]:
        """What repeats the audit on one pair of tables."""
        tables, in_command = own_name, None
        if scenario in portfolio():
            tables, in_command = f"audit.portfolio()[{portfolio().index(scenario)}]", ""
        elif scenario.assigned is None and os.path.isfile(scenario.file):
            tables, in_command = f"load({scenario.file!r})", f" --tables {scenario.file}"
        options = "".join(f", {name}={value!r}" for name, value in self._given.items())
        name = self.name if self.is_named else "sampler"
        command = None if in_command is None else self._command(in_command)
        return [*([command] if command else []), f"{self.function}({name}, {tables}{options})"]

    def _command(self, tables: str) -> str | None:
        """The command that audits the program, where it can be imported from a file."""
        if getattr(self.program, "__qualname__", "") != self.name or not self.is_named:
            return None
        arguments = 1 if "length" not in self.options else 3
        try:
            inspect.signature(self.program).bind(*range(arguments))
            file = os.path.relpath(inspect.getsourcefile(inspect.unwrap(self.program)) or "")
        except (TypeError, ValueError):
            return None
        if not file.endswith(".py") or file.startswith(os.pardir):
            return None
        options = "".join(f" --{n.replace('_', '-')} {v}" for n, v in self._given.items())
        return f"exactspec audit {shlex.quote(file)}:{self.name}{tables}{options}"


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
        AuditError: for a step that no law can be given for.
        ModelError: for a model file that can't be read.
        TypeError: where the step can't be called with a block.
        ValueError: where an option has no such value.

    >>> import random
    >>> def from_the_target(block):
    ...     row = block.python.target_probs[0]
    ...     return random.choices(range(len(row)), row)
    >>> assert_lossless(from_the_target)
    """
    __tracebackhide__ = True

    def audit(scenario: Scenario) -> Audited:
        return audit_step(step, scenario, drafts=drafts, level=level, max_replays=max_replays)

    call = Call(step, "audit.step", drafts=drafts, level=level, max_replays=max_replays)
    _must_be_lossless(audit, tables, call, accept_rounding)


def assert_sequences_lossless(
    generate: Loop,
    tables: Choice = None,
    *,
    length: int,
    drafts: int | None = None,
    level: str = RATIONAL,
    max_replays: int = MAX_REPLAYS,
    accept_rounding: bool = False,
) -> None:
    """Assert that a whole generation loop is lossless on each pair of tables.

    Args:
        generate: takes the ``Tables`` that its models answer from, the number of tokens and the draft
            length, and returns the token ids behind the prompt: ``length`` of them, or fewer up to an
            end token.
        tables: as for ``assert_lossless``.
        length: how many tokens are compared.
        drafts: as for ``assert_lossless``.
        level: as for ``assert_lossless``.
        max_replays: as for ``assert_lossless``.
        accept_rounding: as for ``assert_lossless``.

    Raises:
        NotLossless: an ``AssertionError``: the loop is lossy, or undecided, on some tables.
        AuditError: for a loop that no law can be given for.
        ModelError: for a model file that can't be read.
        TypeError: where the loop can't be called with tables, length and draft length.
        ValueError: where an option has no such value.
    """
    __tracebackhide__ = True

    def audit(scenario: Scenario) -> Audited:
        given = Tables(scenario), length, scenario.draft_length if drafts is None else drafts
        return audit_sequences(
            lambda: generate(*given), scenario, length, level=level, max_replays=max_replays
        )

    call = Call(
        generate,
        "assert_sequences_lossless",
        length=length,
        drafts=drafts,
        level=level,
        max_replays=max_replays,
    )
    _must_be_lossless(audit, tables, call, accept_rounding)


def _must_be_lossless(
    audit: Callable[[Scenario], Audited], tables: Choice, call: Call, accept_rounding: bool
) -> None:
    __tracebackhide__ = True
    if call.options["level"] not in LEVELS:
        raise ValueError(f"there is no level {call.options['level']!r}: one of {', '.join(LEVELS)}")
    _check_counts(call.options)
    _check_arguments(call)
    chosen = chosen_tables(tables)
    findings = [
        Finding(title_of(each), _found(audit, each), call.lines(each, _own_name(chosen, each)))
        for each in chosen
    ]
    if not all(
        finding.word == LOSSLESS or (accept_rounding and finding.is_within_rounding)
        for finding in findings
    ):
        raise NotLossless(call.name, findings)


def _check_counts(options: dict[str, Any]) -> None:
    for name, least in (("drafts", 0), ("length", 1)):
        given = options.get(name)
        if given is not None and not (isinstance(given, int) and given >= least):
            raise ValueError(f"{name} is a whole number, {least} or more: not {given!r}")


def _check_arguments(call: Call) -> None:
    """A call that fails is no outcome of the program."""
    __tracebackhide__ = True
    arguments = LOOP if "length" in call.options else STEP
    try:
        signature = inspect.signature(call.program, follow_wrapped=False)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        raise TypeError(
            f"{call.name} takes {signature}, and is called with ({', '.join(arguments)})"
        ) from None


def _own_name(chosen: Sequence[Scenario], scenario: Scenario) -> str:
    """What the caller may call one of the tables."""
    if len(chosen) == 1:
        return "tables"
    return f"tables[{next(i for i, each in enumerate(chosen) if each is scenario)}]"


def _found(audit: Callable[[Scenario], Audited], scenario: Scenario) -> Audited | Undecided:
    __tracebackhide__ = True
    try:
        return audit(scenario)
    except BudgetReached as limit:
        return Undecided(limit.reason, limit.hint, limit.limit)
    except Fault as fault:
        found = fault.at(None, (f"on the tables: {show(title_of(scenario))}",))
    error = AuditError([found])
    for note in (*found.notes, f"hint: {found.hint}"):
        error.add_note(visible(note))
    raise error


def chosen_tables(tables: Choice) -> Sequence[Scenario]:
    """The scenarios that somebody means.

    Raises:
        ModelError: for a model file that can't be read, or whose tables hold a parameter.
        ValueError: where there are none.
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
        scenario.target.row_after(scenario.prompt)
    return scenario


def title_of(scenario: Scenario) -> str:
    """What a scenario is called."""
    return scenario.title or scenario.file or "without a title"
