"""PyTorch: its generators, and tensors whose elements may be random, undecided or exact."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import torch

from exactspec.audit.arithmetic import log
from exactspec.audit.sources.tensors.dispatch import Dispatch
from exactspec.audit.sources.tensors.draws import BITS
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.sources.tensors.numbers import controlled, running
from exactspec.audit.sources.tensors.reads import Reads
from exactspec.audit.sources.tensors.shadows import Shadows, flat, payload
from exactspec.audit.sources.tensors.threads import in_threads
from exactspec.audit.symbols import Log, is_discrete
from exactspec.audit.world import World, current, is_running
from exactspec.chance import Draw

_SEED = 20_230_715
_tensor_of = torch.tensor
_untouched = torch._C._DisableTorchDispatch


class _Torch:
    """PyTorch under control."""

    @contextmanager
    def control(self, world: World) -> Iterator[None]:
        generator = torch.default_generator
        state, threads = generator.get_state(), torch.get_num_threads()
        generator.manual_seed(_SEED)
        # tensors are tiny: threads would wait for each other longer than they compute
        torch.set_num_threads(1)
        shadows = Shadows(world)
        try:
            with (
                controlled(shadows),
                Reads(shadows).instead(),
                in_threads(shadows),
                Dispatch(shadows),
            ):
                yield
        finally:
            torch.set_num_threads(threads)
            generator.set_state(state)

    def plain(self, value: Any) -> Any:
        """A tensor as nested tuples; drawn tokens that nobody has looked at stay open."""
        shadows = running()
        if not isinstance(value, torch.Tensor) or shadows is None:
            return value
        with _untouched(), following("an outcome"):
            tensor = value.detach()
            elements = [_outcome(each, tensor) for each in _elements(shadows, tensor)]
            return _nested(elements, tensor.shape)


def _elements(shadows: Shadows, tensor: Any) -> list[Any]:
    """What stands for each element, or the number stored."""
    stored = flat(tensor)
    if not shadows.casts(tensor):
        return stored
    symbols = shadows.world.symbols
    pairs = zip(shadows.id_list(tensor), stored, strict=True)
    return [symbols[place] if place else number for place, number in pairs]


def _outcome(element: Any, tensor: Any) -> Any:
    """An element as it is compared with those of other runs."""
    if isinstance(element, Draw):
        return element
    if is_discrete(element):
        return bool(element.look()) if tensor.dtype == torch.bool else int(element.look())
    if isinstance(element, Log):
        current().round_off("a logarithm that is returned")
        return payload(element, float)
    if isinstance(element, Fraction) and not tensor.is_floating_point():
        return int(element)
    if isinstance(element, bool | int | float | Fraction):
        return element
    current().refuse(
        "audit-no-rule",
        "the program returns a random number that is not compared with anything",
        "return token ids or truth values",
    )


def _nested(elements: Sequence[Any], shape: Sequence[int]) -> Any:
    if not shape:
        return elements[0]
    if len(shape) == 1:
        return tuple(elements)
    size = math.prod(shape[1:])
    return tuple(_nested(elements[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0]))


SOURCE = _Torch()


def ids(tokens: Sequence[int]) -> Any:
    """Token ids as a tensor."""
    return _tensor_of(list(tokens), dtype=torch.int64)


def probs(rows: Sequence[Sequence[Fraction]], dtype: Any = None) -> Any:
    """Rows of probabilities as a tensor of exact numbers; in float audits of floats."""
    return _tensor(rows, [weight for row in rows for weight in row], dtype)


def logits(rows: Sequence[Sequence[Fraction]], dtype: Any = None) -> Any:
    """The logarithms of rows of probabilities as such a tensor; that of 0 is minus infinity."""
    return _tensor(rows, [log(weight) for row in rows for weight in row], dtype)


def _tensor(rows: Sequence[Sequence[Fraction]], values: Sequence[Any], dtype: Any) -> Any:
    kind = torch.float32 if dtype is None else dtype
    shape = (len(rows), len(rows[0]) if rows else 0)
    with _untouched():
        stored = _tensor_of([payload(value, float) for value in values], dtype=kind)
        tensor = stored.view(shape)
        if is_running():
            current().gives_floats(BITS[kind])
        shadows = running()
        if shadows is not None and shadows.world.is_rational:
            shadows.write(tensor, values, is_stored=True)
    return tensor
