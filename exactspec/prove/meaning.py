"""What a formula in notation means: the polynomial that it stands for, worked out from its definition alone.

Whatever is shown is checked by it, and a formula found for one token is tried for the others.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from operator import mul

from exactspec.prove.polynomial import Polynomial, Variable
from exactspec.prove.symbols import (
    Beta,
    Least,
    Plus,
    Sum,
    Symbol,
    minus,
    renamed,
    single,
)
from exactspec.prove.world import Entry, World

Place = tuple[str, ...]
_NOTHING = Polynomial({})
_DEEPEST = 8


class Unknown(Exception):
    """A formula speaks of an entry or a positive part that the proof does not know."""


class Meanings:
    """The polynomials of formulas over one program's variables.

    Args:
        world: what the variables stand for.
    """

    def __init__(self, world: World) -> None:
        self.entries: dict[Entry, Polynomial] = {}
        self._parts: dict[Polynomial, tuple[Fraction, Polynomial, Polynomial]] = {}
        self._known: dict[Symbol, Polynomial] = {}
        self._places: dict[Variable, frozenset[Place]] = {}
        for variable, meaning in enumerate(world.meanings):
            if isinstance(meaning, Entry):
                self.entries[meaning] = Polynomial.variable(variable)
                self._places[variable] = frozenset({meaning.after})
            else:
                self._places[variable] = self.places(meaning.of)
                content, primitive = meaning.of.primitive()
                part = Polynomial.variable(variable)
                self._parts[primitive] = content, part, meaning.of
        for polynomial, entry in world.last_entries.items():
            self.entries[entry] = polynomial
        self.tokens = tuple(dict.fromkeys(entry.token for entry in self.entries))

    def places(self, polynomial: Polynomial) -> frozenset[Place]:
        """The tokens behind which a polynomial speaks of rows."""
        return frozenset().union(*(self._places[v] for v in polynomial.variables()))

    def of(self, whole: Sum) -> Polynomial:
        """The polynomial that a sum stands for.

        Raises:
            Unknown: where it speaks of what the proof does not know.
        """
        total = _NOTHING
        for number, symbols in whole:
            factors = (self._symbol(symbol) for symbol in symbols)
            total = total + reduce(mul, factors, Polynomial.constant(number))
        return total

    def of_all(self, factors: Iterable[tuple[Sum, int]]) -> Polynomial:
        """The product of sums to some powers.

        Raises:
            Unknown: where one speaks of what the proof does not know.
        """
        return reduce(mul, (self.of(whole) ** e for whole, e in factors), Polynomial.constant(1))

    def _symbol(self, symbol: Symbol) -> Polynomial:
        if symbol not in self._known:
            self._known[symbol] = self._found(symbol)
        return self._known[symbol]

    def _found(self, symbol: Symbol) -> Polynomial:
        if isinstance(symbol, Entry):
            if symbol not in self.entries:
                raise Unknown
            return self.entries[symbol]
        if isinstance(symbol, Plus):
            return self._positive_part(self.of(symbol.of))
        if isinstance(symbol, Least):
            one, other = self.of(symbol.one), self.of(symbol.other)
            return one - self._positive_part(one - other)
        if isinstance(symbol, Beta):
            parts = (_excess(symbol.after, token) for token in self.tokens)
            return sum(map(self.of, map(single, parts)), _NOTHING)
        return sum(
            (self.of(_with_token(symbol.of, symbol.letter, token)) for token in self.tokens),
            _NOTHING,
        )

    def _positive_part(self, of: Polynomial) -> Polynomial:
        """[d]+ from the positive part of a multiple of d, or of a part of d that a product shares."""
        if not of:
            return of
        shared, left = of.without_shared()
        content, primitive = left.primitive()
        if primitive not in self._parts:
            raise Unknown
        mine, part, meaning = self._parts[primitive]
        share = content / mine
        found = part.times(share) if share > 0 else (part - meaning).times(-share)
        return Polynomial({shared: 1}) * found


def _excess(after: tuple[str, ...], token: str) -> Symbol:
    p, q = (single(Entry(table, after, token)) for table in ("target", "draft"))
    return Plus(minus(p, q))


def _with_token(whole: Sum, letter: str, token: str) -> Sum:
    """A sum with a token in the place of a letter."""
    for position in range(_DEEPEST):
        whole = renamed(whole, position, {letter: token})
    return whole
