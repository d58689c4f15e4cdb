"""Reads of a tensor's memory that no operation tells of: ``item``, ``tolist``, ``numpy``, truth values."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from exactspec.audit.comparison import compare, holds
from exactspec.audit.numbers import python_number
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.sources.tensors.numbers import MAKERS
from exactspec.audit.sources.tensors.shadows import Shadows, tensors_in
from exactspec.audit.symbols import Opaque

_untouched = torch._C._DisableTorchDispatch
_RAW = ("numpy", "__array__", "data_ptr", "__dlpack__", "apply_", "map_", "map2_")
_SHARED = ("numpy", "__array__", "__dlpack__")
_SHARING = ("from_numpy", "frombuffer", "from_dlpack", "asarray", "as_tensor")


class Reads:
    """The methods of tensors in one run, in the place of PyTorch's own."""

    def __init__(self, shadows: Shadows) -> None:
        self.shadows = shadows

    @contextmanager
    def instead(self) -> Iterator[None]:
        """Put the methods in their places."""
        methods: dict[str, Callable[..., Any]] = {
            "item": self._item,
            "tolist": self._tolist,
            "__bool__": self._bool,
            "__int__": self._int,
            "__deepcopy__": self._deepcopy,
            "__repr__": self._repr,
            **{name: self._raw(name) for name in _RAW},
        }
        with replaced(torch.Tensor, **{name: _method(each) for name, each in methods.items()}):
            makers = {name: maker(self.shadows, getattr(torch, name)) for name, maker in MAKERS}
            makers |= {
                name: self._sharing(makers.get(name) or getattr(torch, name)) for name in _SHARING
            }
            address = {"data_ptr": _method(self._storage_address)}
            with replaced(torch, **makers), replaced(torch.UntypedStorage, **address):
                yield

    def _is_more(self, tensor: Any) -> bool:
        """Whether elements are more than what is stored, once every open one is decided."""
        shadows = self.shadows
        if not shadows.by_storage or not shadows.casts(tensor):
            return False
        with _untouched(), following("a read of a tensor"):
            shadows.decide(tensor)
            return shadows.casts(tensor) and any(shadows.id_list(tensor))

    def _numbers(self, tensor: Any) -> list[Any]:
        with _untouched(), following("a read of a tensor"):
            return [python_number(value) for value in self.shadows.values(tensor.detach())]

    def _item(self, tensor: Any) -> Any:
        if tensor.numel() == 1 and self._is_more(tensor):
            return self._numbers(tensor)[0]
        return _real("item")(tensor)

    def _tolist(self, tensor: Any) -> Any:
        if not self._is_more(tensor):
            return _real("tolist")(tensor)
        numbers = self._numbers(tensor)
        for size in reversed(tensor.shape[1:]):
            numbers = [numbers[i : i + size] for i in range(0, len(numbers), size)]
        return numbers if tensor.dim() else numbers[0]

    def _bool(self, tensor: Any) -> bool:
        if tensor.numel() == 1 and self._is_more(tensor):
            with _untouched(), following("a truth value"):
                return holds(compare("ne", self.shadows.values(tensor.detach())[0], 0))
        return bool(_real("__bool__")(tensor))

    def _int(self, tensor: Any) -> int:
        if tensor.numel() == 1 and self._is_more(tensor):
            return int(self._numbers(tensor)[0])
        return int(_real("__int__")(tensor))

    def _deepcopy(self, tensor: Any, memo: Any) -> Any:
        copy = _deepcopy(tensor, memo)
        with _untouched(), following("a copy"):
            ids = self.shadows.ids(tensor)
            if ids is not None:
                self.shadows.attach(copy.detach(), ids.clone())
        return copy

    def _repr(self, tensor: Any, **options: Any) -> str:
        if self.shadows.casts(tensor):
            return f"tensor(<not decided, or exact>, size={tuple(tensor.shape)})"
        return str(_repr(tensor, **options))

    def _raw(self, name: str) -> Callable[..., Any]:
        real = getattr(torch.Tensor, name)

        def read(tensor: Any, *arguments: Any, **options: Any) -> Any:
            for each in tensors_in((tensor, *arguments)):
                if self._is_more(each) and not (name == "data_ptr" and self._is_unused(each)):
                    with _untouched(), following(name):
                        self.shadows.check_plain([each], name)
                        if name != "data_ptr":
                            self.shadows.clear(each)
            if name in _SHARED:
                self.shadows.share(tensor)
            return real(tensor, *arguments, **options)

        return read

    def _sharing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose tensor may lie in memory that is not PyTorch's alone."""

        def make(data: Any, *arguments: Any, **options: Any) -> Any:
            tensor = real(data, *arguments, **options)
            if not isinstance(data, torch.Tensor | list | tuple | float | int):
                self.shadows.share(tensor)
            return tensor

        return make

    def _storage_address(self, storage: Any) -> int:
        """Where a storage lies: who asks, as ``pickle`` does, reads what is stored there."""
        with _untouched(), following("a read of a storage"):
            self.shadows.check_storage(storage)
        return int(_storage_address(storage))

    def _is_unused(self, tensor: Any) -> bool:
        """Whether a tensor holds nothing but numbers without a rule, as a new model's weights are.

        Its address may be asked for, to see whether two weights are one.
        """
        symbols = self.shadows.world.symbols
        with _untouched():
            return all(isinstance(symbols[i], Opaque) for i in set(self.shadows.id_list(tensor)))


_storage_address = torch._C.StorageBase.data_ptr
_deepcopy = torch.Tensor.__deepcopy__
_repr = torch.Tensor.__repr__


def _real(name: str) -> Any:
    return getattr(torch._C.TensorBase, name)


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    """A bound method as a method of tensors."""

    def call(tensor: Any, *arguments: Any, **options: Any) -> Any:
        return function(tensor, *arguments, **options)

    return call
