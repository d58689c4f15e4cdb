"""An exact linear program, by the simplex method with Bland's rule: it finds numbers that others recheck.

SymPy's ``linprog`` (1.14) was tried first; it returns points that violate their constraints, for example
for four unknowns and four rows of -1, 0 and 1. Exactness needs no speed here: programs are small, and
each is solved once.
"""

from collections.abc import Sequence
from fractions import Fraction

Row = list[Fraction]
_ZERO, _ONE = Fraction(0), Fraction(1)


def maximise(
    gain: Sequence[Fraction], matrix: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction]
) -> Row | None:
    """The x >= 0 with ``matrix`` x <= ``bounds`` for which ``gain`` · x is greatest; None where there is none.

    Args:
        gain: one number for each unknown; what it gives must be bounded.
        matrix: one row for each constraint.
        bounds: the right sides.

    >>> maximise([Fraction(1)], [[Fraction(2)]], [Fraction(1)])
    [Fraction(1, 2)]
    """
    table = _Table(matrix, bounds, len(gain))
    if not table.make_feasible():
        return None
    table.improve([*gain, _ZERO])
    return table.point(len(gain))


class _Table:
    """Rows ``basic = bound - sum of row * free``, one for each basic unknown; the last free one is artificial."""

    def __init__(
        self, matrix: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction], count: int
    ) -> None:
        self.rows: list[Row] = [[*map(Fraction, row), -_ONE] for row in matrix]
        self.bounds: Row = list(map(Fraction, bounds))
        self.free = [*range(count), -1]
        self.basic = [count + i for i in range(len(self.rows))]

    def make_feasible(self) -> bool:
        """Find a point that satisfies all constraints."""
        if self.bounds and min(self.bounds) < 0:
            self._pivot(self.bounds.index(min(self.bounds)), len(self.free) - 1)
            self._climb([-_ONE if name == -1 else _ZERO for name in self.free], -1)
            if -1 in self.basic:
                row = self.basic.index(-1)
                if self.bounds[row] != 0:
                    return False
                column = next((j for j, value in enumerate(self.rows[row]) if value), None)
                if column is not None:
                    self._pivot(row, column)
        self._drop_artificial()
        return True

    def _drop_artificial(self) -> None:
        if -1 in self.free:
            column = self.free.index(-1)
            del self.free[column]
            for row in self.rows:
                del row[column]

    def improve(self, gain: Row) -> None:
        """Go to the best point."""
        costs = [gain[name] if name < len(gain) - 1 else _ZERO for name in self.free]
        for name, row in zip(self.basic, self.rows, strict=True):
            if 0 <= name < len(gain) - 1 and gain[name]:
                costs = [c - gain[name] * r for c, r in zip(costs, row, strict=True)]
        self._climb(costs, None)

    def _climb(self, costs: Row, artificial: int | None) -> None:
        if artificial is not None and artificial in self.basic:
            row = self.rows[self.basic.index(artificial)]
            costs = list(row)
        while True:
            rising = [(self.free[j], j) for j, cost in enumerate(costs) if cost > 0]
            if not rising:
                return
            _, column = min(rising)
            limits = [
                (self.bounds[i] / row[column], self.basic[i], i)
                for i, row in enumerate(self.rows)
                if row[column] > 0
            ]
            _, _, leaving = min(limits)
            self._pivot(leaving, column)
            step = costs[column]
            row = self.rows[leaving]
            costs = [
                -step * row[j] if j == column else cost - step * row[j]
                for j, cost in enumerate(costs)
            ]

    def _pivot(self, leaving: int, entering: int) -> None:
        row = self.rows[leaving]
        scale = row[entering]
        self.bounds[leaving] /= scale
        row[:] = [value / scale for value in row]
        row[entering] = 1 / scale
        for i, other in enumerate(self.rows):
            factor = other[entering]
            if i != leaving and factor:
                for j, value in enumerate(row):
                    if value:
                        other[j] -= factor * value
                other[entering] = -factor / scale
                self.bounds[i] -= factor * self.bounds[leaving]
        self.basic[leaving], self.free[entering] = self.free[entering], self.basic[leaving]

    def point(self, count: int) -> Row:
        """The values of the unknowns."""
        values = dict(zip(self.basic, self.bounds, strict=True))
        return [values.get(name, _ZERO) for name in range(count)]
