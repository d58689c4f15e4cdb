"""Which elements of which tensors are more than the number stored: a shadow tensor for each storage.

A shadow holds one number for each element of a storage: 0 where the stored number is all there is, else
the place in ``world.symbols`` of what stands for the element. Views share a storage, so they share its
shadow. What is stored beside a symbol, its payload, is the nearest float of an exact number, and 0 for
what is random or undecided.
"""

import math
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from itertools import chain
from typing import Any

import torch

from exactspec.audit.arithmetic import no_rule
from exactspec.audit.symbols import Log, Opaque, Symbol, is_discrete, value_of
from exactspec.audit.world import Deferred, World
from exactspec.chance import Draw

# PyTorch's own, for a run puts others in their places
_tensor = torch.tensor
_tolist = torch._C.TensorBase.tolist
storage_of = torch._C.TensorBase.untyped_storage
_FEW = 4096
_OPEN = (Symbol, Draw, Deferred)
_EXACT = (*_OPEN, Fraction)


class Contents:
    """What kinds of elements some tensors hold: undecided ones, exact ones, random ones."""

    __slots__ = ("has_exact", "has_noise", "has_undecided")

    def __init__(self, symbols: Iterable[Any]) -> None:
        self.has_undecided = self.has_exact = self.has_noise = False
        for symbol in symbols:
            if isinstance(symbol, Fraction | Log):
                self.has_exact = True
            elif is_discrete(symbol):
                self.has_undecided = True
            else:
                self.has_noise = True

    @property
    def is_plain(self) -> bool:
        """Whether the stored numbers are all there is."""
        return not (self.has_undecided or self.has_exact or self.has_noise)


class Shadows:
    """The shadows of one run."""

    def __init__(self, world: World) -> None:
        self.world = world
        # a storage is kept beside its shadow: its address must not be given to another one
        self.by_storage: dict[int, tuple[Any, Any]] = {}
        self.shared: dict[int, Any] = {}

    def share(self, tensor: Any) -> None:
        """A tensor's memory can be read and written without PyTorch from now on: nothing is kept beside it."""
        storage = storage_of(tensor)
        self.shared[storage._cdata] = storage

    def keep_shared_plain(self, tensor: Any) -> None:
        """Decide what was written into shared memory; exact numbers are the floats stored there.

        Raises:
            Fault: where a random number was.
        """
        if self.shared and storage_of(tensor)._cdata in self.shared:
            self.decide(tensor)
            if self.casts(tensor):
                self.check_plain([tensor], "memory that is not PyTorch's alone")
                self.clear(tensor)

    def casts(self, tensor: Any) -> bool:
        """Whether a tensor has a shadow."""
        try:
            return storage_of(tensor)._cdata in self.by_storage
        except NotImplementedError:  # a sparse tensor is made of others
            return False

    def ids(self, tensor: Any) -> Any:
        """The shadow of a tensor, as a view of that of its storage; None where it has none."""
        if not self.casts(tensor):
            return None
        shadow = self.by_storage[storage_of(tensor)._cdata][0]
        if tensor.numel() == shadow.numel() and tensor.is_contiguous():
            return shadow.view(tensor.shape)
        return self._grown(tensor).as_strided(
            tensor.size(), tensor.stride(), tensor.storage_offset()
        )

    def _grown(self, tensor: Any) -> Any:
        """The shadow of a tensor's storage, which may have been resized since."""
        storage = storage_of(tensor)
        shadow, _ = self.by_storage[storage._cdata]
        missing = storage.nbytes() // tensor.element_size() - shadow.numel()
        if missing > 0:
            shadow = torch.cat((shadow, shadow.new_zeros(missing)))
            self.by_storage[storage._cdata] = (shadow, storage)
        return shadow

    def make(self, tensor: Any) -> Any:
        """The shadow of a tensor, a new one where it has none."""
        storage = storage_of(tensor)
        if storage._cdata not in self.by_storage:
            size = storage.nbytes() // tensor.element_size()
            self.by_storage[storage._cdata] = (
                _writable(torch.zeros(size, dtype=torch.int64)),
                storage,
            )
        return self.ids(tensor)

    def attach(self, tensor: Any, ids: Any) -> None:
        """Give a tensor these ids, as a shadow of its own: what is decided in one is not in the other."""
        self._attach_flat(tensor, ids.reshape(-1).clone())

    def _attach_flat(self, tensor: Any, ids: Any) -> None:
        """Give a tensor ids that nothing else has, in the order of its elements."""
        storage = storage_of(tensor)
        if tensor.is_contiguous() and tensor.numel() * tensor.element_size() == storage.nbytes():
            self.by_storage[storage._cdata] = (_writable(ids), storage)
        else:
            self.make(tensor).copy_(ids.view(tensor.shape))
        self.keep_shared_plain(tensor)

    def clear(self, tensor: Any) -> None:
        """The stored numbers are all there is now."""
        ids = self.ids(tensor)
        if ids is None:
            return
        key = storage_of(tensor)._cdata
        if ids.numel() == self.by_storage[key][0].numel():
            del self.by_storage[key]
        else:
            ids.zero_()

    def id_list(self, tensor: Any) -> list[int]:
        """The ids of a tensor that has a shadow, in order."""
        shadow = self.by_storage[storage_of(tensor)._cdata][0]
        if tensor.numel() == shadow.numel() and tensor.is_contiguous():
            return _tolist(shadow)  # type: ignore[no-any-return]
        return flat(self.ids(tensor))

    def contents(self, tensors: Iterable[Any]) -> Contents:
        """What tensors with shadows hold."""
        found: set[int] = set()
        for tensor in tensors:
            is_large = tensor.numel() > _FEW
            found.update(flat(self.ids(tensor).unique()) if is_large else self.id_list(tensor))
        found.discard(0)
        symbols = self.world.symbols
        return Contents(symbols[i] for i in found)

    def values(self, number: Any, shape: Any = None) -> list[Any]:
        """The values of a tensor's elements in order, or those of a Python number; in this shape."""
        if not isinstance(number, torch.Tensor):
            return [value_of(number)] * (math.prod(shape) if shape is not None else 1)
        if shape is not None and number.shape != shape:
            number = number.expand(shape)
        if not self.casts(number):
            return [_stored(each) for each in flat(number)]
        places = self.id_list(number)
        symbols = self.world.symbols
        if all(places):
            return [symbols[i] for i in places]
        pairs = zip(places, flat(number), strict=True)
        return [symbols[i] if i else _stored(each) for i, each in pairs]

    def write(self, tensor: Any, values: Sequence[Any], *, is_stored: bool = False) -> None:
        """Put values into the elements of a tensor, in order.

        Args:
            tensor: where to.
            values: as ``symbols`` describes them; truth values, too.
            is_stored: whether the payload of exact values is there already.
        """
        symbols = self.world.symbols
        keeps_exact = self.world.is_rational and tensor.is_floating_point()
        followed = _EXACT if keeps_exact else _OPEN
        ids = []
        for value in values:
            if isinstance(value, followed):
                ids.append(len(symbols))
                symbols.append(value)
            else:
                ids.append(0)
        if not (is_stored and all(ids)):
            kind = float if tensor.is_floating_point() else int
            stored = [payload(value, kind) for value in values]
            tensor.copy_(_tensor(stored, dtype=tensor.dtype).view(tensor.shape))
        if any(ids):
            self._attach_flat(tensor, _tensor(ids))
        else:
            self.clear(tensor)

    def decide(self, tensor: Any) -> None:
        """Decide the open tokens and truth values of a tensor that has a shadow."""
        shadow = self._grown(tensor)
        places = _places(tensor, shadow)
        ids = flat(shadow)
        symbols = self.world.symbols
        open_ones = [p for p in places if ids[p] and is_discrete(symbols[ids[p]])]
        if not open_ones:
            return
        outcomes = [int(symbols[ids[place]].look()) for place in open_ones]
        whole = tensor.detach().as_strided((shadow.numel(),), (1,), 0)
        where = _tensor(open_ones)
        is_outside = tensor.is_inference() and not torch.is_inference_mode_enabled()
        with torch.inference_mode() if is_outside else nullcontext():
            whole.index_copy_(0, where, _tensor(outcomes).to(tensor.dtype))
        shadow.index_fill_(0, where, 0)
        if len(open_ones) == sum(map(bool, ids)):
            del self.by_storage[storage_of(tensor)._cdata]

    def check_storage(self, storage: Any) -> None:
        """Refuse to let the memory of a storage be read where it is not all there is."""
        entry = self.by_storage.get(storage._cdata)
        for place in set(flat(entry[0])) - {0} if entry else ():
            symbol = self.world.symbols[place]
            if isinstance(symbol, Fraction | Log):
                self.world.round_off("the memory of a tensor")
            elif not isinstance(symbol, Opaque):
                no_rule("the memory of a tensor", symbol)

    def check_plain(self, tensors: Sequence[Any], operation: str) -> None:
        """Refuse an operation on random numbers; exact ones become the floats stored beside them."""
        for tensor in tensors:
            for place in set(self.id_list(tensor)) - {0}:
                symbol = self.world.symbols[place]
                if not isinstance(symbol, Fraction | Log):
                    no_rule(operation, symbol)
                self.world.round_off(operation)


def _writable(ids: Any) -> Any:
    """A shadow that can be written to outside of inference mode, too."""
    if not ids.is_inference():
        return ids
    with torch.inference_mode(False):
        return ids.clone()


def flat(tensor: Any) -> list[Any]:
    """The numbers stored in a tensor, in order."""
    if tensor.dim() != 1:
        tensor = tensor.reshape(-1)
    return _tolist(tensor)  # type: ignore[no-any-return]


def payload(value: Any, kind: type) -> Any:
    """The number that is stored beside a symbol, or for a value by itself."""
    if isinstance(value, Fraction):
        return kind(value) if abs(value) < 10**300 else math.copysign(math.inf, value)
    if isinstance(value, Log):
        return math.log(value.argument.numerator) - math.log(value.argument.denominator)
    return 0 if isinstance(value, Symbol) or is_discrete(value) else value


def tensors_in(arguments: Iterable[Any]) -> list[Any]:
    """The tensors among arguments, and in lists of them."""
    found = []
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            found.append(argument)
        elif type(argument) in (list, tuple):
            found += [each for each in argument if isinstance(each, torch.Tensor)]
    return found


def _stored(number: Any) -> Any:
    if isinstance(number, float) and not math.isfinite(number):
        return number
    return Fraction(number)


def _places(tensor: Any, shadow: Any) -> Iterable[int]:
    """Where in its storage the elements of a tensor lie, in order."""
    if tensor.is_contiguous():
        start = tensor.storage_offset()
        return range(start, start + tensor.numel())
    everywhere = torch.arange(shadow.numel())
    places = everywhere.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())
    return dict.fromkeys(chain(flat(places)))
