"""Reductions and scans of a kernel's blocks of cells."""

from typing import Any

import numpy as np
import triton.language as tl
from triton.runtime import interpreter

from exactspec.audit.sources.arrays.elementwise import EXACT
from exactspec.audit.sources.kernels.cells import (
    STAND_INS,
    array_of,
    block,
    filled,
    holds_cells,
    is_whole,
    settled,
    stands_in,
)
from exactspec.audit.sources.kernels.extremes import best
from exactspec.audit.sources.tensors.following import following

_reduce, _scan = interpreter.ReduceOps.apply_impl, interpreter.ScanOps.apply_impl
_to_tensor = interpreter.ReduceScanOpInterface.to_tensor
_BEST = {
    "_argmax_combine_tie_break_left": (True, True),
    "_argmax_combine_tie_break_fast": (True, True),
    "_argmin_combine_tie_break_left": (False, True),
    "_argmin_combine_tie_break_fast": (False, True),
    "_elementwise_max": (True, False),
    "_elementwise_min": (False, False),
}
_KINDS: dict[Any, tuple[bool, bool]] = {
    getattr(tl.standard, name): kind for name, kind in _BEST.items() if hasattr(tl.standard, name)
}


def reduce(self: Any, given: Any) -> Any:
    """What a block comes to along an axis, or all of it."""
    given = _settled(given)
    if not holds_cells(given[0].handle):
        return _reduce(self, given)
    with following("a reduction"):
        if self.combine_fn in _KINDS:
            return _best(self, given[0], *_KINDS[self.combine_fn])
        if self.combine_fn is tl.standard._sum_combine:
            return _total(self, given[0])
    return _reduce(self, given)


def _settled(given: Any) -> Any:
    """Blocks of whole numbers and truth values decided: they are counted, or compared."""
    return tuple(
        _tensor(settled(each.handle, "a reduction"), each) if _is_open(each) else each
        for each in given
    )


def _is_open(each: Any) -> bool:
    return holds_cells(each.handle) and is_whole(each.handle.dtype)


def _tensor(handle: Any, like: Any) -> Any:
    return tl.core.tensor(handle, like.type)


def _total(self: Any, given: Any) -> Any:
    data = given.handle.data
    rows, rest = _rows(self, data)
    totals = [_sum(row, stands_in(row)) for row in rows]
    return self.to_tensor(_shaped(self, filled(rest, totals), data), given.dtype)


def _sum(row: Any, is_more: Any) -> Any:
    plain = float(row[~is_more].astype(np.float64).sum())
    return EXACT["add"].reduce(row[is_more]) + plain if is_more.any() else plain


def _rows(self: Any, data: Any) -> tuple[Any, tuple[int, ...]]:
    """The rows along the axis, and the shape of what is left."""
    along = data.reshape(1, -1) if self.axis is None else np.moveaxis(data, self.axis, -1)
    return along.reshape(-1, along.shape[-1]), () if self.axis is None else along.shape[:-1]


def _best(self: Any, given: Any, largest: bool, with_position: bool) -> Any:
    data = given.handle.data
    rows, rest = _rows(self, data)
    pairs = [best(row, largest=largest) for row in rows]
    numbers, positions = (
        _shaped(self, filled(rest, column), data) for column in zip(*pairs, strict=True)
    )
    value = self.to_tensor(numbers, given.dtype)
    return (value, self.to_tensor(positions, tl.int32)) if with_position else value


def _shaped(self: Any, found: Any, data: Any) -> Any:
    """A result in its shape, with the axis kept where that is asked for."""
    found = array_of(found)
    if not self.keep_dims:
        return found
    return (
        found.reshape((1,) * data.ndim) if self.axis is None else np.expand_dims(found, self.axis)
    )


def scan(self: Any, given: Any) -> Any:
    """Running sums, products, or what a kernel's own function makes of a block along an axis."""
    return _scan(self, _settled(given))


def to_tensor(self: Any, ret: Any, dtype: Any) -> Any:
    """A result as a block of the kernel."""
    if isinstance(ret, STAND_INS):
        ret = filled((), [ret])
    if not (isinstance(ret, np.ndarray) and ret.dtype == object):
        return _to_tensor(self, ret, dtype)
    shape = ret.shape
    handle = block(ret if shape else ret.reshape(1), dtype)
    return tl.core.tensor(handle, tl.block_type(dtype, list(shape)) if shape else dtype)
