"""The largest or least of random times: a number known by who wins, and its comparisons."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from exactspec.audit.arithmetic import no_rule
from exactspec.audit.comparison import OPERATORS, compare, holds, position_of_best
from exactspec.audit.numbers import Unknown, value_behind
from exactspec.audit.sources.arrays.tokens import Token, token_or_int
from exactspec.audit.sources.kernels.cells import stands_in
from exactspec.audit.symbols import Exponential, Opaque, is_discrete, is_plain
from exactspec.audit.world import Deferred

_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


class Extreme(Opaque):
    """The largest or least of a row, where exponential times race for it.

    Args:
        row: the values of the row.
        position: the winner's, undecided.
        largest: whether the largest wins.
    """

    def __init__(self, row: Sequence[Any], position: Any, *, largest: bool) -> None:
        super().__init__(f"the {'largest' if largest else 'least'} of random numbers")
        self._row, self._position, self.largest = row, position, largest
        self.times = tuple(value for value in row if isinstance(value, Exponential))

    def is_at(self, value: Exponential) -> bool:
        """Whether a time of the row is the best one, decided now."""
        winner: Any = self._row[self._position.look()]
        return bool(winner.time is value.time)


def best(cells: Any, *, largest: bool) -> tuple[Any, Any]:
    """The best of a row of cells, and its position, which is undecided where times race."""
    places = _candidates(cells, largest)
    values = [value_behind(cells[place]) for place in places]
    if any(isinstance(value, Extreme) for value in values):
        position: Any = _best_of_extremes(values, largest)
    else:
        position = position_of_best(values, largest=largest)
    if not is_discrete(position):
        return cells[places[position]], places[position]
    winner = Unknown(Extreme(values, position, largest=largest))
    if places == list(range(len(places))):
        return winner, token_or_int(position)
    return winner, Token(Deferred(lambda: places[position.look()]))


def _candidates(cells: Any, largest: bool) -> list[int]:
    """The positions in a row that may be the best: of plain numbers the first best one only."""
    is_more = stands_in(cells)
    places = np.nonzero(is_more)[0].tolist()
    (rest,) = np.nonzero(~is_more)
    plain = cells[rest].astype(np.float64)
    rest, plain = rest[~np.isnan(plain)], plain[~np.isnan(plain)]
    if len(plain):
        places.append(int(rest[(np.argmax if largest else np.argmin)(plain)]))
    return sorted(places)


def _best_of_extremes(values: Sequence[Any], largest: bool) -> int:
    """One after another, as a kernel compares the best of its blocks."""
    found = 0
    for place in range(1, len(values)):
        if compared("gt" if largest else "lt", values[place], values[found]):
            found = place
    return found


def compared(name: str, x: Any, y: Any) -> bool:
    """Whether ``x name y``, decided now, for values that may be the best of a row."""
    if isinstance(x, Extreme):
        return _compared(name, x, y)
    if isinstance(y, Extreme):
        return _compared(_MIRRORED[name], y, x)
    return holds(compare(name, x, y))


def _compared(name: str, x: Extreme, y: Any) -> bool:
    if is_plain(y):
        # its times are on the same side of 0, and of an infinite number
        return holds(compare(name, x.times[0], y))
    if isinstance(y, Extreme):
        if y.largest != x.largest:
            no_rule("a comparison", x, y)
        others: tuple[Any, ...] = y.times
    elif isinstance(y, Exponential):
        others = (y,)
    else:
        no_rule("a comparison", x, y)
    known = {each.time for each in x.times}
    if any(other.time in known for other in others):
        return _compared_with_own(name, x, others)
    if name in ("eq", "ne"):
        return name == "ne"
    return _is_ahead(x, others) == ((name in ("gt", "ge")) == x.largest)


def _is_ahead(x: Extreme, others: Sequence[Exponential]) -> bool:
    """Whether the best of two groups of times together is in the first."""
    position = position_of_best([*x.times, *others], largest=x.largest)
    return int(position.look()) < len(x.times)


def _compared_with_own(name: str, x: Extreme, others: Sequence[Exponential]) -> bool:
    """A row's best with one of its own numbers, or with itself."""
    is_itself = {other.time for other in others} == {each.time for each in x.times}
    if not is_itself and len(others) > 1:
        no_rule("a comparison", x, x)
    is_it = is_itself or x.is_at(others[0])
    return bool(OPERATORS[name](0, 0 if is_it else -1 if x.largest else 1))
