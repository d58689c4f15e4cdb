"""Whether two weighted automata give every string the same probability, and the shortest where not.

The vector of weights behind a string, emitted nodes positive and wanted ones negative, says all
about what follows it. The span of the vectors of all strings has at most as many dimensions as
there are nodes; if the total is 0 on a basis of it, it is 0 for every string (Schützenberger 1961;
Tzeng 1992). Strings are visited shortest first, so the first total that is not 0 is a shortest one.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.automaton import Automaton

_ZERO = Fraction(0)
_Vector = dict[int, Fraction]


@dataclass(frozen=True)
class Comparison:
    """What was compared: a shortest string with different probabilities, or none.

    Args:
        shortest: tokens with which sequences begin with another probability than wanted.
        dimension: of the space that was spanned.
        strings: how many strings were looked at.
    """

    shortest: tuple[Token, ...] | None
    dimension: int
    strings: int


def compare_automata(
    emitted: Automaton,
    wanted: Automaton,
    vocabulary: Sequence[Token],
    longest: int | None = None,
) -> Comparison:
    """Compare the probability with which sequences begin with a string, for every string.

    Args:
        emitted: the algorithm's automaton.
        wanted: the target's.
        vocabulary: the tokens, in the order in which strings are visited.
        longest: compare strings up to this length only; None for all.
    """
    pair = _Pair(emitted, wanted)
    basis: dict[int, _Vector] = {}
    waiting: deque[tuple[tuple[Token, ...], _Vector]] = deque([((), pair.start())])
    strings = 0
    while waiting:
        tokens, vector = waiting.popleft()
        strings += 1
        if sum(vector.values(), _ZERO) != 0:
            return Comparison(tokens, len(basis), strings)
        rest = _reduced(vector, basis)
        if not rest:
            continue
        pivot = next(iter(rest))
        basis[pivot] = {node: weight / rest[pivot] for node, weight in rest.items()}
        if longest is None or len(tokens) < longest:
            waiting.extend(
                ((*tokens, token), after)
                for token in vocabulary
                if (after := pair.step(vector, token))
            )
    return Comparison(None, len(basis), strings)


class _Pair:
    """Both automata as one: emitted nodes count from 0 up, wanted ones from -1 down, negated."""

    def __init__(self, emitted: Automaton, wanted: Automaton) -> None:
        self._emitted, self._wanted = emitted, wanted

    def start(self) -> _Vector:
        return {self._emitted.start: Fraction(1), ~self._wanted.start: Fraction(-1)}

    def step(self, vector: _Vector, token: Token) -> _Vector:
        after: _Vector = {}
        for node, weight in vector.items():
            side, name = (self._emitted, node) if node >= 0 else (self._wanted, ~node)
            for there, share in side.moves(name).get(token, {}).items():
                key = there if node >= 0 else ~there
                after[key] = after.get(key, _ZERO) + weight * share
        return {node: weight for node, weight in after.items() if weight}


def _reduced(vector: _Vector, basis: dict[int, _Vector]) -> _Vector:
    """What is left of a vector after subtracting basis vectors, each 0 at all earlier pivots."""
    rest = dict(vector)
    for pivot, base in basis.items():
        factor = rest.get(pivot)
        if factor:
            for node, weight in base.items():
                value = rest.get(node, _ZERO) - factor * weight
                if value:
                    rest[node] = value
                else:
                    rest.pop(node, None)
    return rest
