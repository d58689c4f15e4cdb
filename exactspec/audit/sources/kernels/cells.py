"""Blocks of a kernel whose elements are more than floats: NumPy arrays of objects, named cells here.

A cell is a plain number, an exact one (``Rational``), a random one (``Unknown``), or a position that is
not decided yet (``Token``). The interpreter keeps a block in a ``TensorHandle``: an array, and the type
that its elements have in the kernel.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import triton.language as tl
from triton.runtime import interpreter

from exactspec.audit.arithmetic import no_rule
from exactspec.audit.numbers import Rational, Unknown, value_behind
from exactspec.audit.sources.arrays.elementwise import nearest_float
from exactspec.audit.sources.arrays.tokens import Token
from exactspec.audit.symbols import Log
from exactspec.audit.world import call_site, current

Handle = interpreter.TensorHandle
STAND_INS = (Unknown, Rational, Token)
_cast = interpreter.InterpreterBuilder.cast_impl


def holds_cells(handle: Any) -> bool:
    """Whether a block is one of cells."""
    return isinstance(handle, Handle) and handle.data.dtype == object


def is_whole(kind: Any) -> bool:
    """Whether a type of Triton's is one of whole numbers or truth values."""
    return bool(kind.scalar.is_int())


def cells_of(handle: Any) -> Any:
    """The elements of any block as an array of objects."""
    if handle.data.dtype == object:
        return handle.data
    if handle.dtype.scalar.is_floating() and handle.data.dtype.kind == "u":
        # the narrow floats that NumPy has no type for lie there as their bits
        handle = _cast(interpreter.interpreter_builder, handle, tl.float32)
    return handle.data.astype(object)


def filled(shape: Any, cells: Iterable[Any]) -> Any:
    """An array of objects with these elements, in order."""
    array = np.empty(shape, dtype=object)
    flat = array.reshape(-1)
    for place, each in enumerate(cells):
        flat[place] = each
    return array


def array_of(found: Any) -> Any:
    """What a function of NumPy's gives, which for arrays without dimensions is an element."""
    return found if isinstance(found, np.ndarray) else filled((), [found])


def block(data: Any, kind: Any) -> Any:
    """A block of these elements: of plain numbers where no element is more than that."""
    if data.dtype == object and not stands_in(data).any():
        return plain_block(data, kind)
    return Handle(data, kind.scalar)


def plain_block(data: Any, kind: Any) -> Any:
    """A block of plain numbers in the type that the interpreter keeps them in."""
    scalar = kind.scalar
    stored = interpreter._get_np_dtype(scalar)
    if scalar.is_floating() and stored.kind == "u":
        as_float32 = Handle(data.astype(np.float32), tl.float32)
        return _cast(interpreter.interpreter_builder, as_float32, scalar)
    if stored.kind == "f":
        return Handle(data.astype(np.float64).astype(stored), scalar)
    return Handle(data.astype(stored), scalar)


def by_lanes(rule: Any, real: Any, *handles: Any) -> Any:
    """A function of blocks of floats: a rule where an element is more than a float, else the real one."""
    kind = interpreter._get_np_dtype(handles[0].dtype.scalar)
    stored = kind if kind.kind == "f" else np.dtype(np.float32)
    columns = np.broadcast_arrays(*map(cells_of, handles))
    is_more = np.any([stands_in(column) for column in columns], axis=0)
    found = np.empty(is_more.shape, dtype=object)
    with np.errstate(all="ignore"):
        floats = real(*(c[~is_more].astype(np.float64).astype(stored) for c in columns))
    found[~is_more] = floats.astype(object)
    found[is_more] = rule(*(column[is_more] for column in columns))
    return found


def stands_in(cells: Any) -> Any:
    """Which elements are more than plain numbers."""
    return array_of(_stands_in(cells)).astype(bool)


_stands_in = np.frompyfunc(lambda cell: isinstance(cell, STAND_INS), 1, 1)


def settled(handle: Any, what: str) -> Any:
    """A block as one of plain numbers: open positions are decided, exact numbers become floats.

    Args:
        handle: the block.
        what: the operation that needs plain numbers; random ones are refused it.
    """
    if not holds_cells(handle):
        return handle
    return plain_block(
        filled(handle.data.shape, (_plain(c, what) for c in handle.data.flat)), handle.dtype
    )


def _plain(each: Any, what: str) -> Any:
    if isinstance(each, Token):
        return int(each)
    if not isinstance(each, Unknown | Rational):
        return each
    if isinstance(each, Unknown) and not isinstance(each.value, Log):
        no_rule(what, value_behind(each))
    current().round_off(f"{what} at {call_site()}")
    return nearest_float(each)
