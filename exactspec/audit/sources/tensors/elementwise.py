"""Operations that act on each element by itself."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import torch

from exactspec.audit import arithmetic, comparison
from exactspec.audit.arithmetic import add, decided, divide, exp, log, multiply, no_rule, subtract
from exactspec.audit.comparison import OPERATORS, compare
from exactspec.audit.numbers import Unknown
from exactspec.audit.sources.tensors.counts import Count
from exactspec.audit.sources.tensors.shadows import Shadows
from exactspec.audit.symbols import Affine, Log, is_discrete, is_plain
from exactspec.audit.world import Deferred

_ONE = Fraction(1)


def _whole(function: Callable[[Any], int]) -> Callable[[Any], Any]:
    """A function from a number to a whole one."""

    def call(x: Any) -> Any:
        if isinstance(x, Affine) and function is math.floor:
            return Fraction(math.floor(Unknown(x)))
        if not is_plain(x):
            no_rule(f"the {function.__name__}", x)
        return x if isinstance(x, float) else Fraction(function(x))

    return call


def _absolute(x: Any) -> Any:
    if isinstance(x, Affine) and min(x.offset, x.offset + x.slope) >= 0:
        return x
    if isinstance(x, Log):
        return Log(max(x.argument, 1 / x.argument))
    return abs(x) if is_plain(x) else no_rule("the absolute value", x)


def _sign(x: Any) -> Any:
    return Fraction((x > 0) - (x < 0)) if is_plain(x) else no_rule("the sign", x)


def _floor_quotient(x: Any, y: Any) -> Any:
    return _whole(math.floor)(divide(x, y))


def _remainder(x: Any, y: Any) -> Any:
    return subtract(x, multiply(y, _floor_quotient(x, y)))


UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": arithmetic.negative,
    "log": log,
    "exp": exp,
    "log1p": lambda x: log(add(_ONE, x)),
    "expm1": lambda x: subtract(exp(x), _ONE),
    "reciprocal": arithmetic.reciprocal,
    "sqrt": arithmetic.square_root,
    "rsqrt": lambda x: arithmetic.reciprocal(arithmetic.square_root(x)),
    "square": lambda x: multiply(x, x),
    "sigmoid": lambda x: arithmetic.reciprocal(add(_ONE, exp(arithmetic.negative(x)))),
    "relu": lambda x: comparison.clamp(x, Fraction(0), None),
    "abs": _absolute,
    "sign": _sign,
    "sgn": _sign,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": _whole(round),
    "isnan": lambda x: isinstance(x, float) and math.isnan(x),
    "isinf": lambda x: isinstance(x, float) and math.isinf(x),
    "isfinite": lambda x: not isinstance(x, float),
    "isposinf": lambda x: isinstance(x, float) and x == math.inf,
    "isneginf": lambda x: isinstance(x, float) and x == -math.inf,
    "signbit": lambda x: comparison.holds(compare("lt", x, Fraction(0))),
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": add,
    "sub": subtract,
    "rsub": lambda x, y: subtract(y, x),
    "mul": multiply,
    "div": divide,
    "pow": arithmetic.to_power,
    "floor_divide": _floor_quotient,
    "remainder": _remainder,
    "minimum": comparison.smaller,
    "maximum": comparison.larger,
    "fmin": comparison.smaller,
    "fmax": comparison.larger,
    "clamp_min": comparison.larger,
    "clamp_max": comparison.smaller,
}


def _negation(x: Any) -> Any:
    if isinstance(x, Deferred) or is_discrete(x):
        return Deferred(lambda: not x.look())
    return not x


def _truth(x: Any) -> bool:
    return bool(x.look() if is_discrete(x) else x)


LOGICAL: dict[str, Callable[[Any, Any], Any]] = {
    "and": lambda x, y: Deferred(lambda: _truth(x) and _truth(y)),
    "or": lambda x, y: Deferred(lambda: _truth(x) or _truth(y)),
}


def compared(name: str, x: Any, y: Any) -> Any:
    """A comparison; one with a count looks no further than it must."""
    if isinstance(x, Count) and isinstance(y, Fraction):
        return x.compared(name, y)
    return compare(name, x, y)


def _is_bool(argument: Any) -> bool:
    return isinstance(argument, bool) or getattr(argument, "dtype", None) == torch.bool


def lazy_rule(name: str, arguments: Any) -> Callable[..., Any] | None:
    """The rule of an operation on tokens and truth values that decides none of them."""
    if name in OPERATORS:
        return lambda x, y: compared(name, x, y)
    kind, _, logic = name.rpartition("_")
    is_bool = kind == "logical" or (kind == "bitwise" and all(map(_is_bool, arguments)))
    if not is_bool:
        return None
    return _negation if logic == "not" else LOGICAL.get(logic)


def rule(name: str, arguments: Any, options: dict[str, Any]) -> Callable[..., Any] | None:
    """The rule of an operation on decided elements, for as many arguments as it takes."""
    if name in UNARY:
        return UNARY[name] if len(arguments) == 1 and not options else None
    operation = BINARY.get(name)
    if operation is None:
        return None
    return _with_options(name, operation, arguments, options)


def _with_options(
    name: str, operation: Callable[..., Any], arguments: Any, options: dict[str, Any]
) -> Callable[..., Any] | None:
    """A binary operation with its option: a factor, or what the quotient is rounded to."""
    factor = options.get("alpha", arguments[2] if len(arguments) > 2 and name != "div" else 1)
    if factor != 1:
        scale = Fraction(factor)
        if name == "rsub":
            return lambda x, y: subtract(y, multiply(scale, x))
        return lambda x, y: operation(x, multiply(scale, y))
    rounding = options.get("rounding_mode")
    if rounding is None:
        return operation
    whole = _whole(math.floor if rounding == "floor" else math.trunc)
    return lambda x, y: whole(divide(x, y))


def apply(
    shadows: Shadows,
    function: Callable[..., Any],
    arguments: Any,
    out: Any,
    *,
    is_stored: bool = False,
) -> None:
    """Fill a result with the function's values."""
    columns = [shadows.values(argument, out.shape) for argument in arguments]
    values = [function(*column) for column in zip(*columns, strict=True)]
    shadows.write(out, values, is_stored=is_stored)


def converted(value: Any, kind: Any) -> Any:
    """A value as an element of a tensor of another type."""
    if kind.is_floating_point:
        return value
    if kind == torch.bool:
        if is_discrete(value):
            return Deferred(lambda: bool(value.look()))
        return compare("ne", value, Fraction(0))
    if is_discrete(value) or isinstance(value, float):
        return value
    if isinstance(value, Fraction):
        return Fraction(int(value))
    return Deferred(lambda: int(Unknown(decided(value))))
