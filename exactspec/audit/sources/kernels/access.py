"""Loads and stores of an interpreted kernel: symbols come from the shadows of tensors, and go there."""

from contextlib import ExitStack
from typing import Any

import numpy as np
import torch
from triton.runtime import interpreter
from triton.runtime.jit import TensorWrapper

from exactspec.audit.sources.kernels.cells import Handle, block, cells_of, holds_cells, settled
from exactspec.audit.sources.kernels.memory import Memory
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.sources.tensors.numbers import running
from exactspec.audit.world import current

Builder = interpreter.InterpreterBuilder
_untouched = torch._C._DisableTorchDispatch
_load, _store = Builder.create_masked_load, Builder.create_masked_store
_launch = interpreter.GridExecutor.__call__
_launches: list[Memory] = []


def load(self: Any, ptrs: Any, mask: Any, other: Any, *policy: Any) -> Any:
    """A masked load: a block of cells where something more than plain numbers is loaded."""
    mask = _truths(mask)
    has_cells = holds_cells(other)
    plain = _load(self, ptrs, mask, None if has_cells else other, *policy)
    if not _launches:
        return plain
    with following("a load"):
        return _with_symbols(plain, ptrs, mask, other if has_cells else None)


def _with_symbols(plain: Any, ptrs: Any, mask: Any, other: Any) -> Any:
    found = dict(_launches[-1].symbols(ptrs.data.ravel(), _flat(mask, ptrs)))
    if not found and other is None:
        return plain
    cells = cells_of(plain).copy()
    if other is not None:
        cells = np.where(mask.data, cells, other.data)
    flat = cells.reshape(-1)
    for place, each in found.items():
        flat[place] = each
    return block(flat.reshape(plain.data.shape), plain.dtype)


def store(self: Any, ptrs: Any, value: Any, mask: Any, *policy: Any) -> Any:
    """A masked store, into the shadows where something more than plain numbers is stored."""
    mask = _truths(mask)
    if not _launches:
        return _store(self, ptrs, value, mask, *policy)
    addresses, where = ptrs.data.ravel(), _flat(mask, ptrs)
    with following("a store"):
        if holds_cells(value):
            cells = np.broadcast_to(value.data, ptrs.data.shape).ravel()
            return _launches[-1].store(addresses, cells, where)
        _launches[-1].overwrite(addresses, where)
    return _store(self, ptrs, value, mask, *policy)


def _flat(mask: Any, ptrs: Any) -> Any:
    return np.broadcast_to(mask.data, ptrs.data.shape).ravel()


def _truths(mask: Any) -> Any:
    """A mask as truth values: the interpreter takes no numbers for them."""
    mask = settled(mask, "a mask")
    return mask if mask.data.dtype == bool else Handle(mask.data.astype(bool), interpreter.tl.int1)


def atomic(name: str) -> Any:
    """An atomic operation: on plain numbers in plain memory only."""
    real = getattr(Builder, name)

    def call(self: Any, *arguments: Any) -> Any:
        ptr = next(each for each in arguments if _is_pointer(each))
        plain = [settled(each, "an atomic operation") for each in arguments]
        everywhere = np.ones(ptr.data.size, dtype=bool)
        if _launches and _launches[-1].has_symbols(ptr.data.ravel(), everywhere):
            current().refuse(
                "audit-no-rule",
                "an atomic operation on memory with random, undecided or exact numbers has no exact rule",
                "load, compute and store",
            )
        return real(self, *plain)

    return call


def _is_pointer(each: Any) -> bool:
    return isinstance(each, Handle) and bool(each.dtype.scalar.is_ptr())


def launch(self: Any, *arguments: Any, **options: Any) -> Any:
    """A launch of a kernel, whose memory is that of its arguments and of all tensors with shadows."""
    shadows = running()
    if shadows is None:
        return _launch(self, *arguments, **options)
    with _untouched(), _real_addresses():
        _launches.append(Memory(shadows, _tensors((*arguments, *options.values()))))
        try:
            return _launch(self, *arguments, **options)
        except interpreter.InterpreterError:
            if shadows.world.fault is not None:
                raise shadows.world.fault from None
            raise
        finally:
            _launches.pop()


def _real_addresses() -> Any:
    """The interpreter may ask where a tensor lies: its loads and stores are ours."""
    addresses = ExitStack()
    addresses.enter_context(replaced(torch.Tensor, data_ptr=torch._C.TensorBase.data_ptr))
    addresses.enter_context(replaced(torch.UntypedStorage, data_ptr=torch._C.StorageBase.data_ptr))
    return addresses


def _tensors(arguments: Any) -> list[Any]:
    found = []
    for each in arguments:
        if isinstance(each, tuple):
            found += _tensors(each)
            continue
        each = (
            each.base if isinstance(each, TensorWrapper) or hasattr(each, "block_shape") else each
        )
        if isinstance(each, torch.Tensor):
            found.append(each)
    return found


METHODS: dict[str, Any] = {
    "create_masked_load": load,
    "create_masked_store": store,
    **{
        name: atomic(name)
        for name in ("create_atomic_rmw", "create_atomic_cas")
        if hasattr(Builder, name)
    },
}
