"""Arithmetic of plain values: rationals, and the floats inf, -inf and nan. What is irrational has 60 digits."""

import math
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from exactspec.audit.world import current

INFINITY, NAN = math.inf, math.nan
_BEYOND_FLOATS = 2000
_CONTEXT = Context(prec=60, Emin=-(10**6), Emax=10**6)
_ROUNDED = "a logarithm or power of a number that is no logarithm's, to 60 digits"


def rational_exp(number: Fraction) -> Fraction | float:
    """exp to 60 digits; beyond what floats hold it is 0 or infinite, as theirs is."""
    if number == 0:
        return Fraction(1)
    current().idealise(_ROUNDED, Fraction(1, 10**50))
    if abs(number) > _BEYOND_FLOATS:
        return Fraction(0) if number < 0 else INFINITY
    return Fraction(_CONTEXT.exp(_decimal(number)))


def rational_log(number: Fraction) -> Fraction:
    """The natural logarithm of a positive number to 60 digits."""
    if number == 1:
        return Fraction(0)
    current().idealise(_ROUNDED, Fraction(1, 10**50))
    return Fraction(_CONTEXT.ln(_decimal(number)))


def _decimal(number: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(number.numerator), Decimal(number.denominator))


def power(base: Fraction, exponent: Fraction) -> Fraction | float:
    """A number that is not 0 to a power; a negative one to a whole power."""
    if exponent.denominator == 1 and abs(exponent) <= 1000:
        return Fraction(base ** int(exponent))
    size = rational_exp(exponent * rational_log(abs(base)))
    return -size if base < 0 and exponent % 2 else size


def quotient(x: Fraction | float, y: Fraction | float) -> Fraction | float:
    """x / y, with the floats' rules for a 0 below."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        if y:
            return x / y
        return NAN if x == 0 else math.copysign(INFINITY, x)
    if isinstance(y, Fraction):
        if math.isnan(x):
            return NAN
        return math.copysign(INFINITY, x) * (-1 if y < 0 else 1)
    return NAN if math.isnan(y) or isinstance(x, float) else Fraction(0)


def combined(
    operation: Callable[[Any, Any], Any], x: Fraction | float, y: Fraction | float
) -> Fraction | float:
    """A sum, difference or product; with an infinite number, as floats have it."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return operation(x, y)  # type: ignore[no-any-return]
    result = operation(_sign_as_float(x), _sign_as_float(y))
    return Fraction(result) if math.isfinite(result) else result


def _sign_as_float(x: Fraction | float) -> float:
    """A number as a float of the same sign, which decides what it is with an infinite one."""
    return x if isinstance(x, float) else float((x > 0) - (x < 0))
