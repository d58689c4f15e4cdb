"""Known bounds on the expected number of accepted tokens in the first round, each under its condition.

What comes in is a scenario and the law that is wanted; the bounds depend on nothing else. They speak
of drafts that are drawn from the file's draft table.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.expand.wanted import Law
from exactspec.model.scenario import Scenario
from exactspec.model.table import MissingRow
from exactspec.numbers import minimum
from exactspec.text import show_tokens
from exactspec.transport import membership_plan

_ZERO = Fraction(0)
_ONE = Fraction(1)
_MOST_STRINGS = 100_000
_MOST_TOKENS = 60


@dataclass(frozen=True)
class Bound:
    """One bound.

    Args:
        name: a short name for it.
        condition: which rules can't beat it, in words.
        formula: what they can't beat, in the field's letters.
        value: the bound; None where it is not worked out.
        first_step: whether it bounds the probability that the round's first token is accepted, and
            not the expected number of accepted tokens.
        left_out: why there is no value.
    """

    name: str
    condition: str
    formula: str
    value: Fraction | None
    first_step: bool = False
    left_out: str | None = None


class _Strings(NamedTuple):
    """Drafted strings that look alike: their mass, P/Q, and block verification's w."""

    context: tuple[Token, ...]
    mass: Fraction
    ratio: Fraction
    kept: Fraction


class _TooMany(Exception):
    """There are more strings than are worked out."""


def bounds(scenario: Scenario, wanted: Law | None = None) -> tuple[Bound, ...]:
    """The known bounds for the draft law of a scenario.

    Args:
        scenario: the tables, the prompt and the draft length.
        wanted: the law that is wanted; the target's by default.
    """
    law = wanted or scenario.target
    length = scenario.draft_length
    if scenario.max_tokens is not None:
        length = min(length, scenario.max_tokens - 1)
    return (*_of_one_path(scenario, law, length), *_of_two_candidates(scenario, law, length))


def _of_one_path(scenario: Scenario, law: Law, length: int) -> Iterator[Bound]:
    by_blocks, by_sequences, left_out = _ZERO, _ZERO, None
    try:
        for strings in _drafted(scenario, law, length):
            by_blocks += strings.mass * strings.kept
            by_sequences += strings.mass * minimum(1, strings.ratio)
    except MissingRow as missing:
        left_out = _no_row(missing)
    except _TooMany:
        left_out = f"more than {_MOST_STRINGS:,} drafted strings"
    yield Bound(
        name="one path, round by round",
        condition="rules with one drafted path that are lossless round by round",
        formula="the sum of Q(x^i) w_i over the drafted strings",
        value=None if left_out else by_blocks,
        left_out=left_out,
    )
    yield Bound(
        name="one path",
        condition="lossless rules with one drafted path (also where they carry something over)",
        formula="the sum of min(P(x^i), Q(x^i)) over the drafted strings",
        value=None if left_out else by_sequences,
        left_out=left_out,
    )


def _drafted(scenario: Scenario, law: Law, length: int) -> Iterator[_Strings]:
    """The drafted strings of every length that the target can emit; a draft stops after an end token."""
    level = [_Strings(scenario.prompt, _ONE, _ONE, _ONE)]
    for _ in range(length):
        merged: dict[Hashable, _Strings] = {}
        for strings in level:
            for longer in _one_token_on(scenario, law, strings):
                seen = law.visible(longer.context), scenario.draft.visible(longer.context)
                key = (*seen, _has_ended(scenario, longer), longer.ratio, longer.kept)
                same = merged.get(key)
                mass = longer.mass if same is None else same.mass + longer.mass
                merged[key] = longer._replace(mass=mass)
        if len(merged) > _MOST_STRINGS:
            raise _TooMany
        yield from merged.values()
        level = [strings for strings in merged.values() if not _has_ended(scenario, strings)]


def _has_ended(scenario: Scenario, strings: _Strings) -> bool:
    return strings.context[-1:] == (scenario.end,)


def _one_token_on(scenario: Scenario, law: Law, strings: _Strings) -> Iterator[_Strings]:
    context, mass, ratio, kept = strings
    p, q = law.row_after(context), scenario.draft.row_after(context)
    for token, weight in q.items():
        step = p[token] / weight
        if step:
            yield _Strings((*context, token), mass * weight, ratio * step, minimum(1, kept * step))


def _of_two_candidates(scenario: Scenario, law: Law, length: int) -> Iterator[Bound]:
    if length == 0:
        return
    rows, left_out = None, None
    try:
        rows = law.row_after(scenario.prompt), scenario.draft.row_after(scenario.prompt)
        if len(rows[1]) > _MOST_TOKENS:
            left_out = f"more than {_MOST_TOKENS} tokens can be drafted"
    except MissingRow as missing:
        left_out = _no_row(missing)
    for name, drawn, law_of_two in _TWO_CANDIDATES:
        value = None
        if rows is not None and left_out is None:
            value = membership_plan(law_of_two(rows[1]), rows[0]).value
        yield Bound(
            name=name,
            condition=f"lossless rules whose first step has two candidates ({drawn})",
            formula="the most mass that a transport plan moves to a candidate",
            value=value,
            first_step=True,
            left_out=left_out,
        )


def independent_pair(q: Distribution[Token]) -> Distribution[tuple[Token, ...]]:
    """The law of the set of two tokens drawn independently, its tokens in the order of q.

    >>> independent_pair(Distribution({"a": Fraction(1, 4), "b": Fraction(3, 4)}))
    Distribution({('a',): 1/16, ('a', 'b'): 3/8, ('b',): 9/16})
    """
    tokens = list(q)
    pairs: dict[tuple[Token, ...], Fraction] = {}
    for i, first in enumerate(tokens):
        pairs[(first,)] = q[first] ** 2
        for second in tokens[i + 1 :]:
            pairs[first, second] = 2 * q[first] * q[second]
    return Distribution(pairs)


def distinct_pair(q: Distribution[Token]) -> Distribution[tuple[Token, ...]]:
    """The law of the set of two tokens of which the second is drawn from q without the first.

    >>> even = Fraction(1, 3)
    >>> distinct_pair(Distribution({"a": even, "b": even, "c": even}))["a", "b"]
    Fraction(1, 3)
    """
    tokens = list(q)
    if len(tokens) == 1:
        return Distribution.one_hot((tokens[0],))
    pairs: dict[tuple[Token, ...], Fraction] = {}
    for i, first in enumerate(tokens):
        for second in tokens[i + 1 :]:
            both = q[first] * q[second]
            pairs[first, second] = both / (1 - q[first]) + both / (1 - q[second])
    return Distribution(pairs)


_TWO_CANDIDATES = (
    ("two candidates, independent", "both drawn from q", independent_pair),
    ("two candidates, distinct", "the second drawn from q without the first", distinct_pair),
)


def _no_row(missing: MissingRow) -> str:
    after = f"after {show_tokens(missing.context)}" if missing.context else "at the start"
    return f"the {missing.table} table has no row {after}"
