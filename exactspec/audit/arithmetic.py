"""Arithmetic of values: rationals, floats that are no rational, and symbols for what was drawn.

Every function takes and gives values as ``symbols`` describes them. What has no exact rule is refused:
a random number is never taken for some number.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any, NoReturn

from exactspec.audit.plain import combined, power, quotient, rational_exp
from exactspec.audit.symbols import (
    INFINITY,
    NAN,
    TINY,
    Affine,
    Chain,
    Exponential,
    Log,
    LogAffine,
    Opaque,
    Product,
    is_discrete,
    is_plain,
    new_time,
)
from exactspec.audit.world import GRID, current


def no_rule(what: str, *values: Any) -> NoReturn:
    """Refuse an operation on values that it has no exact rule for."""
    kinds = ", ".join(kind(value) for value in values)
    current().refuse(
        "audit-no-rule",
        f"{what} of {kinds} has no exact rule",
        "the audit follows comparisons, affine forms, products, logarithms and races of random numbers",
    )


def kind(value: Any) -> str:
    """What a value is, in words."""
    if isinstance(value, Opaque):
        return value.what
    names = {
        Affine: "a uniform number",
        LogAffine: "the logarithm of a uniform number",
        Product: "a product of uniform numbers",
        Exponential: "an exponential time",
        Log: "an exact logarithm",
    }
    return names.get(type(value), "a number" if is_plain(value) else "an undecided outcome")


def decided(value: Any) -> Any:
    """A value with an open token or truth value decided, as the number that it is."""
    return Fraction(int(value.look())) if is_discrete(value) else value


def as_time(value: Any) -> Any:
    """-log(U) or -log(1 - U) of an unused uniform number as the exponential time that it is."""
    if not (isinstance(value, LogAffine) and value.is_negative):
        return value
    affine, variable = value.inner, value.inner.variable
    # a tiny offset keeps a program's logarithm finite; it is an idealisation with a bound
    is_u = affine.slope == 1 and abs(affine.offset) <= TINY
    is_one_minus_u = affine.slope == -1 and abs(affine.offset - 1) <= TINY
    is_usable = variable.is_fresh or (variable.time and variable.time_of_rest == is_one_minus_u)
    if not (is_u or is_one_minus_u) or not is_usable:
        return value
    if variable.time is None:
        variable.time, variable.time_of_rest = new_time(), is_one_minus_u
        offset = abs(affine.offset) if is_u else abs(affine.offset - 1)
        if offset:
            current().idealise("a tiny number added before a logarithm taken for 0", offset)
        if current().level == GRID:
            current().idealise("a number of the grid in a logarithm taken for a real one", TINY)
    return Exponential(variable.time)


def add(x: Any, y: Any) -> Any:
    """x + y."""
    if type(x) is Fraction and type(y) is Fraction:
        return x + y
    x, y = decided(x), decided(y)
    if is_plain(x) and is_plain(y):
        return combined(lambda a, b: a + b, x, y)
    if is_plain(x):
        x, y = y, x
    if isinstance(y, float):
        return y
    if isinstance(x, Affine):
        return _add_affine(x, y)
    return _add_to_logarithm(x, y)


def _add_to_logarithm(x: Any, y: Any) -> Any:
    """x + y, where x is a logarithm or a time, or y is one."""
    if isinstance(y, Exponential) or (isinstance(y, LogAffine) and not isinstance(x, Exponential)):
        x, y = y, x
    if y == 0:
        return x
    if isinstance(x, LogAffine) and x.is_negative and isinstance(y, Log):
        return negative(add(negative(x), negative(y)))
    x = as_time(x)
    if isinstance(x, Log):
        return log(combined(mul, x.argument, _factor(y, "the sum", x)))
    if isinstance(x, LogAffine) and not x.is_negative:
        return log(multiply(x.inner, _factor(y, "the sum", x)))
    if isinstance(x, Exponential):
        return _add_to_time(x, y)
    no_rule("the sum", x, y)


def _add_affine(x: Affine, y: Any) -> Any:
    if isinstance(y, Fraction):
        return Affine(x.variable, x.slope, x.offset + y)
    if isinstance(y, Affine) and y.variable is x.variable:
        slope, offset = x.slope + y.slope, x.offset + y.offset
        return Affine(x.variable, slope, offset) if slope else offset
    no_rule("the sum", x, y)


def _add_to_time(x: Exponential, y: Any) -> Any:
    if x.is_log:
        factor = _factor(y, "the sum", x)
        if factor == 0 or isinstance(factor, float):
            return log(factor)
        return Exponential(x.time, x.factor * factor, x.power, is_log=True)
    if isinstance(y, Fraction) and abs(y) <= TINY * x.factor:
        moved = abs(y) / x.factor
        current().idealise("a tiny number added to an exponential time taken for 0", moved)
        return x
    no_rule("the sum", x, y)


def _factor(y: Any, what: str, x: Any) -> Fraction | float:
    """exp(y), for y that is added to a logarithm."""
    if isinstance(y, Log):
        return y.argument
    if isinstance(y, Fraction):
        return rational_exp(y)
    no_rule(what, x, y)


def negative(x: Any) -> Any:
    """-x."""
    x = decided(x)
    if is_plain(x):
        return -x
    if isinstance(x, Affine):
        return Affine(x.variable, -x.slope, -x.offset)
    if isinstance(x, LogAffine):
        return LogAffine(x.inner, not x.is_negative)
    if isinstance(x, Log):
        return Log(1 / x.argument)
    if isinstance(x, Exponential) and x.is_log:
        return Exponential(x.time, 1 / x.factor, -x.power, is_log=True)
    no_rule("the negative", x)


def subtract(x: Any, y: Any) -> Any:
    """x - y."""
    if isinstance(y, float) and is_plain(x):
        return combined(lambda a, b: a - b, x, y)
    return add(x, negative(y))


def multiply(x: Any, y: Any) -> Any:
    """x y."""
    if type(x) is Fraction and type(y) is Fraction:
        return x * y
    x, y = decided(x), decided(y)
    if is_plain(x) and is_plain(y):
        return combined(lambda a, b: a * b, x, y)
    if is_plain(x):
        x, y = y, x
    if isinstance(x, Affine | Product) and isinstance(y, Affine | Product):
        return product_of((x, y))
    if isinstance(y, Fraction):
        return _scaled(as_time(x), y)
    if y == INFINITY and isinstance(x, Affine) and min(x.offset, x.offset + x.slope) >= 0:
        return y
    no_rule("the product", x, y)


def _scaled(x: Any, y: Fraction) -> Any:
    if y == 0:
        return Fraction(0)
    if y == 1:
        return x
    if isinstance(x, Affine):
        return Affine(x.variable, x.slope * y, x.offset * y)
    if isinstance(x, Product) and y > 0:
        return Product(x.variables, x.factor * y)
    if isinstance(x, Log):
        return log(power(x.argument, y))
    if isinstance(x, Exponential) and not x.is_log and y > 0:
        return Exponential(x.time, x.factor * y, x.power)
    if y == -1:
        return negative(x)
    no_rule(f"the {y}-fold", x)


def product_of(factors: Sequence[Any]) -> Any:
    """The product of affine forms without an offset, and products."""
    variables: list[Any] = []
    factor = Fraction(1)
    # a product grows by single numbers, on whichever side a program writes them; a number that was
    # compared has to be its first
    for each in sorted(factors, key=_is_later_factor):
        if isinstance(each, Product):
            variables += each.variables
            factor *= each.factor
        elif isinstance(each, Affine) and each.offset == 0 and each.slope > 0:
            variables.append(each.variable)
            factor *= each.slope
        else:
            no_rule("the product", *factors)
    chain = variables[0].chain or Chain(variables[0])
    chain.extend(variables)
    return Product(tuple(variables), factor)


def _is_later_factor(factor: Any) -> int:
    if isinstance(factor, Product):
        return 0
    return 2 if isinstance(factor, Affine) and factor.variable.is_fresh else 1


def reciprocal(x: Any) -> Any:
    """1 / x."""
    return divide(Fraction(1), x)


def divide(x: Any, y: Any) -> Any:
    """x / y, with the floats' rules for a 0 below."""
    if type(x) is Fraction and type(y) is Fraction and y:
        return x / y
    x, y = as_time(decided(x)), as_time(decided(y))
    if is_plain(x) and is_plain(y):
        return quotient(x, y)
    if isinstance(y, Fraction):
        if y == 0:
            no_rule("division by 0", x)
        return multiply(x, 1 / y)
    if isinstance(y, Exponential) and not y.is_log:
        return multiply(Exponential(y.time, 1 / y.factor, -y.power), x)
    no_rule("the quotient", x, y)


def log(x: Any) -> Any:
    """The natural logarithm, kept as one: exp(log(x)) is x again."""
    x = as_time(decided(x))
    if isinstance(x, Fraction):
        return Log(x) if x > 0 else -INFINITY if x == 0 else NAN
    if isinstance(x, float):
        return x if x == INFINITY else NAN
    if isinstance(x, Affine) and min(x.offset, x.offset + x.slope) >= 0:
        return LogAffine(x)
    if isinstance(x, Exponential) and not x.is_log:
        return Exponential(x.time, x.factor, x.power, is_log=True)
    no_rule("the logarithm", x)


def exp(x: Any) -> Any:
    """e to the x."""
    x = decided(x)
    if isinstance(x, Fraction):
        return rational_exp(x)
    if isinstance(x, float):
        return Fraction(0) if x == -INFINITY else x
    if isinstance(x, Log):
        return x.argument
    if isinstance(x, LogAffine) and not x.is_negative:
        return x.inner
    if isinstance(x, Exponential) and x.is_log:
        return Exponential(x.time, x.factor, x.power)
    no_rule("exp", x)


def square_root(x: Any) -> Any:
    """The square root of a rational that is a square; others to 60 digits."""
    x = decided(x)
    if isinstance(x, float):
        return x if x > 0 or math.isnan(x) else NAN
    if not isinstance(x, Fraction):
        no_rule("the square root", x)
    if x <= 0:
        return Fraction(0) if x == 0 else NAN
    above, below = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if above * above == x.numerator and below * below == x.denominator:
        return Fraction(above, below)
    return power(x, Fraction(1, 2))


def to_power(x: Any, y: Any) -> Any:
    """x to the power y, for plain x and y, x at least 0."""
    x, y = decided(x), decided(y)
    if not (isinstance(x, Fraction) and isinstance(y, Fraction)):
        no_rule("the power", x, y)
    if x == 0:
        return Fraction(1) if y == 0 else Fraction(0) if y > 0 else INFINITY
    if x < 0 and y.denominator != 1:
        return NAN
    return power(x, y)
