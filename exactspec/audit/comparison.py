"""Comparisons of values: a truth value, or one that is decided when somebody looks."""

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from exactspec.audit.arithmetic import as_time, decided, negative, no_rule, subtract
from exactspec.audit.plain import rational_exp
from exactspec.audit.symbols import (
    INFINITY,
    TINY,
    Affine,
    Exponential,
    Log,
    LogAffine,
    Product,
    is_plain,
    race,
)
from exactspec.audit.world import Deferred, current

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def compare(name: str, x: Any, y: Any) -> Any:
    """Whether ``x name y``, for a name as ``lt`` or ``ge``: a bool, or a ``Deferred`` one."""
    x, y = decided(x), decided(y)
    if _is_minus_log(x) != _is_minus_log(y) and not isinstance(
        x if _is_minus_log(y) else y, Exponential
    ):
        return compare(_MIRRORED[name], negative(x), negative(y))
    x, y = as_time(x), as_time(y)
    if isinstance(x, Log | LogAffine) or isinstance(y, Log | LogAffine):
        x, y = _without_logarithms(x, y)
    if is_plain(x) and is_plain(y):
        return OPERATORS[name](x, y)
    if is_plain(x):
        return compare(_MIRRORED[name], y, x)
    if isinstance(x, Affine):
        return _compare_affine(name, x, y)
    if isinstance(x, Product) and is_plain(y):
        return _compare_product(name, x, y)
    if isinstance(x, Exponential):
        return _compare_time(name, x, y)
    no_rule("a comparison", x, y)


def _is_minus_log(x: Any) -> bool:
    return isinstance(x, LogAffine) and x.is_negative


def _without_logarithms(x: Any, y: Any) -> tuple[Any, Any]:
    """Both sides' exponentials: the order is the same."""

    def exponential(value: Any) -> Any:
        if isinstance(value, Log):
            return value.argument
        if isinstance(value, LogAffine) and not value.is_negative:
            return value.inner
        if isinstance(value, Fraction):
            return rational_exp(value)
        if isinstance(value, float):
            return Fraction(0) if value == -INFINITY else value
        if isinstance(value, Exponential) and value.is_log:
            return Exponential(value.time, value.factor, value.power)
        no_rule("a comparison", x, y)

    # exp(-inf) is 0, which log(0) would equal; a logarithm of a uniform number is above it
    return exponential(x), exponential(y)


def _compare_affine(name: str, x: Affine, y: Any) -> Any:
    if isinstance(y, float):
        return OPERATORS[name](0.0, y)
    if isinstance(y, Affine):
        return compare(name, subtract(x, y), Fraction(0))
    if not isinstance(y, Fraction):
        no_rule("a comparison", x, y)
    bound, variable = (y - x.offset) / x.slope, x.variable
    if x.slope < 0:
        name = _MIRRORED[name]
    if name in ("eq", "ne"):
        return Deferred(lambda: _is_at(variable, bound) == (name == "eq"))
    is_below, inclusive = name in ("lt", "le"), name in ("le", "gt")
    return Deferred(lambda: variable.is_below(bound, inclusive=inclusive) == is_below)


def _is_at(variable: Any, bound: Fraction) -> bool:
    up_to = variable.is_below(bound, inclusive=True)
    return bool(up_to and not variable.is_below(bound, inclusive=False))


def _compare_product(name: str, x: Product, y: Fraction | float) -> Any:
    if isinstance(y, float):
        return OPERATORS[name](0.0, y)
    if name in ("eq", "ne"):
        return name == "ne"
    chain, length, bound = x.variables[0].chain, len(x.variables), y / x.factor
    if chain is None:
        no_rule("a comparison", x, y)
    return Deferred(lambda: chain.is_below(length, bound) == (name in ("lt", "le")))


def _compare_time(name: str, x: Exponential, y: Any) -> Any:
    """Which of two times comes first is a race between them; each is positive and finite."""
    if is_plain(y) and (isinstance(y, float) or (y <= 0 and not x.is_log)):
        return OPERATORS[name](1.0 if not x.is_log else 0.0, float(y))
    if not isinstance(y, Exponential) or x.is_log != y.is_log or x.power != y.power:
        no_rule("a comparison", x, y)
    if x.time is y.time:
        return OPERATORS[name](x.factor, y.factor)
    if name in ("eq", "ne"):
        return name == "ne"
    is_least = (name in ("lt", "le")) == (x.power == 1)
    weights = (x.factor, y.factor) if x.power == -1 else (1 / x.factor, 1 / y.factor)
    return Deferred(lambda: (race((x.time, y.time), weights).look() == 0) == is_least)


def holds(truth: Any) -> bool:
    """A truth value, decided now."""
    return bool(truth.look() if isinstance(truth, Deferred) else truth)


def clamp(x: Any, least: Any, most: Any) -> Any:
    """x brought between two plain values, each of which may be None."""
    x = as_time(decided(x))
    if is_plain(x) or isinstance(x, Log):
        if least is not None and holds(compare("lt", x, least)):
            return least
        return most if most is not None and holds(compare("gt", x, most)) else x
    return _clamped_noise(x, least, most)


def _clamped_noise(x: Any, least: Any, most: Any) -> Any:
    """Noise with tiny bounds that keep a program's logarithm finite: taken for the noise itself."""
    low, high, unit = _range(x)
    moved = Fraction(0)
    for bound, is_least in ((least, True), (most, False)):
        if bound is None or bound == (-INFINITY if is_least else INFINITY):
            continue
        if unit == 0 or not isinstance(bound, Fraction):
            no_rule("a bound", x, bound)
        inside = (bound - low if is_least else high - bound) / unit
        if inside > (0 if isinstance(x, Product) else TINY):
            no_rule("a bound", x, bound)
        moved += max(Fraction(0), inside)
    if moved:
        current().idealise("a tiny bound of a random number taken for none", moved)
    return x


def _range(x: Any) -> tuple[Any, Any, Fraction]:
    """Where noise lies, and how long the part of it is that has about the probability 1; 0 for unknown."""
    if isinstance(x, Affine):
        low, high = sorted((x.offset, x.offset + x.slope))
        return low, high, abs(x.slope)
    if isinstance(x, Product):
        return Fraction(0), x.factor, x.factor
    if isinstance(x, Exponential) and not x.is_log:
        return Fraction(0), INFINITY, x.factor
    return -INFINITY, INFINITY, Fraction(0)


def smaller(x: Any, y: Any) -> Any:
    """The minimum of two values, of which one is plain or a logarithm."""
    if is_plain(as_time(decided(x))):
        x, y = y, x
    return clamp(x, None, decided(y))


def larger(x: Any, y: Any) -> Any:
    """The maximum of two values, of which one is plain or a logarithm."""
    if is_plain(as_time(decided(x))):
        x, y = y, x
    return clamp(x, decided(y), None)


def position_of_best(values: Sequence[Any], *, largest: bool) -> Any:
    """The position of the largest (or least) value: an int, or a draw where times race for it.

    The first of equal ones wins, as it does in the libraries.
    """
    values = [as_time(decided(value)) for value in values]
    times = [i for i, value in enumerate(values) if isinstance(value, Exponential)]
    rest = [i for i in range(len(values)) if i not in times]
    if not times:
        return _best_of_known(values, largest)
    contestants = [values[i] for i in times]
    if any(not _loses(values[i], contestants[0], largest) for i in rest):
        no_rule("the best", *values)
    if any((c.power == -1) != largest or c.is_log != contestants[0].is_log for c in contestants):
        no_rule("the best of the wrong end", *values)
    weights = [c.factor if largest else 1 / c.factor for c in contestants]
    if len(times) == 1:
        return times[0]
    winner = race([c.time for c in contestants], weights)
    if times == list(range(len(times))):
        return winner
    return Deferred(lambda: times[winner.look()])


def _best_of_known(values: Sequence[Any], largest: bool) -> int:
    best = 0
    for i in range(1, len(values)):
        if _is_nan(values[best]):
            break
        if _is_nan(values[i]) or holds(compare("gt" if largest else "lt", values[i], values[best])):
            best = i
    return best


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _loses(value: Any, to: Exponential, largest: bool) -> bool:
    """Whether a value loses surely against any positive, finite time (or any logarithm of one)."""
    if not is_plain(value):
        return False
    if largest:
        return bool(value == -INFINITY or (not to.is_log and value <= 0))
    return bool(value == INFINITY)


def ordered(values: Sequence[Any], *, descending: bool) -> list[int]:
    """The positions of values without noise in order; equal ones as they stand."""

    def order(i: int, j: int) -> int:
        if holds(compare("lt", values[i], values[j])):
            return 1 if descending else -1
        return int(holds(compare("gt", values[i], values[j]))) * (-1 if descending else 1)

    return sorted(range(len(values)), key=cmp_to_key(order))
