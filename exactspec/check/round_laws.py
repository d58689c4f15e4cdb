"""The round laws of two rules compared, state by state: the same, or where they differ."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from exactspec.chance import Token
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import RoundLaw, State

_ZERO = Fraction(0)


class Block(NamedTuple):
    """An emitted block with the mass that each of two rules gives it."""

    tokens: tuple[Token, ...]
    first: Fraction
    second: Fraction

    @property
    def difference(self) -> Fraction:
        return self.second - self.first


@dataclass(frozen=True)
class StateDifference:
    """Where a round begins, and the blocks that it emits with different masses, largest difference first."""

    state: State
    blocks: tuple[Block, ...]

    @property
    def distance(self) -> Fraction:
        """The total variation distance of the two laws of the emitted block."""
        return sum((abs(block.difference) for block in self.blocks), _ZERO) / 2


@dataclass(frozen=True)
class Difference:
    """The difference of two rules in one round.

    Args:
        states: where it differs, the largest distance first.
        compared: in how many states, reached by both, the round was compared.
        only_first: how many states the first rule reaches and the second does not; ``only_second``.
    """

    states: tuple[StateDifference, ...]
    compared: int
    only_first: int
    only_second: int

    @property
    def largest(self) -> tuple[tuple[State, Block], ...]:
        """All blocks of all states that differ, the largest difference first."""
        blocks = ((each.state, block) for each in self.states for block in each.blocks)
        return tuple(sorted(blocks, key=lambda pair: abs(pair[1].difference), reverse=True))


def _blocks(law: RoundLaw) -> Iterator[tuple[tuple[Token, ...], Hashable, Fraction]]:
    """Emitted blocks, an undecided last token written out, with what is carried over, and masses."""
    for outcome, mass in law.outcomes.items():
        if outcome.last is None:
            yield outcome.tokens, outcome.carried_key, mass
        else:
            for token, weight in outcome.last.items():
                yield (*outcome.tokens, token), outcome.carried_key, mass * weight


def block_law(law: RoundLaw) -> dict[tuple[Token, ...], Fraction]:
    """The law of the emitted block of one round."""
    blocks: dict[tuple[Token, ...], Fraction] = {}
    for tokens, _, mass in _blocks(law):
        blocks[tokens] = blocks.get(tokens, _ZERO) + mass
    return blocks


def _law_with_state(law: RoundLaw) -> dict[Hashable, Fraction]:
    """The law of the emitted block together with what is carried over."""
    full: dict[Hashable, Fraction] = {}
    for tokens, carried, mass in _blocks(law):
        full[tokens, carried] = full.get((tokens, carried), _ZERO) + mass
    return full


def difference_of_rounds(first: Rounds, second: Rounds) -> Difference:
    """Where the laws of one round of two rules differ, in the states that both reach."""
    pairs = list(_pairs(first, second))
    found = []
    for state, one, other in pairs:
        mine, its = block_law(one), block_law(other)
        blocks = [
            Block(tokens, mine.get(tokens, _ZERO), its.get(tokens, _ZERO))
            for tokens in dict.fromkeys((*mine, *its))
        ]
        differing = [block for block in blocks if block.difference]
        if differing:
            differing.sort(key=lambda block: abs(block.difference), reverse=True)
            found.append(StateDifference(state, tuple(differing)))
    found.sort(key=lambda each: each.distance, reverse=True)
    return Difference(
        tuple(found),
        len(pairs),
        _without_counterpart(first, second),
        _without_counterpart(second, first),
    )


def have_the_same_round_law(first: Rounds, second: Rounds) -> bool:
    """Whether two rules emit the same blocks with the same masses from every state, and carry over the same.

    A state that only one of them reaches leaves it open, and counts as no; so do states beyond the
    horizon that were not all expanded.
    """
    if first.incomplete or second.incomplete:
        return False
    if _without_counterpart(first, second) or _without_counterpart(second, first):
        return False
    return all(
        _law_with_state(one) == _law_with_state(other) for _, one, other in _pairs(first, second)
    )


def _pairs(first: Rounds, second: Rounds) -> Iterator[tuple[State, RoundLaw, RoundLaw]]:
    """The round laws from each state that both reach; of two views of a context the finer one decides."""
    met: set[tuple[State, State]] = set()
    for state, law in first.laws.items():
        other = _counterpart(second, state)
        if other is not None:
            met.add((state, other.state))
            yield state, law, other
    for state, law in second.laws.items():
        other = _counterpart(first, state)
        if other is not None and (other.state, state) not in met:
            yield state, other, law


def _counterpart(rounds: Rounds, state: State) -> RoundLaw | None:
    """The round law of a rule from the state that it has where another rule has this one."""
    assert isinstance(state.key, tuple)
    key = rounds.key_of(state.context), state.key[1]
    return rounds.laws.get(State(key, None, state.tokens_left, ()))


def _without_counterpart(rounds: Rounds, other: Rounds) -> int:
    return sum(_counterpart(other, state) is None for state in rounds.laws)
