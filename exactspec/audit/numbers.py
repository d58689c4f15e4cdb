"""What a Python program holds: numbers that remember the rational they round, and numbers not known.

They behave as floats do as far as there is an exact rule, so that audited code runs unchanged.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

from exactspec.audit.arithmetic import (
    add,
    divide,
    exp,
    log,
    multiply,
    negative,
    no_rule,
    square_root,
    subtract,
    to_power,
)
from exactspec.audit.comparison import compare, holds
from exactspec.audit.symbols import Affine, Categorical, Symbol, value_of
from exactspec.audit.world import current, is_running
from exactspec.chance import Draw

MOST_CELLS = 1024


def python_number(value: Any) -> Any:
    """A value as a number that a Python program can compute with."""
    if isinstance(value, Fraction):
        return Rational(value)
    return Unknown(value) if isinstance(value, Symbol) else value


def value_behind(number: Any) -> Any:
    """The value of a Python number, known or not."""
    return number.value if isinstance(number, Unknown) else value_of(number)


class _Arithmetic:
    """Operators of numbers, through the arithmetic of values."""

    __slots__ = ()

    def _with(self, operation: Callable[[Any, Any], Any], other: Any, swapped: bool = False) -> Any:
        if not _is_scalar(other):
            return NotImplemented
        x, y = value_behind(self), value_behind(other)
        return python_number(operation(y, x) if swapped else operation(x, y))

    def _compared(self, name: str, other: Any) -> Any:
        if not _is_scalar(other):
            return NotImplemented
        return holds(compare(name, value_behind(self), value_behind(other)))

    def __add__(self, other: Any) -> Any:
        return self._with(add, other)

    def __radd__(self, other: Any) -> Any:
        return self._with(add, other, swapped=True)

    def __sub__(self, other: Any) -> Any:
        return self._with(subtract, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with(subtract, other, swapped=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(multiply, other)

    def __rmul__(self, other: Any) -> Any:
        return self._with(multiply, other, swapped=True)

    def __truediv__(self, other: Any) -> Any:
        if _is_scalar(other) and value_behind(other) == 0:
            raise ZeroDivisionError("float division by zero")
        return self._with(divide, other)

    def __rtruediv__(self, other: Any) -> Any:
        if value_behind(self) == 0:
            raise ZeroDivisionError("float division by zero")
        return self._with(divide, other, swapped=True)

    def __pow__(self, other: Any) -> Any:
        return self._with(to_power, other)

    def __rpow__(self, other: Any) -> Any:
        return self._with(to_power, other, swapped=True)

    def __neg__(self) -> Any:
        return python_number(negative(value_behind(self)))

    def __pos__(self) -> Any:
        return self

    def __lt__(self, other: Any) -> Any:
        return self._compared("lt", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("le", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared("gt", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared("ge", other)

    def __eq__(self, other: Any) -> Any:
        return self._compared("eq", other)

    def __ne__(self, other: Any) -> Any:
        return self._compared("ne", other)

    def item(self) -> Any:
        """The number itself, as NumPy's numbers give it."""
        return self

    def log(self) -> Any:
        """The natural logarithm; NumPy calls it for arrays of objects."""
        return python_number(log(value_behind(self)))

    def exp(self) -> Any:
        """e to this number; NumPy calls it for arrays of objects."""
        return python_number(exp(value_behind(self)))

    def sqrt(self) -> Any:
        """The square root; NumPy calls it for arrays of objects."""
        return python_number(square_root(value_behind(self)))

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """What PyTorch calls for its functions of this number, and of this number and tensors."""
        return import_module("exactspec.audit.sources.tensors.numbers").call(func, args, kwargs)

    # a copy of a random number is that number, not another one
    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """What NumPy calls for its functions of this number, and of this number and arrays."""
        rules = import_module("exactspec.audit.sources.arrays.exact")
        return rules.apply(ufunc, method, *inputs, **options)


def _is_scalar(other: Any) -> bool:
    if isinstance(other, int | float | Fraction | Unknown):
        return True
    return getattr(other, "shape", None) == () and not hasattr(other, "__torch_function__")


class Rational(_Arithmetic, float):  # type: ignore[misc]
    """A float that remembers the rational it rounds: arithmetic with it is exact.

    >>> third = Rational(Fraction(1, 3))
    >>> third * 3 == 1, (third + 0.5).exact
    (True, Fraction(5, 6))
    """

    exact: Fraction

    def __new__(cls, value: Fraction) -> "Rational":
        number = super().__new__(cls, _nearest_float(value))
        number.exact = value
        return number

    __hash__ = float.__hash__

    def __abs__(self) -> "Rational":
        return Rational(abs(self.exact))

    def __bool__(self) -> bool:
        return self.exact != 0

    def __floor__(self) -> int:
        return math.floor(self.exact)

    def __ceil__(self) -> int:
        return math.ceil(self.exact)

    def __int__(self) -> int:
        return int(self.exact)


def _nearest_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


class Unknown(_Arithmetic):
    """A number that is random, or an exact logarithm: it can be computed with, never looked at."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return holds(compare("ne", self.value, Fraction(0)))

    def __floor__(self) -> int:
        """The whole number below, decided now: for affine forms of a uniform number."""
        value = self.value
        if not isinstance(value, Affine):
            no_rule("the whole part", value)
        ends = sorted((value.offset, value.offset + value.slope))
        low, high = math.floor(ends[0]), math.floor(ends[1])
        if high - low > MOST_CELLS:
            no_rule(f"a choice among {high - low:,} whole numbers", value)
        for whole in range(low, high):
            if holds(compare("lt", value, Fraction(whole + 1))):
                return whole
        return high

    def __int__(self) -> int:
        if (
            isinstance(self.value, Affine)
            and min(self.value.offset, self.value.offset + self.value.slope) < 0
        ):
            no_rule("the whole part", self.value)
        return self.__floor__()

    __trunc__ = __int__
    __index__ = None

    def __float__(self) -> float:
        no_rule("the float", self.value)

    # refused here, for a program may hide the TypeError of what a class does not have

    def __abs__(self) -> Any:
        ends = self.value
        if isinstance(ends, Affine) and min(ends.offset, ends.offset + ends.slope) >= 0:
            return self
        no_rule("the absolute value", self.value)

    def __round__(self, digits: Any = None) -> Any:
        no_rule("the rounding", self.value)

    def __mod__(self, other: Any) -> Any:
        no_rule("the remainder", self.value)

    def __floordiv__(self, other: Any) -> Any:
        no_rule("the whole quotient", self.value)

    __rmod__ = __divmod__ = __rdivmod__ = __mod__
    __rfloordiv__ = __floordiv__

    def __complex__(self) -> complex:
        no_rule("the complex number", self.value)

    def __format__(self, spec: str) -> str:
        return repr(self) if not spec else no_rule("the text", self.value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        no_rule("the bytes", self.value)

    def __repr__(self) -> str:
        return "<a number that is not decided>"


def whole_number(size: int) -> Any:
    """A whole number drawn evenly from 0, ..., size - 1, open until somebody looks."""
    if size > MOST_CELLS:
        current().refuse(
            "audit-no-rule",
            f"a whole number drawn from {size:,}",
            f"at most {MOST_CELLS:,} outcomes of one draw are followed",
        )
    return categorical([Fraction(1)] * size, "whole number")


def categorical(weights: Any, label: str) -> Draw[int]:
    """A position drawn with probability proportional to its weight, open until somebody looks."""
    return Categorical(label, weights)


def exact_or_float(value: Fraction) -> Any:
    """A table's number as the program gets it: a float that remembers it, or in float audits a float."""
    if not is_running():
        return Rational(value)
    current().gives_floats(53)
    return Rational(value) if current().is_rational else float(value)
