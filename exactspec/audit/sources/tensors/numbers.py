"""Python numbers that stand for more than a float, where PyTorch is given them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from exactspec.audit.numbers import Rational, Unknown, value_behind
from exactspec.audit.sources.tensors.elementwise import converted
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.sources.tensors.shadows import Shadows, payload

_running: list[Shadows] = []
_untouched = torch._C._DisableTorchDispatch


@contextmanager
def controlled(shadows: Shadows) -> Iterator[None]:
    """For one run."""
    _running.append(shadows)
    try:
        yield
    finally:
        _running.pop()


def running() -> Shadows | None:
    """The shadows of the run that is going on."""
    return _running[-1] if _running else None


def call(func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """A function of PyTorch that is given such numbers: each becomes a tensor without dimensions."""
    others = [*args, *(kwargs or {}).values()]
    kind = next((each.dtype for each in others if _is_floating(each)), torch.get_default_dtype())

    def as_tensor(argument: Any) -> Any:
        return _tensor_of(argument, kind) if isinstance(argument, Unknown | Rational) else argument

    options = {name: as_tensor(value) for name, value in (kwargs or {}).items()}
    return func(*map(as_tensor, args), **options)


def _is_floating(argument: Any) -> bool:
    return isinstance(argument, torch.Tensor) and argument.is_floating_point()


def _tensor_of(number: Any, kind: Any) -> Any:
    shadows = running()
    if shadows is None:
        return float(number)
    with _untouched(), following("a number"):
        out = torch.empty((), dtype=kind)
        shadows.write(out, [value_behind(number)])
    return out


def _leaves(data: Any) -> Iterator[Any]:
    if isinstance(data, list | tuple):
        for each in data:
            yield from _leaves(each)
    else:
        yield data


def _as_payload(data: Any) -> Any:
    """The numbers that are stored, of the types that say which tensor they make."""
    if isinstance(data, list | tuple):
        return [_as_payload(each) for each in data]
    if isinstance(data, torch.Tensor):
        return torch._C.TensorBase.item(data) if data.numel() == 1 else data
    if isinstance(data, Unknown | Rational):
        return float(payload(value_behind(data), float))
    return data


def _tensor(shadows: Shadows, real: Callable[..., Any]) -> Callable[..., Any]:
    """``torch.tensor`` and ``as_tensor`` of numbers, some of which stand for more than a float."""

    def tensor(data: Any, *arguments: Any, **options: Any) -> Any:
        leaves = list(_leaves(data))
        if not any(_is_more(shadows, leaf) for leaf in leaves) or isinstance(data, torch.Tensor):
            return real(data, *arguments, **options)
        with _untouched(), following("a tensor of numbers"):
            values = [_value_of(shadows, leaf) for leaf in leaves]
            stored = _as_payload(data)
        out = real(stored, *arguments, **options)
        with _untouched(), following("a tensor of numbers"):
            shadows.write(out.detach(), [converted(value, out.dtype) for value in values])
        return out

    return tensor


def _is_more(shadows: Shadows, leaf: Any) -> bool:
    if isinstance(leaf, torch.Tensor):
        return leaf.numel() == 1 and shadows.casts(leaf)
    return isinstance(leaf, Unknown | Rational)


def _value_of(shadows: Shadows, leaf: Any) -> Any:
    return shadows.values(leaf)[0] if isinstance(leaf, torch.Tensor) else value_behind(leaf)


def _full(shadows: Shadows, real: Callable[..., Any]) -> Callable[..., Any]:
    """``torch.full`` and ``full_like``."""

    def full(size: Any, fill_value: Any, **options: Any) -> Any:
        if not isinstance(fill_value, Unknown | Rational):
            return real(size, fill_value, **options)
        value = value_behind(fill_value)
        out = real(size, float(payload(value, float)), **options)
        with _untouched(), following("a tensor of numbers"):
            shadows.write(out.detach(), [converted(value, out.dtype)] * out.numel())
        return out

    return full


MAKERS: Sequence[tuple[str, Callable[[Shadows, Any], Any]]] = (
    ("tensor", _tensor),
    ("as_tensor", _tensor),
    ("full", _full),
    ("full_like", _full),
)
