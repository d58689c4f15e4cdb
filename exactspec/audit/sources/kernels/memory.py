"""What lies behind the addresses that a kernel loads from and stores to: tensors, and their shadows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from exactspec.audit.numbers import Rational, Unknown, python_number
from exactspec.audit.sources.arrays.tokens import Token
from exactspec.audit.sources.tensors.shadows import Shadows
from exactspec.audit.symbols import is_discrete
from exactspec.chance import Draw

_numpy = torch._C.TensorBase.numpy
_storage_of = torch._C.TensorBase.untyped_storage
_address_of = torch._C.StorageBase.data_ptr


@dataclass(frozen=True)
class Region:
    """The memory of one storage.

    Args:
        key: what the shadows know the storage by.
        start: its first address.
        end: the address behind it.
        size: the bytes of an element.
        tensor: all of it as a tensor; None where no argument of the kernel is in it.
    """

    key: int
    start: int
    end: int
    size: int
    tensor: Any = None


class Memory:
    """The memory that one launch of a kernel can reach."""

    def __init__(self, shadows: Shadows, tensors: Sequence[Any]) -> None:
        self.shadows = shadows
        self._regions: dict[int, Region] = {}
        for key, (shadow, storage) in shadows.by_storage.items():
            if storage.nbytes():
                start, size = _address_of(storage), storage.nbytes() // shadow.numel()
                self._regions[key] = Region(key, start, start + storage.nbytes(), size)
        for tensor in tensors:
            region = _region_of(tensor)
            self._regions[region.key] = region

    def symbols(self, addresses: Any, mask: Any) -> Iterator[tuple[int, Any]]:
        """What is more than the number stored, with its place among the addresses that are loaded from."""
        for region in self._regions.values():
            ids = self._ids(region)
            if ids is None:
                continue
            where, places = _inside(region, addresses, mask)
            for place, number in zip(where, ids[places], strict=True):
                if number:
                    symbol = self.shadows.world.symbols[number]
                    yield (
                        int(place),
                        symbol.look() if is_discrete(symbol) else python_number(symbol),
                    )

    def overwrite(self, addresses: Any, mask: Any) -> None:
        """Plain numbers were stored: they are all there is now."""
        for region in self._regions.values():
            ids = self._ids(region)
            if ids is not None:
                ids[_inside(region, addresses, mask)[1]] = 0

    def store(self, addresses: Any, cells: Any, mask: Any) -> None:
        """Write cells to addresses."""
        left = int(mask.sum())
        for region in self._regions.values():
            where, places = _inside(region, addresses, mask)
            left -= len(where)
            for place, element in zip(where, places, strict=True):
                self._write(region, int(element), cells[place])
        if left:
            self._refuse("random or exact numbers stored where no argument of the kernel lies")

    def has_symbols(self, addresses: Any, mask: Any) -> bool:
        """Whether some of these addresses hold more than plain numbers."""
        return any(True for _ in self.symbols(addresses, mask))

    def _write(self, region: Region, element: int, value: Any) -> None:
        if region.tensor is None:
            self._refuse("random or exact numbers stored where no argument of the kernel lies")
        self.shadows.write(region.tensor[element : element + 1], [_symbol(value)])

    def _ids(self, region: Region) -> Any:
        entry = self.shadows.by_storage.get(region.key)
        return None if entry is None else _numpy(entry[0])

    def _refuse(self, what: str) -> None:
        self.shadows.world.refuse("audit-no-rule", what, "give the kernel the tensor itself")


def _region_of(tensor: Any) -> Region:
    storage, size = _storage_of(tensor), tensor.element_size()
    count = storage.nbytes() // size
    start = _address_of(storage)
    whole = tensor.detach().as_strided((count,), (1,), 0)
    return Region(storage._cdata, start, start + storage.nbytes(), size, whole)


def _inside(region: Region, addresses: Any, mask: Any) -> tuple[Any, Any]:
    """Which of the addresses lie in a region, and at which of its elements."""
    (where,) = np.nonzero(mask & (addresses >= region.start) & (addresses < region.end))
    return where, (addresses[where].astype(np.int64) - region.start) // region.size


def _symbol(value: Any) -> Any:
    """What the shadows keep of a cell."""
    if isinstance(value, Token):
        draw = value.draw
        return draw if not (isinstance(draw, Draw) and draw.is_decided) else int(draw.look())
    if isinstance(value, Unknown):
        return value.value
    return value.exact if isinstance(value, Rational) else value
