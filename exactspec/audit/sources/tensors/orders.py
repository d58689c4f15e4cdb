"""Operations that compare the elements of a row: the best one, the order, a place in it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exactspec.audit.arithmetic import no_rule
from exactspec.audit.comparison import compare, holds, ordered, position_of_best
from exactspec.audit.sources.tensors.arguments import Arguments
from exactspec.audit.sources.tensors.reductions import rows_along, write_along
from exactspec.audit.sources.tensors.shadows import Shadows
from exactspec.audit.symbols import Log, Opaque, is_plain
from exactspec.audit.world import Deferred


def _best(shadows: Shadows, given: Arguments, out: Any, *, largest: bool) -> None:
    rows = rows_along(shadows, given["self"], given["dim"])
    shadows.write(out, [_as_value(position_of_best(row, largest=largest)) for row in rows])


def _as_value(position: Any) -> Any:
    return Fraction(position) if isinstance(position, int) else position


def argmax(shadows: Shadows, given: Arguments, out: Any) -> None:
    """The position of the largest of each row."""
    _best(shadows, given, out, largest=True)


def argmin(shadows: Shadows, given: Arguments, out: Any) -> None:
    """The position of the least of each row."""
    _best(shadows, given, out, largest=False)


def _extreme(shadows: Shadows, given: Arguments, out: Any, *, largest: bool) -> None:
    """The best of each row, and where one dimension was named its position, too."""
    rows = list(rows_along(shadows, given["self"], given["dim"]))
    positions = [position_of_best(row, largest=largest) for row in rows]
    pairs = zip(rows, positions, strict=True)
    values = [row[i] if isinstance(i, int) else _unnamed(largest) for row, i in pairs]
    if not isinstance(out, tuple):
        shadows.write(out, values)
        return
    shadows.write(out[0], values)
    shadows.write(out[1], [_as_value(i) for i in positions])


def _unnamed(largest: bool) -> Opaque:
    return Opaque(f"the {'largest' if largest else 'least'} of random numbers")


def maximum(shadows: Shadows, given: Arguments, out: Any) -> None:
    """The largest of each row."""
    _extreme(shadows, given, out, largest=True)


def minimum(shadows: Shadows, given: Arguments, out: Any) -> None:
    """The least of each row."""
    _extreme(shadows, given, out, largest=False)


def order_of(row: Sequence[Any], count: int, *, descending: bool) -> list[int]:
    """The positions of the first so many values in order; random ones race for each place."""
    if all(is_plain(value) or isinstance(value, Log) for value in row):
        return ordered(row, descending=descending)[:count]
    left = list(range(len(row)))
    order = []
    for _ in range(count):
        best = position_of_best([row[i] for i in left], largest=descending)
        order.append(left.pop(best if isinstance(best, int) else best.look()))
    return order


def _in_order(
    shadows: Shadows, given: Arguments, out: Any, count: int | None, *, descending: bool
) -> None:
    dim = given.get("dim", -1)
    rows = list(rows_along(shadows, given["self"], dim))
    orders = [
        order_of(row, len(row) if count is None else count, descending=descending) for row in rows
    ]
    pairs = list(zip(rows, orders, strict=True))
    write_along(shadows, out[0], dim, [[row[i] for i in order] for row, order in pairs])
    write_along(shadows, out[1], dim, [[Fraction(i) for i in order] for order in orders])


def sort(shadows: Shadows, given: Arguments, out: Any) -> None:
    """Each row in order, and where its values stood."""
    _in_order(shadows, given, out, None, descending=given.get("descending", False))


def topk(shadows: Shadows, given: Arguments, out: Any) -> None:
    """The first k of each row in order, and where they stood."""
    _in_order(shadows, given, out, given["k"], descending=given.get("largest", True))


def argsort(shadows: Shadows, given: Arguments, out: Any) -> None:
    """Where each row's values stand, in order."""
    dim, descending = given.get("dim", -1), given.get("descending", False)
    rows = rows_along(shadows, given["self"], dim)
    orders = [order_of(row, len(row), descending=descending) for row in rows]
    write_along(shadows, out, dim, [[Fraction(i) for i in order] for order in orders])


def searchsorted(shadows: Shadows, given: Arguments, out: Any) -> None:
    """How many boundaries of a row lie below each value, or at it (``right``)."""
    boundaries = given["sorted_sequence"]
    values = _searched(shadows, given["self"], out)
    rows = list(rows_along(shadows, boundaries, -1))
    each = len(values) // len(rows) if boundaries.dim() > 1 else len(values)
    if given["sorter"] is not None:
        no_rule("searchsorted with sorter=", *rows[0])
    is_right = given.get("right", False) or given["side"] == "right"
    found = [
        _place(rows[i // max(each, 1)], value, inclusive=is_right) for i, value in enumerate(values)
    ]
    shadows.write(out, found)


def bucketize(shadows: Shadows, given: Arguments, out: Any) -> None:
    """How many boundaries lie below each value, or at it (``right``)."""
    values = _searched(shadows, given["self"], out)
    row = shadows.values(given["boundaries"])
    is_right = given.get("right", False)
    shadows.write(out, [_place(row, value, inclusive=is_right) for value in values])


def _searched(shadows: Shadows, value: Any, out: Any) -> list[Any]:
    return shadows.values(value, out.shape)


def _place(row: Sequence[Any], value: Any, *, inclusive: bool) -> Deferred:
    """How many of the first boundaries lie below a value, decided when somebody looks."""
    name = "le" if inclusive else "lt"

    def count() -> int:
        for number, boundary in enumerate(row):
            if not holds(compare(name, boundary, value)):
                return number
        return len(row)

    return Deferred(count)


ORDERS = {
    "argmax": argmax,
    "argmin": argmin,
    "max": maximum,
    "min": minimum,
    "sort": sort,
    "topk": topk,
    "argsort": argsort,
    "searchsorted": searchsorted,
    "bucketize": bucketize,
}
