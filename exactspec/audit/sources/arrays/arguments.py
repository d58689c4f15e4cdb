"""What NumPy's random functions are given: sizes, probabilities; and what is refused of it."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from exactspec.audit.numbers import value_behind
from exactspec.audit.sources.arrays.exact import exact_array
from exactspec.audit.world import current


def filled(size: Any, number: Callable[[], Any]) -> Any:
    """A number, or where a size is given an array of them, drawn one after another."""
    if size is None:
        return number()
    shape = shape_of(size)
    array = np.empty(shape, dtype=object)
    for place in np.ndindex(array.shape):
        array[place] = number()
    return exact_array(array)


def shape_of(size: Any) -> tuple[int, ...]:
    """A size as a shape."""
    return (int(size),) if isinstance(size, int | np.integer) else tuple(size)


def stacked(size: Any, row: Callable[[], Any], width: int) -> Any:
    """An array of so many rows, drawn one after another."""
    shape = shape_of(size)
    rows = [row() for _ in range(int(np.prod(shape)))]
    return np.array(rows, dtype=np.int64).reshape(*shape, width)


def shape_for(size: Any, *parameters: Any) -> Any:
    """The size of a result: as given, or that of its parameters."""
    if size is not None:
        return size
    return np.broadcast(*parameters, 0).shape or None


def probabilities(p: Any) -> tuple[list[Fraction], Any]:
    """Probabilities as they are, and in floats, for NumPy to check them."""
    numbers = np.asarray(p, dtype=object).ravel()
    values = [value_behind(number) for number in numbers]
    if not all(isinstance(value, Fraction | float) for value in values):
        refuse("a choice by random probabilities")
    is_float = isinstance(p, np.ndarray) and p.dtype != object
    floats = p if is_float else np.array([float(value) for value in values])
    finite = [value if isinstance(value, Fraction) else Fraction(0) for value in values]
    return finite, floats


def refuse_out(out: Any) -> None:
    """Refuse to draw into an array of the program's."""
    if out is not None:
        refuse("random numbers written into an array of floats (out=)")


def refuse(what: str) -> NoReturn:
    """Give up on a draw without an exact rule."""
    current().refuse(
        "audit-no-rule",
        f"{what} has no exact rule",
        "the audit follows uniform numbers, exponential times, Gumbel noise and choices",
    )
