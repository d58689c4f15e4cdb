"""What the interpreter does for each operation of a kernel, on blocks of cells as well."""

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from math import prod
from typing import Any

import numpy as np
import triton.language as tl
from triton.runtime import interpreter

from exactspec.audit.arithmetic import divide, no_rule, square_root
from exactspec.audit.comparison import larger, smaller
from exactspec.audit.numbers import Rational, Unknown, python_number, value_behind
from exactspec.audit.sources.arrays.elementwise import EXACT, TRUTHS
from exactspec.audit.sources.arrays.tokens import Token
from exactspec.audit.sources.kernels.cells import (
    Handle,
    array_of,
    block,
    by_lanes,
    cells_of,
    filled,
    holds_cells,
    is_whole,
    settled,
)
from exactspec.audit.sources.kernels.extremes import compared
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.world import Deferred

Builder = interpreter.InterpreterBuilder
_NAMES = {
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
}


def _on_values(rule: Callable[..., Any], count: int) -> Any:
    """A rule for values as NumPy's function of cells."""
    return np.frompyfunc(lambda *cells: python_number(rule(*map(value_behind, cells))), count, 1)


def _known_side(rule: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A maximum or minimum that passes over what is no number, as the hardware's does."""

    def call(x: Any, y: Any) -> Any:
        for value, other in ((x, y), (y, x)):
            if isinstance(value, float) and np.isnan(value):
                return other
        return rule(x, y)

    return call


def _comparison(name: str) -> Any:
    return np.frompyfunc(lambda x, y: compared(name, value_behind(x), value_behind(y)), 2, 1)


_RULES: dict[str, Any] = {
    **EXACT,
    **{name: _comparison(short) for name, short in _NAMES.items()},
    "fmax": _on_values(_known_side(larger), 2),
    "fmin": _on_values(_known_side(smaller), 2),
}
_MULTIPLY_ADD = np.frompyfunc(lambda x, y, z: x * y + z, 3, 1)
_RECIPROCAL_ROOT = _on_values(lambda x: divide(Fraction(1), square_root(x)), 1)


def binary_op(real: Any, self: Any, lhs: Any, rhs: Any, op: Any) -> Any:
    """A function of two blocks."""
    if is_whole(lhs.dtype) and is_whole(rhs.dtype):
        if op in (np.add, np.subtract) and _may_stay_open(rhs, op):
            return block(array_of(_SHIFTS[op](cells_of(lhs), cells_of(rhs))), lhs.dtype)
        return real(self, settled(lhs, op.__name__), settled(rhs, op.__name__), op)
    rule = _RULES.get(op.__name__)
    if rule is None:
        return real(self, settled(lhs, op.__name__), settled(rhs, op.__name__), op)
    found = by_lanes(rule, op, lhs, rhs)
    if op.__name__ in TRUTHS:
        return Handle(found.astype(bool), lhs.dtype.scalar)
    return block(found, lhs.dtype)


def _may_stay_open(rhs: Any, op: Any) -> bool:
    """Whether a sum is one that an open position may be moved by."""
    return op is np.add or not holds_cells(rhs)


def _shift(sign: int) -> Any:
    def moved(x: Any, y: Any) -> Any:
        if not (isinstance(x, Token) or isinstance(y, Token)):
            return x + sign * y
        return Token(Deferred(lambda: int(x) + sign * int(y)))

    return np.frompyfunc(moved, 2, 1)


_SHIFTS = {np.add: _shift(1), np.subtract: _shift(-1)}


def unary_op(real: Any, self: Any, arg: Any, op: Any) -> Any:
    """A function of one block."""
    rule = _RULES.get(op.__name__)
    if rule is None or is_whole(arg.dtype):
        return real(self, settled(arg, op.__name__), op)
    return block(by_lanes(rule, op, arg), arg.dtype)


def ternary_op(real: Any, self: Any, lhs: Any, rhs: Any, other: Any, op: Any) -> Any:
    """A choice between two blocks by truth values, or bounds of a block."""
    if op is np.where:
        chosen = np.where(settled(lhs, "a choice").data, cells_of(rhs), cells_of(other))
        return block(chosen, other.dtype)
    bounded = self.binary_op(self.binary_op(lhs, rhs, np.fmax), other, np.fmin)
    return Handle(bounded.data, other.dtype.scalar)


def cast_impl(real: Any, self: Any, src: Any, dst_type: Any) -> Any:
    """Another type. Exact and random numbers are the same in every type of float."""
    kind = dst_type.scalar
    if kind == tl.int1 and not is_whole(src.dtype):
        return self.binary_op(src, Handle(np.zeros(1, dtype=np.float32), tl.float32), np.not_equal)
    if is_whole(kind) and not is_whole(src.dtype):
        return block(filled(src.data.shape, map(_toward_zero, src.data.flat)), kind)
    if is_whole(kind) and kind != tl.int1:
        return Handle(src.data, kind)
    if is_whole(src.dtype):
        return real(self, settled(src, "a conversion"), dst_type)
    return Handle(src.data, kind)


def _toward_zero(each: Any) -> Any:
    return int(each)


def fp_to_fp(real: Any, self: Any, src: Any, dst_type: Any, rounding_mode: Any) -> Any:
    """Another type of float."""
    return Handle(src.data, dst_type.scalar)


def splat(real: Any, self: Any, ret_ty: Any, arg: Any) -> Any:
    """One element everywhere."""
    shape = tuple(map(int, ret_ty.shape))
    return Handle(filled(shape, [arg.data.flat[0]] * prod(shape)), arg.dtype.scalar)


def unsplat(real: Any, self: Any, arg: Any) -> Any:
    """The element of a block that has one."""
    return Handle(filled((1,), [arg.data.flat[0]]), arg.dtype.scalar)


def fma(real: Any, self: Any, x: Any, y: Any, z: Any) -> Any:
    """x y + z."""
    return self.create_fadd(self.create_fmul(x, y), z)


def fabs(real: Any, self: Any, arg: Any) -> Any:
    """The absolute value."""
    return block(array_of(EXACT["absolute"](arg.data)), arg.dtype)


def rsqrt(real: Any, self: Any, arg: Any) -> Any:
    """One over the square root."""
    return block(array_of(_RECIPROCAL_ROOT(arg.data)), arg.dtype)


def gather(real: Any, self: Any, src: Any, indices: Any, axis: Any) -> Any:
    """The elements at some positions along an axis, which are decided."""
    return real(self, src, settled(indices, "a gather"), axis)


def bitcast(real: Any, self: Any, src: Any, dst_type: Any) -> Any:
    """The same bits as another type: of whole numbers only."""
    if not is_whole(src.dtype):
        no_rule(
            "the bits",
            *(value_behind(c) for c in src.data.flat if isinstance(c, Unknown | Rational)),
        )
    return real(self, settled(src, "the bits"), dst_type)


def _settling(name: str) -> Callable[..., Any]:
    """An operation that is given plain numbers, or refused."""
    what = name.removeprefix("create_")

    def call(real: Any, self: Any, *arguments: Any) -> Any:
        return real(self, *(settled(each, what) for each in arguments))

    return call


_WITH_CELLS: dict[str, Callable[..., Any]] = {
    "binary_op": binary_op,
    "unary_op": unary_op,
    "ternary_op": ternary_op,
    "cast_impl": cast_impl,
    "create_fp_to_fp": fp_to_fp,
    "create_splat": splat,
    "create_unsplat": unsplat,
    "create_fma": fma,
    "create_fabs": fabs,
    "create_rsqrt": rsqrt,
    "create_gather": gather,
    "create_bitcast": bitcast,
    "create_int_to_ptr": bitcast,
    "create_ptr_to_int": bitcast,
    **{
        name: _settling(name)
        for name in (
            *("create_idiv", "create_ashr", "create_umulhi", "create_erf", "create_addptr"),
            *("create_dot", "create_dot_scaled", "create_histogram", "create_assert"),
        )
    },
}


def _where_cells_are(name: str, with_cells: Callable[..., Any]) -> Callable[..., Any]:
    """The interpreter's own method, but for blocks of cells ours."""
    real = getattr(Builder, name)

    @wraps(real)
    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        if not any(map(holds_cells, arguments)):
            return real(self, *arguments, **options)
        with following(name):
            return with_cells(real, self, *arguments, **options)

    return method


METHODS: dict[str, Any] = {
    name: _where_cells_are(name, rule)
    for name, rule in _WITH_CELLS.items()
    if hasattr(Builder, name)
}
