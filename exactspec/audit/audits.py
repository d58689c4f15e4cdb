"""Audits of one program: a verification step, a whole generation loop, or anything that returns a value."""

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any

from exactspec.audit.audited import Audited, judged_blocks, judged_sequences, not_token_ids
from exactspec.audit.block import Block
from exactspec.audit.law import MAX_REPLAYS, Exploration, Law, law_of
from exactspec.audit.numbers import categorical
from exactspec.audit.tables import Tables
from exactspec.audit.world import FLOAT, GRID, LEVELS, RATIONAL
from exactspec.errors import Diagnostic, Fault
from exactspec.model.scenario import Scenario

Step = Callable[[Block], Any]


def enumerate_outcomes(
    program: Callable[[], Any], *, level: str = RATIONAL, max_replays: int = MAX_REPLAYS
) -> Law:
    """The exact law of what a program returns, over all outcomes of its random numbers.

    Args:
        program: takes nothing; it may draw from ``random``, NumPy, PyTorch and other sources.
        level: ``rational``: numbers of tables are followed as rationals; ``float``: the program computes
            with floats; ``grid``: rational, and uniform numbers are those of the library's grid.
        max_replays: more runs than this are undecided.

    Raises:
        BudgetReached: after ``max_replays`` runs.
        Fault: where something random has no exact rule, or two runs with equal outcomes differ.

    >>> import random
    >>> law = enumerate_outcomes(lambda: random.random() < 0.25)
    >>> law[True], law.replays
    (Fraction(1, 4), 2)
    """
    return law_of(program, Exploration(_checked(level), max_replays=max_replays))


def _checked(level: str) -> str:
    if level in LEVELS:
        return level
    raise Fault(
        Diagnostic("audit-level", f"there is no level {level!r}", f"one of {', '.join(LEVELS)}")
    )


def audit_step(
    step: Step,
    scenario: Scenario,
    *,
    drafts: int | None = None,
    level: str = RATIONAL,
    max_replays: int = MAX_REPLAYS,
) -> Audited:
    """Judge one verification step: its block, continued by the target, must follow the target.

    The block is continued to γ + 1 tokens, the longest that a step can emit; so the size of blocks and
    where they are cut need no case of their own.

    Args:
        step: takes a ``Block`` and returns the emitted token ids.
        scenario: the tables.
        drafts: γ, how many tokens are drafted; None for the scenario's draft length.
        level: as for ``enumerate_outcomes``.
        max_replays: more runs than this are undecided.

    Raises:
        BudgetReached: after ``max_replays`` runs.
        Fault: where the step can't be audited.
    """
    tables = Tables(scenario)
    length = scenario.draft_length if drafts is None else drafts

    def program() -> Any:
        return step(drafted_block(tables, length))

    return _audited(program, partial(judged_blocks, tables), length, level, max_replays)


def drafted_block(tables: Tables, length: int) -> Block:
    """A block of drafted tokens, each drawn from the draft's row."""
    context = tables.context
    draft_rows = []
    for _ in range(length):
        row = tables.draft(context)
        draft_rows.append(row)
        context = (*context, int(categorical(row, "draft").look()))
    start = len(tables.context)
    target_rows = tuple(tables.target(context[: start + i]) for i in range(length + 1))
    return Block(tables.context, context[start:], tuple(draft_rows), target_rows, tables.end)


def audit_sequences(
    generate: Callable[[], Any],
    scenario: Scenario,
    length: int,
    *,
    level: str = RATIONAL,
    max_replays: int = MAX_REPLAYS,
) -> Audited:
    """Judge a whole generation loop: its sequences must follow the target.

    Args:
        generate: takes nothing and returns the token ids behind the prompt, ``length`` of them, or fewer
            up to an end token.
        scenario: the tables that the loop's models answer from.
        length: how many tokens are compared.
        level: as for ``enumerate_outcomes``.
        max_replays: more runs than this are undecided.

    Raises:
        BudgetReached: after ``max_replays`` runs.
        Fault: where the loop can't be audited.
    """
    judge = partial(judged_sequences, Tables(scenario))
    return _audited(generate, judge, length, level, max_replays)


def _audited(
    program: Callable[[], Any],
    judge: Callable[[Law, int, Audited | None], Audited],
    length: int,
    level: str,
    max_replays: int,
) -> Audited:
    def in_order() -> Any:
        return _in_order(program())

    law = enumerate_outcomes(in_order, level=level, max_replays=max_replays)
    if level != FLOAT and law.crashes:
        _confirm_crashes(law, program, max_replays)
    ideal = _audited(program, judge, length, RATIONAL, max_replays) if level == GRID else None
    return judge(law, length, ideal)


def _in_order(returned: Any) -> Any:
    """What a program returned, if it can be a sequence: no generator, coroutine, set or dictionary.

    Raises:
        Fault: where it can't.
    """
    if not isinstance(returned, Iterator | Awaitable | Set | Mapping):
        return returned
    if isinstance(returned, Coroutine):
        returned.close()
    raise not_token_ids(f"an object of type {type(returned).__name__}")


def _confirm_crashes(law: Law, program: Callable[[], Any], max_replays: int) -> None:
    """A crash counts where the program crashes with floats, too: else our numbers are to blame."""
    real = {
        raised.type
        for raised in enumerate_outcomes(program, level=FLOAT, max_replays=max_replays).crashes
    }
    for raised in law.crashes:
        if raised.type not in real:
            raise Fault(
                Diagnostic(
                    "audit-exact-numbers",
                    f"the program does not run with exact numbers: {raised}",
                    "audit it at level float",
                )
            )


def first_not_lossless(verdicts: Sequence[Audited]) -> Audited | None:
    """The verdict to show first: the lossy one that is furthest off, else an undecided one."""
    lossy = [verdict for verdict in verdicts if verdict.word == "lossy"]
    undecided = [verdict for verdict in verdicts if verdict.word == "undecided"]
    return max(
        lossy, key=lambda verdict: verdict.total_variation, default=next(iter(undecided), None)
    )
