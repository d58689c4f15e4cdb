"""MLX's functions of arrays that stand for exact or random numbers: what each does with the elements."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mlx.core as mx
import numpy as np

from exactspec.audit.arithmetic import divide, square_root
from exactspec.audit.comparison import ordered, position_of_best
from exactspec.audit.numbers import python_number, value_behind
from exactspec.audit.sources.arrays.elementwise import EXACT, TRUTHS
from exactspec.audit.sources.arrays.tokens import token_or_int
from exactspec.audit.sources.proxies.exact import (
    array_of,
    cells_of,
    dtype_of,
    object_array,
    places,
    value_of_cell,
    wrapped,
)

Rule = Callable[..., Any]
_ELEMENTWISE = {
    **{name: name for name in ("add", "subtract", "multiply", "divide", "power", "maximum")},
    **{name: name for name in ("minimum", "negative", "log", "log1p", "exp", "expm1", "sqrt")},
    **{name: name for name in ("square", "reciprocal", "floor", "ceil", "sign", "less", "greater")},
    **{name: name for name in ("less_equal", "greater_equal", "equal", "not_equal", "isnan")},
    **{name: name for name in ("isinf", "isfinite", "logical_not", "logical_and", "logical_or")},
    "abs": "absolute",
    "pow": "power",
}


def _elementwise(name: str) -> Rule:
    exact = EXACT[name]

    def rule(*arrays: Any) -> Any:
        found = array_of(exact(*map(cells_of, arrays)))
        if name in TRUTHS:
            return wrapped(np.frompyfunc(bool, 1, 1)(found), mx.bool_)
        return wrapped(found, dtype_of(*arrays))

    return rule


def _rsqrt(array: Any) -> Any:
    root = np.frompyfunc(
        lambda cell: python_number(divide(Fraction(1), square_root(value_behind(cell)))), 1, 1
    )
    return wrapped(root(cells_of(array)), dtype_of(array))


def _clip(array: Any, a_min: Any, a_max: Any) -> Any:
    cells = cells_of(array)
    for bound, name in ((a_min, "maximum"), (a_max, "minimum")):
        cells = cells if bound is None else array_of(EXACT[name](cells, cells_of(bound)))
    return wrapped(cells, dtype_of(array))


def _where(condition: Any, x: Any, y: Any) -> Any:
    truths = array_of(EXACT["not_equal"](cells_of(condition), 0))
    return wrapped(np.where(truths.astype(bool), cells_of(x), cells_of(y)), dtype_of(x, y))


def _moved(function: Callable[..., Any]) -> Rule:
    """A function that only moves elements, by NumPy's of the same arguments."""

    def rule(array: Any, *arguments: Any, **options: Any) -> Any:
        found = function(cells_of(array), *map(places, arguments), **options)
        if isinstance(found, list):
            return [wrapped(each, dtype_of(array)) for each in found]
        return wrapped(found, dtype_of(array))

    return rule


def _joined(function: Callable[..., Any]) -> Rule:
    def rule(arrays: Any, axis: int = 0) -> Any:
        return wrapped(function([cells_of(each) for each in arrays], axis=axis), dtype_of(*arrays))

    return rule


def _transposed(array: Any, *axes: Any) -> Any:
    return wrapped(np.transpose(cells_of(array), _listed(axes) or None), dtype_of(array))


def _listed(numbers: tuple[Any, ...]) -> Any:
    """Numbers that are given one by one, or in a list."""
    is_list = len(numbers) == 1 and not isinstance(numbers[0], int)
    return numbers[0] if is_list else numbers


def _reshaped(array: Any, *shape: Any) -> Any:
    return wrapped(cells_of(array).reshape(_listed(shape)), dtype_of(array))


def _flattened(array: Any, start_axis: int = 0, end_axis: int = -1) -> Any:
    shape = array.shape
    end = end_axis % len(shape) + 1 if shape else 0
    return _reshaped(array, (*shape[:start_axis], -1, *shape[end:]))


def _taken_along(array: Any, indices: Any, axis: int | None = None) -> Any:
    return wrapped(np.take_along_axis(cells_of(array), places(indices), axis), dtype_of(array))


def _put_along(array: Any, indices: Any, values: Any, axis: int | None = None) -> Any:
    cells = cells_of(array).copy()
    np.put_along_axis(cells, places(indices), cells_of(values), axis)
    return wrapped(cells, dtype_of(array, values))


def _rows(array: Any, axis: int | None) -> tuple[Any, tuple[int, ...]]:
    """The rows along an axis, and the shape of what is left."""
    cells = cells_of(array)
    along = cells.reshape(1, -1) if axis is None else np.moveaxis(cells, axis, -1)
    rest = () if axis is None else along.shape[:-1]
    return along.reshape(-1, along.shape[-1]), rest


def _reduced(name: str) -> Rule:
    def rule(array: Any, axis: Any = None, keepdims: bool = False) -> Any:
        cells = cells_of(array)
        axis = tuple(range(cells.ndim)) if axis is None else axis
        axes = axis if isinstance(axis, list | tuple) else (axis,)
        for each in sorted((a % cells.ndim for a in axes), reverse=True):
            cells = EXACT[name].reduce(cells, axis=each, keepdims=keepdims)
        kind = mx.bool_ if name.startswith("logical") else dtype_of(array)
        return wrapped(array_of(cells), kind)

    return rule


def _mean(array: Any, axis: Any = None, keepdims: bool = False) -> Any:
    total = _SUM(array, axis, keepdims)
    return RULES["divide"](total, cells_of(array).size // max(total.size, 1))


def _running(name: str) -> Rule:
    def rule(
        array: Any, axis: int | None = None, reverse: bool = False, inclusive: bool = True
    ) -> Any:
        cells = cells_of(array).reshape(-1) if axis is None else cells_of(array)
        axis = axis or 0
        cells = np.flip(cells, axis) if reverse else cells
        cells = EXACT[name].accumulate(cells, axis=axis)
        if not inclusive:
            cells = np.roll(cells, 1, axis)
            cells.swapaxes(0, axis)[0] = 0 if name == "add" else 1
        return wrapped(np.flip(cells, axis) if reverse else cells, dtype_of(array))

    return rule


def _best(largest: bool) -> Rule:
    def rule(array: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        rows, rest = _rows(array, axis)
        best = [position_of_best([value_of_cell(c) for c in row], largest=largest) for row in rows]
        cells = object_array([token_or_int(each) for each in best], rest)
        if keepdims:
            shape = (1,) * array.ndim
            cells = cells.reshape(shape) if axis is None else np.expand_dims(cells, axis)
        return wrapped(cells, mx.uint32)

    return rule


def _order(array: Any, axis: int | None = -1) -> tuple[Any, Any]:
    """The elements in order along an axis, and where they stood."""
    rows, rest = _rows(array, axis)
    orders = [ordered([value_of_cell(c) for c in row], descending=False) for row in rows]
    taken = np.stack([row[order] for row, order in zip(rows, orders, strict=True)])
    pair = (taken, np.array(orders))
    if axis is None:
        return pair[0].reshape(-1), pair[1].reshape(-1)
    first, second = (np.moveaxis(each.reshape(*rest, -1), -1, axis) for each in pair)
    return first, second


def _sorted(array: Any, axis: int | None = -1) -> Any:
    return wrapped(_order(array, axis)[0], dtype_of(array))


def _argsorted(array: Any, axis: int | None = -1) -> Any:
    return mx.array(_order(array, axis)[1].tolist(), mx.uint32)


def _softmax(array: Any, axis: Any = None, precise: bool = False) -> Any:
    weights = RULES["exp"](array)
    return RULES["divide"](weights, _SUM(weights, axis, keepdims=True))


def _log_sum_exp(array: Any, axis: Any = None, keepdims: bool = False) -> Any:
    total = _SUM(RULES["exp"](array), axis, keepdims)
    return RULES["log"](total)


_SUM = _reduced("add")
# these take tokens that are not decided, and leave them so
MOVES = frozenset(
    (
        *("squeeze", "expand_dims", "swapaxes", "moveaxis", "broadcast_to", "take", "repeat"),
        *("tile", "split", "flip", "roll", "stop_gradient", "contiguous", "astype", "transpose"),
        *("permute_dims", "reshape", "flatten", "take_along_axis", "concatenate", "concat"),
        *("stack", "eval", "async_eval"),
    )
)
RULES: dict[str, Rule] = {
    **{name: _elementwise(exact) for name, exact in _ELEMENTWISE.items()},
    "rsqrt": _rsqrt,
    "clip": _clip,
    "where": _where,
    **{
        name: _moved(getattr(np, name))
        for name in (
            *("squeeze", "expand_dims", "swapaxes", "moveaxis", "broadcast_to"),
            *("take", "repeat", "tile", "split", "flip", "roll"),
        )
    },
    "stop_gradient": lambda array: array,
    "contiguous": lambda array, allow_col_major=False: array,
    "astype": lambda array, dtype: array.astype(dtype),
    "transpose": _transposed,
    "permute_dims": _transposed,
    "reshape": _reshaped,
    "flatten": _flattened,
    "take_along_axis": _taken_along,
    "put_along_axis": _put_along,
    "concatenate": _joined(np.concatenate),
    "concat": _joined(np.concatenate),
    "stack": _joined(np.stack),
    "sum": _SUM,
    "prod": _reduced("multiply"),
    "max": _reduced("maximum"),
    "min": _reduced("minimum"),
    "any": _reduced("logical_or"),
    "all": _reduced("logical_and"),
    "mean": _mean,
    "cumsum": _running("add"),
    "cumprod": _running("multiply"),
    "argmax": _best(True),
    "argmin": _best(False),
    "sort": _sorted,
    "argsort": _argsorted,
    "argpartition": lambda array, kth, axis=-1: _argsorted(array, axis),
    "partition": lambda array, kth, axis=-1: _sorted(array, axis),
    "softmax": _softmax,
    "logsumexp": _log_sum_exp,
    "eval": lambda *arrays: None,
    "async_eval": lambda *arrays: None,
}
