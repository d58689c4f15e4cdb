"""NumPy's elementwise functions on an audit's numbers: each with the exact rule of the same name."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from exactspec.audit.arithmetic import (
    add,
    divide,
    exp,
    log,
    multiply,
    negative,
    no_rule,
    reciprocal,
    square_root,
    subtract,
    to_power,
)
from exactspec.audit.comparison import OPERATORS, clamp, compare, holds, larger, smaller
from exactspec.audit.numbers import python_number, value_behind
from exactspec.audit.symbols import Log, is_plain

_COMPARISONS = {
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
}


def _absolute(value: Any) -> Any:
    return abs(value) if is_plain(value) else no_rule("the absolute value", value)


def _floor(value: Any) -> Any:
    return Fraction(math.floor(python_number(value))) if not isinstance(value, float) else value


def _ceil(value: Any) -> Any:
    return negative(_floor(negative(value)))


def _sign(value: Any) -> Any:
    if isinstance(value, float) and math.isnan(value):
        return value
    is_above, is_below = (holds(compare(name, value, Fraction(0))) for name in ("gt", "lt"))
    return Fraction(is_above - is_below)


def _with_nan(rule: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A maximum or minimum as NumPy has it: not a number where one side is none."""

    def call(x: Any, y: Any) -> Any:
        for value in (x, y):
            if isinstance(value, float) and math.isnan(value):
                return value
        return rule(x, y)

    return call


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float)


def _comparison(name: str) -> Callable[[Any, Any], bool]:
    return lambda x, y: holds(compare(name, x, y))


def _is_true(value: Any) -> bool:
    return holds(compare("ne", value, Fraction(0)))


_NUMBERS: dict[str, tuple[int, Callable[..., Any], Any]] = {
    "add": (2, add, 0),
    "subtract": (2, subtract, None),
    "multiply": (2, multiply, 1),
    "divide": (2, divide, None),
    "power": (2, to_power, None),
    "float_power": (2, to_power, None),
    "maximum": (2, _with_nan(larger), None),
    "minimum": (2, _with_nan(smaller), None),
    "clip": (3, clamp, None),
    "negative": (1, negative, None),
    "positive": (1, lambda x: x, None),
    "absolute": (1, _absolute, None),
    "log": (1, log, None),
    "log1p": (1, lambda x: log(add(x, Fraction(1))), None),
    "exp": (1, exp, None),
    "expm1": (1, lambda x: subtract(exp(x), Fraction(1)), None),
    "sqrt": (1, square_root, None),
    "square": (1, lambda x: multiply(x, x), None),
    "reciprocal": (1, reciprocal, None),
    "floor": (1, _floor, None),
    "ceil": (1, _ceil, None),
    "sign": (1, _sign, None),
}
_TRUTHS: dict[str, tuple[int, Callable[..., Any], Any]] = {
    **{name: (2, _comparison(short), None) for name, short in _COMPARISONS.items()},
    "isnan": (1, _is_nan, None),
    "isinf": (1, _is_infinite, None),
    "isfinite": (1, _is_finite, None),
    "logical_not": (1, lambda x: not _is_true(x), None),
    "logical_and": (2, lambda x, y: _is_true(x) and _is_true(y), True),
    "logical_or": (2, lambda x, y: _is_true(x) or _is_true(y), False),
}
assert set(_COMPARISONS.values()) == set(OPERATORS)


def _on_numbers(rule: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *numbers: python_number(rule(*map(value_behind, numbers)))


def _on_truths(rule: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *numbers: bool(rule(*map(value_behind, numbers)))


EXACT: dict[str, Any] = {
    name: np.frompyfunc(wrap(rule), count, 1, identity=identity)
    for rules, wrap in ((_NUMBERS, _on_numbers), (_TRUTHS, _on_truths))
    for name, (count, rule, identity) in rules.items()
}
TRUTHS = frozenset(_TRUTHS)


def nearest_float(number: Any) -> float:
    """A known number as a float, for a function without an exact rule."""
    value = value_behind(number)
    if isinstance(value, Log):
        return math.log(value.argument)
    return float(value) if is_plain(value) else no_rule("the float", value)
