"""NumPy arrays of an audit's numbers: what NumPy does with floats is done with exact numbers."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from exactspec.audit.comparison import position_of_best
from exactspec.audit.numbers import Rational, Unknown, value_behind
from exactspec.audit.sources.arrays.elementwise import EXACT, TRUTHS, nearest_float
from exactspec.audit.sources.arrays.tokens import Token, token_or_int
from exactspec.audit.world import call_site, current, is_running

_REAL = {name: getattr(np, name) for name in ("array", "asarray", "asanyarray")}


class ExactArray(np.ndarray):
    """An array of exact or random numbers, which NumPy's functions keep as such."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return apply(ufunc, method, *inputs, **options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        special = _FUNCTIONS.get(function.__name__)
        if special is not None:
            return special(*args, **options)
        return kept(super().__array_function__(function, types, args, options))

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Any:
        """Another type; floats of any width stay the exact numbers that they are."""
        if np.dtype(dtype).kind in "fO":
            return self.copy()
        return self.view(np.ndarray).astype(dtype, *args, **options)

    def argmax(self, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        """The position of the largest number; a race where the numbers are random times."""
        return _positions(self, axis, keepdims, largest=True)

    def argmin(self, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        """The position of the least number; a race where the numbers are random times."""
        return _positions(self, axis, keepdims, largest=False)


def exact_array(numbers: Any) -> Any:
    """Numbers, in lists or an array of objects, as an array of exact numbers."""
    return _REAL["array"](numbers, dtype=object).view(ExactArray)


def kept(result: Any) -> Any:
    """A result with its arrays of objects as arrays of exact numbers."""
    if isinstance(result, tuple):
        return tuple(map(kept, result))
    if isinstance(result, list):
        return [kept(each) for each in result]
    is_exact = isinstance(result, np.ndarray) and result.dtype == object
    return result.view(ExactArray) if is_exact else result


def apply(ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """An elementwise function, or what is built on it, of arrays and numbers of which one is exact."""
    (out,), where = options.pop("out", (None,)), options.pop("where", True)
    for name in ("dtype", "casting", "order", "subok", "signature"):
        options.pop(name, None)
    if options.get("initial", 0) in (np._NoValue, None):
        del options["initial"]
    inputs = tuple(map(_bare, inputs))
    if where is not True and method != "__call__":
        _refuse(f"np.{ufunc.__name__}.{method} with where=")
    exact = EXACT.get(ufunc.__name__)
    if exact is None:
        result = _rounded(ufunc, method, inputs, options)
    elif method == "at":
        return _at(exact, *inputs)
    else:
        result = getattr(exact, method)(*inputs, **options)
        if ufunc.__name__ in TRUTHS:
            result = result.astype(bool) if isinstance(result, np.ndarray) else bool(result)
    if where is not True:
        result = np.where(where, result, 0 if out is None else _bare(out))
    return kept(result) if out is None else _put(result, out)


def _bare(value: Any) -> Any:
    """An input without the classes that would bring NumPy back here."""
    if isinstance(value, ExactArray):
        return value.view(np.ndarray)
    if isinstance(value, Unknown | Rational | Token):
        bare: Any = np.empty((), dtype=object)
        bare[()] = value
        return bare
    return value


def _put(result: Any, out: Any) -> Any:
    """Write a result into an array that the program gave for it."""
    if isinstance(out, np.ndarray) and out.dtype.kind == "f":
        result = _floats(result)
        current().round_off(f"written into floats at {call_site()}")
    out[...] = result
    return out


_as_float = np.frompyfunc(nearest_float, 1, 1)


def _floats(values: Any) -> Any:
    is_exact = isinstance(values, np.ndarray) and values.dtype == object
    if not is_exact:
        return values if isinstance(values, np.ndarray) else nearest_float(values)
    return np.asarray(_as_float(values), dtype=np.float64)


def _rounded(ufunc: Any, method: str, inputs: Sequence[Any], options: Any) -> Any:
    """A function without an exact rule, of known numbers: in floats."""
    floats = [_floats(each) if isinstance(each, np.ndarray) else each for each in inputs]
    if is_running():
        current().round_off(f"np.{ufunc.__name__} at {call_site()}")
    return getattr(ufunc, method)(*floats, **options)


def _at(exact: Any, target: Any, places: Any, *values: Any) -> None:
    """``np.add.at`` and the like: the places one after another, each as often as it is named."""
    where = np.arange(target.size).reshape(target.shape)[places].ravel()
    given = [np.broadcast_to(value, where.shape).ravel() for value in values]
    for number, place in enumerate(where):
        place = np.unravel_index(place, target.shape)
        target[place] = exact(target[place], *(value[number] for value in given))


def _refuse(what: str) -> None:
    current().refuse(
        "audit-no-rule", f"{what} has no exact rule", "write it in other words; or try level float"
    )


def _positions(array: Any, axis: Any, keepdims: bool, *, largest: bool) -> Any:
    numbers = array.view(np.ndarray)
    if axis is None:
        flat = numbers.ravel()
        position = token_or_int(position_of_best([value_behind(n) for n in flat], largest=largest))
        return np.full((1,) * numbers.ndim, position) if keepdims else position
    rows = np.moveaxis(numbers, axis, -1)
    if rows.ndim == 1 and not keepdims:
        return _positions(array, None, False, largest=largest)
    best = np.empty(rows.shape[:-1], dtype=np.int64)
    for place in np.ndindex(best.shape):
        values = [value_behind(number) for number in rows[place]]
        best[place] = token_or_int(position_of_best(values, largest=largest))
    return np.expand_dims(best, axis) if keepdims else best


def _is_close(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, **options: Any) -> Any:
    x, y = exact_array(a), exact_array(b)
    return np.logical_or(x == y, np.abs(x - y) <= atol + rtol * np.abs(y))


def _all_close(a: Any, b: Any, *rest: Any, **options: Any) -> bool:
    return bool(np.all(_is_close(a, b, *rest, **options)))


def _without_nan(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    most = np.finfo(np.float64).max
    result = x.copy() if copy else x
    result[np.isnan(x)] = nan
    result[np.isinf(x) & (x > 0)] = most if posinf is None else posinf
    result[np.isinf(x) & (x < 0)] = -most if neginf is None else neginf
    return result


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "isclose": _is_close,
    "allclose": _all_close,
    "nan_to_num": _without_nan,
}


def _holds_exact(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_exact, value))
    return isinstance(value, Unknown | Rational | Fraction | ExactArray)


def _making(real: Callable[..., Any]) -> Callable[..., Any]:
    """``np.array`` or its like, which keeps exact numbers as such."""

    def call(value: Any, dtype: Any = None, *args: Any, **options: Any) -> Any:
        is_float = dtype is None or np.dtype(dtype).kind in "fO"
        if is_float and _holds_exact(value):
            return real(value, object, *args, **options).view(ExactArray)
        return real(value, dtype, *args, **options)

    return call


MAKING = {name: _making(real) for name, real in _REAL.items()}
