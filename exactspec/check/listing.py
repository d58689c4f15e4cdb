"""The law of every output sequence to a horizon, beside the product of the target's conditionals.

An output is a sequence that has ended, or its first tokens up to the horizon. Weights are integers
over one denominator for each length, so that no fraction is reduced on the way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from exactspec.chance import Token
from exactspec.expand.automaton import Automaton, Node

_LARGEST_DENOMINATOR_BITS = 512
_NOTHING: dict[int, int | Fraction] = {}
Number = int | Fraction


@dataclass(frozen=True)
class Output:
    """One output sequence: the probability that it gets, and the one that it should get."""

    tokens: tuple[Token, ...]
    got: Fraction
    want: Fraction

    @property
    def difference(self) -> Fraction:
        return self.got - self.want


class TooManyOutputs(Exception):
    """The listing would be longer than the budget."""


class Listing:
    """All outputs up to a horizon with a positive probability in either law.

    Args:
        emitted: the algorithm's automaton.
        wanted: the target's.
        vocabulary: the tokens in the order of the listing.
        horizon: how many tokens are observed.
        most: the largest number of outputs.

    Raises:
        TooManyOutputs: where there are more.
    """

    def __init__(
        self,
        emitted: Automaton,
        wanted: Automaton,
        vocabulary: Sequence[Token],
        horizon: int,
        most: int,
    ) -> None:
        self.horizon = horizon
        if _number_of_outputs(wanted, horizon) > most:
            raise TooManyOutputs
        got, want = _Scaled(emitted, vocabulary, horizon), _Scaled(wanted, vocabulary, horizon)
        self._got_scale, self._want_scale = got.scales, want.scales
        self._rows: list[tuple[tuple[Token, ...], Number, Number]] = []
        for row in _outputs(got, want, vocabulary, horizon):
            self._rows.append(row)
            if len(self._rows) > most:
                raise TooManyOutputs

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Output]:
        return map(self._output, self._rows)

    def first(self, count: int) -> list[Output]:
        """The first outputs in the order of the vocabulary."""
        return list(map(self._output, self._rows[:count]))

    def _output(self, row: tuple[tuple[Token, ...], Number, Number]) -> Output:
        tokens, got, want = row
        length = len(tokens)
        return Output(
            tokens, Fraction(got, self._got_scale[length]), Fraction(want, self._want_scale[length])
        )

    @cached_property
    def wrong(self) -> list[Output]:
        """The outputs whose probability is not the wanted one."""
        scales = list(zip(self._got_scale, self._want_scale, strict=True))
        return [
            self._output(row)
            for row in self._rows
            if row[1] * scales[len(row[0])][1] != row[2] * scales[len(row[0])][0]
        ]

    @cached_property
    def total_variation(self) -> Fraction:
        """The total variation distance of the two laws of outputs."""
        return sum((abs(output.difference) for output in self.wrong), Fraction(0)) / 2

    @cached_property
    def impossible(self) -> list[Output]:
        """Outputs that the target never gives."""
        return [output for output in self.wrong if output.want == 0]

    @property
    def shortest_wrong(self) -> Output:
        """The first of the shortest outputs with a wrong probability."""
        return min(self.wrong, key=lambda output: len(output.tokens))

    @property
    def worst(self) -> Output:
        """The first of the outputs with the largest difference."""
        return max(self.wrong, key=lambda output: abs(output.difference))


def _number_of_outputs(wanted: Automaton, horizon: int) -> int:
    """How many outputs the target gives, counted without listing them: one node stands behind each."""
    ended, level = 0, {wanted.start: 1}
    for _ in range(horizon):
        following: dict[Node, int] = {}
        for node, strings in level.items():
            moves = wanted.moves(node)
            ended += 0 if moves else strings
            for there in (there for row in moves.values() for there in row):
                following[there] = following.get(there, 0) + strings
        level = following
    return ended + sum(level.values())


class _Scaled:
    """An automaton whose weights behind n tokens are integers over ``scales[n]``."""

    def __init__(self, automaton: Automaton, vocabulary: Sequence[Token], horizon: int) -> None:
        self.start = ((automaton.start, 1),)
        nodes = _nodes_within(automaton, horizon)
        denominator = lcm(
            *(
                w.denominator
                for n in nodes
                for row in automaton.moves(n).values()
                for w in row.values()
            )
        )
        if denominator.bit_length() > _LARGEST_DENOMINATOR_BITS:
            denominator = 1
        self.scales = [denominator**length for length in range(horizon + 1)]
        self.denominator = denominator
        self.moves: dict[Node, dict[Token, list[tuple[Node, Number]]]] = {
            node: {
                token: [(there, _times(share, denominator)) for there, share in row.items()]
                for token, row in automaton.moves(node).items()
            }
            for node in nodes
        }
        self.totals: dict[Node, list[tuple[Token, Number]]] = {
            node: [(token, sum(share for _, share in row)) for token, row in moves.items()]
            for node, moves in self.moves.items()
        }

    def ended(self, here: "_Weighted") -> Number:
        """The weight of the nodes after which nothing follows."""
        return sum(weight for node, weight in here if not self.moves[node])

    def step(self, here: "_Weighted") -> dict[Token, dict[Node, Number]]:
        """The weights behind each further token."""
        after: dict[Token, dict[Node, Number]] = {}
        for node, weight in here:
            for token, row in self.moves[node].items():
                there = after.setdefault(token, {})
                for next_node, share in row:
                    there[next_node] = there.get(next_node, 0) + weight * share
        return after

    def last_step(self, here: "_Weighted") -> dict[Token, Number]:
        """The weight behind each further token, where nobody asks for more."""
        after: dict[Token, Number] = {}
        for node, weight in here:
            for token, share in self.totals[node]:
                after[token] = after.get(token, 0) + weight * share
        return after


def _times(share: Fraction, denominator: int) -> Number:
    scaled = share * denominator
    return scaled.numerator if scaled.denominator == 1 else scaled


def _nodes_within(automaton: Automaton, horizon: int) -> list[Node]:
    """The nodes from which a token within the horizon can be emitted."""
    level, found = [automaton.start], {automaton.start: None}
    for _ in range(horizon - 1):
        following = (n for node in level for row in automaton.moves(node).values() for n in row)
        level = [n for n in dict.fromkeys(following) if n not in found]
        found.update(dict.fromkeys(level))
    return list(found)


_Weighted = Sequence[tuple[Node, Number]]


def _outputs(
    got: _Scaled, want: _Scaled, vocabulary: Sequence[Token], horizon: int
) -> Iterator[tuple[tuple[Token, ...], Number, Number]]:
    """Every output in the order of the vocabulary, shorter ones before those that they begin."""
    waiting: list[tuple[tuple[Token, ...], _Weighted, _Weighted]] = [((), got.start, want.start)]
    backwards = tuple(reversed(vocabulary))
    while waiting:
        tokens, got_here, want_here = waiting.pop()
        got_ended, want_ended = got.ended(got_here), want.ended(want_here)
        if got_ended or want_ended:
            yield tokens, got_ended, want_ended
        if len(tokens) == horizon - 1:
            got_last, want_last = got.last_step(got_here), want.last_step(want_here)
            for token in vocabulary:
                if token in got_last or token in want_last:
                    yield (*tokens, token), got_last.get(token, 0), want_last.get(token, 0)
            continue
        got_after, want_after = got.step(got_here), want.step(want_here)
        for token in backwards:
            if token in got_after or token in want_after:
                behind = tuple(got_after.get(token, _NOTHING).items())
                wanted = tuple(want_after.get(token, _NOTHING).items())
                waiting.append(((*tokens, token), behind, wanted))
