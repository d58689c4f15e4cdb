"""An exact linear program, by the simplex method with Bland's rule: it finds numbers that others recheck.

SymPy's ``linprog`` (1.14) was tried first; it returns points that violate their constraints, for example
for four unknowns and four rows of -1, 0 and 1. Rows are kept as integers over one denominator each.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

Number = Fraction | int
_ARTIFICIAL = -1


def maximise(
    gain: Sequence[Number], matrix: Sequence[Sequence[Number]], bounds: Sequence[Number]
) -> list[Fraction] | None:
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
    table.climb(table.costs(gain))
    return table.point(len(gain))


class _Table:
    """Rows ``scale * basic = bound - sum of row * free``; each is its numbers, its bound, its scale."""

    def __init__(
        self, matrix: Sequence[Sequence[Number]], bounds: Sequence[Number], count: int
    ) -> None:
        self.free = [*range(count), _ARTIFICIAL]
        self.basic = [count + i for i in range(len(matrix))]
        self.rows: list[list[int]] = []
        for row, bound in zip(matrix, bounds, strict=True):
            scale = lcm(bound.denominator, *(value.denominator for value in row))
            self.rows.append([*(int(v * scale) for v in row), -scale, int(bound * scale), scale])

    def make_feasible(self) -> bool:
        """Find a point that satisfies all constraints."""
        lowest = min(self.rows, key=lambda row: Fraction(row[-2], row[-1]), default=None)
        if lowest is not None and lowest[-2] < 0:
            self._pivot(self.rows.index(lowest), len(self.free) - 1)
            self.climb(list(self.rows[self.basic.index(_ARTIFICIAL)][:-2]))
            if _ARTIFICIAL in self.basic:
                position = self.basic.index(_ARTIFICIAL)
                row = self.rows[position]
                if row[-2]:
                    return False
                column = next((j for j, value in enumerate(row[:-2]) if value), None)
                if column is not None:
                    self._pivot(position, column)
        if _ARTIFICIAL in self.free:
            column = self.free.index(_ARTIFICIAL)
            del self.free[column]
            for row in self.rows:
                del row[column]
        return True

    def costs(self, gain: Sequence[Number]) -> list[int]:
        """What a unit of each free unknown gains, times a positive number."""
        count = len(gain)
        costs = [gain[name] if 0 <= name < count else Fraction(0) for name in self.free]
        for name, row in zip(self.basic, self.rows, strict=True):
            if 0 <= name < count and gain[name]:
                costs = [
                    c - gain[name] * Fraction(r, row[-1]) for c, r in zip(costs, row, strict=False)
                ]
        scale = lcm(*(cost.denominator for cost in costs)) if costs else 1
        return [int(cost * scale) for cost in costs]

    def climb(self, costs: list[int]) -> None:
        """Go on as long as some free unknown gains something."""
        while True:
            rising = [(self.free[j], j) for j, cost in enumerate(costs) if cost > 0]
            if not rising:
                return
            _, column = min(rising)
            _, _, leaving = min(
                (Fraction(row[-2], row[column]), self.basic[i], i)
                for i, row in enumerate(self.rows)
                if row[column] > 0
            )
            self._pivot(leaving, column)
            row = self.rows[leaving]
            step, scale = costs[column], row[-1]
            costs = [scale * cost - step * value for cost, value in zip(costs, row, strict=False)]
            costs[column] = -step * row[column]
            common = gcd(*costs) or 1
            costs = [cost // common for cost in costs]

    def _pivot(self, leaving: int, entering: int) -> None:
        pivot = self.rows[leaving]
        share = pivot[entering]
        pivot[entering], pivot[-1] = pivot[-1], share
        if share < 0:
            pivot[:] = [-value for value in pivot]
        scale = pivot[-1]
        for i, row in enumerate(self.rows):
            factor = row[entering]
            if i != leaving and factor:
                new = [scale * v - factor * p for v, p in zip(row, pivot, strict=True)]
                new[entering] = -factor * pivot[entering]
                new[-1] = scale * row[-1]
                common = gcd(*new)
                self.rows[i] = [value // common for value in new]
        self.basic[leaving], self.free[entering] = self.free[entering], self.basic[leaving]

    def point(self, count: int) -> list[Fraction]:
        """The values of the unknowns."""
        rows = zip(self.basic, self.rows, strict=True)
        values = {name: Fraction(row[-2], row[-1]) for name, row in rows}
        return [values.get(name, Fraction(0)) for name in range(count)]
