"""Some tables, looked at before a proof is searched for: where one of them speaks against it, there is none.

They only save work. Their entries are multiples of 1/64, so that floats compute nearly all of them exactly.
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from operator import mul

from exactspec.prove.polynomial import Polynomial, Variable

HOW_MANY = 48
_BELOW = 64
NEARLY_ZERO = 1e-12
_GENERIC, _FEW_VALUES, _ZEROS, _BOTH_EQUAL, _ONE_ROW, _STEEP = range(6)

Values = list[float]


class Samples:
    """The values of variables in some tables, and the signs that polynomials have there."""

    def __init__(self) -> None:
        self._values: dict[Variable, Values] = {}
        self._found: dict[Polynomial, Values] = {}

    def add_row(self, variables: Sequence[Variable], table: str, after: tuple[str, ...]) -> None:
        """Choose the entries of a row, without its last one."""
        rows = [_row(number, len(variables) + 1, table, after) for number in range(HOW_MANY)]
        for position, variable in enumerate(variables):
            self._values[variable] = [row[position] for row in rows]

    def add_positive_part(self, variable: Variable, of: Polynomial) -> None:
        """Compute the values of a positive part."""
        self._values[variable] = [max(0.0, value) for value in self.at(of)]

    def at(self, polynomial: Polynomial) -> Values:
        """The values of a polynomial."""
        if polynomial not in self._found:
            total = [0.0] * HOW_MANY
            for monomial, coefficient in polynomial.terms.items():
                term = [float(coefficient)] * HOW_MANY
                for variable in monomial:
                    term = list(map(mul, term, self._values[variable]))
                total = [a + b for a, b in zip(total, term, strict=True)]
            self._found[polynomial] = total
        return self._found[polynomial]

    def exactly(self, polynomial: Polynomial, table: int) -> Fraction:
        """The exact value in one of the tables of a polynomial in table entries."""
        return polynomial.at(lambda variable: Fraction(self._values[variable][table]))

    def signs(self, polynomial: Polynomial, tables: Sequence[int]) -> frozenset[int]:
        """The signs of a polynomial in some of the tables."""
        values = self.at(polynomial)
        return frozenset(_sign(values[table]) for table in tables)

    def those_with(
        self, polynomial: Polynomial, signs: frozenset[int], tables: Sequence[int]
    ) -> tuple[int, ...]:
        """Those of some tables in which a polynomial has one of some signs."""
        values = self.at(polynomial)
        return tuple(table for table in tables if _sign(values[table]) in signs)


def _sign(value: float) -> int:
    return (value > NEARLY_ZERO) - (value < -NEARLY_ZERO)


def _row(number: int, count: int, table: str, after: tuple[str, ...]) -> list[float]:
    kind = number % 6
    shared = ("" if kind == _BOTH_EQUAL else table, () if kind == _ONE_ROW else after)
    dice = random.Random(f"{number} {shared}")
    most = {_FEW_VALUES: 2, _ZEROS: 1}.get(kind, 20)
    weights = [dice.randint(0 if most < 20 else 1, most) for _ in range(count)]
    if kind == _STEEP:
        weights = [1 if dice.randrange(3) else 60 for _ in range(count)]
    if not any(weights):
        weights[dice.randrange(count)] = 1
    parts = [weight * _BELOW // sum(weights) for weight in weights]
    parts[dice.choice([i for i, w in enumerate(weights) if w])] += _BELOW - sum(parts)
    return [part / _BELOW for part in parts]
