"""Every operation on tensors, under control: what moves elements moves symbols, what computes with them
computes with symbols, and everything else gets plain numbers or is refused."""

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from exactspec.audit.sources.tensors import draws, moves
from exactspec.audit.sources.tensors.elementwise import converted
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.sources.tensors.operations import Operation, operation
from exactspec.audit.sources.tensors.rules import lazy_rule, rule
from exactspec.audit.sources.tensors.shadows import Contents, Shadows, storage_of, tensors_in
from exactspec.errors import Fault

_ONLY_SHAPES = frozenset(
    (
        *("empty_like", "zeros_like", "ones_like", "full_like"),
        *("new_empty", "new_zeros", "new_ones", "new_full", "new_empty_strided"),
    )
)
Options = dict[str, Any]


class Dispatch(TorchDispatchMode):  # type: ignore[misc]
    """The operations of one run."""

    def __init__(self, shadows: Shadows) -> None:
        super().__init__()
        self.shadows = shadows

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here, and PyTorch's guard against it costs more than a small operation."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Options | None = None
    ) -> Any:
        kwargs = kwargs or {}
        known = operation(func)
        concerned = self._concerned(args, kwargs)
        if not (concerned or known.draws):
            return func(*args, **kwargs)
        if known.is_composite:
            with self:
                return func.decompose(*args, **kwargs)
        if known.draws:
            return draws.draw(self.shadows, func, known.name, args, kwargs)
        if known.is_view or known.name in _ONLY_SHAPES:
            return func(*args, **kwargs)
        if known.writes_in_place:
            return self._write_in_place(func, known, args, kwargs)
        if known.outputs:
            return self._write_into_outputs(func, known, args, kwargs)
        return self._follow(func, known.name, args, kwargs, concerned)

    def _concerned(self, args: Any, kwargs: Options) -> list[Any]:
        """The tensors among the arguments that have shadows."""
        by_storage = self.shadows.by_storage
        if not by_storage:
            return []
        tensors = tensors_in(args)
        if kwargs:
            tensors += tensors_in(kwargs.values())
        try:
            return [tensor for tensor in tensors if storage_of(tensor)._cdata in by_storage]
        except NotImplementedError:  # one is sparse
            return [tensor for tensor in tensors if self.shadows.casts(tensor)]

    def _write_in_place(self, func: Any, known: Operation, args: Any, kwargs: Options) -> Any:
        """The same operation without writing, whose result then takes the place of the argument."""
        target = args[0]
        if known.name == "copy":
            out = func(*args, **kwargs)
            self._assign(func, target, args[1])
            return out
        if known.name == "zero":
            self.shadows.clear(target)
            return func(*args, **kwargs)
        if known.functional is None:
            out = self._without_rule(func, known.name, args, kwargs)
            self.shadows.clear(target)
            return out
        result = self.__torch_dispatch__(known.functional, (), args, kwargs)
        out = func(*args, **kwargs)
        self._assign(func, target, result)
        return out

    def _write_into_outputs(self, func: Any, known: Operation, args: Any, kwargs: Options) -> Any:
        """The same operation without ``out=``, whose results are then those of the outputs."""
        if known.functional is None:
            out = self._without_rule(func, known.name, args, kwargs)
            for name in known.outputs:
                self.shadows.clear(kwargs[name])
            return out
        others = {name: value for name, value in kwargs.items() if name not in known.outputs}
        result = self.__torch_dispatch__(known.functional, (), args, others)
        out = func(*args, **kwargs)
        results = result if isinstance(result, tuple) else (result,)
        for name, each in zip(known.outputs, results, strict=True):
            self._assign(func, kwargs[name], each)
        return out

    def _assign(self, func: Any, target: Any, source: Any) -> None:
        """A tensor has taken the numbers of another one: it takes their symbols, too."""
        with following(func):
            ids = self.shadows.ids(source)
            if ids is None:
                self.shadows.clear(target)
            elif _same_kind(source.dtype, target.dtype):
                self.shadows.attach(target, ids.expand(target.shape))
            else:
                self._convert(target, source)

    def _convert(self, target: Any, source: Any) -> None:
        if target.dtype.is_complex:
            self.shadows.check_plain([source], "a complex number")
            self.shadows.clear(target)
            return
        values = self.shadows.values(source, target.shape)
        self.shadows.write(target, [converted(value, target.dtype) for value in values])

    def _follow(
        self, func: Any, name: str, args: Any, kwargs: Options, concerned: list[Any]
    ) -> Any:
        if moves.only_moves(name, args, kwargs):
            return self._move(func, name, args, kwargs)
        if name == "_to_copy":
            out = func(*args, **kwargs)
            self._assign(func, out, args[0])
            return out
        with following(func):
            contents = self.shadows.contents(concerned)
        if contents.has_undecided:
            fill = lazy_rule(self.shadows, func, name, args, kwargs)
            if fill is not None:
                return self._fill(func, fill, func(*args, **kwargs))
            with following(func):
                self._decide(concerned)
        if not (contents.has_exact or contents.has_noise):
            return func(*args, **kwargs)
        return self._compute(func, name, args, kwargs, contents)

    def _decide(self, tensors: list[Any]) -> None:
        for tensor in tensors:
            if self.shadows.casts(tensor):
                self.shadows.decide(tensor)

    def _fill(self, func: Any, fill: Callable[[Any], None], out: Any) -> Any:
        with following(func):
            fill(out)
        return out

    def _move(self, func: Any, name: str, args: Any, kwargs: Options) -> Any:
        shadows = self.shadows
        with following(func):
            self._decide(moves.looked_at(name, args))
        out = func(*args, **kwargs)
        with following(func):
            ids = moves.moved_ids(shadows, func, name, args, kwargs)
            if isinstance(ids, torch.Tensor):
                shadows.attach(out, ids)
            else:
                for each, its_ids in zip(out, ids, strict=True):
                    shadows.attach(each, its_ids)
        return out

    def _compute(self, func: Any, name: str, args: Any, kwargs: Options, contents: Contents) -> Any:
        """An operation on exact or random numbers, all of them decided."""
        fill = rule(self.shadows, func, name, args, kwargs, is_exact=not contents.has_noise)
        if fill is None:
            return self._without_rule(func, name, args, kwargs)
        out = func(*args, **kwargs)
        world = self.shadows.world
        fault = world.fault
        try:
            return self._fill(func, fill, out)
        except Fault:
            if contents.has_noise:
                raise
            # no exact number comes of it, as for the product of two logarithms: the float is taken
            world.fault = fault
            world.round_off(name)
            return out

    def _without_rule(self, func: Any, name: str, args: Any, kwargs: Options) -> Any:
        """Plain numbers are computed with as they are, exact ones as the floats they were given as."""
        concerned = self._concerned(args, kwargs)
        with following(func):
            self._decide(concerned)
            concerned = [tensor for tensor in concerned if self.shadows.casts(tensor)]
            self.shadows.check_plain(concerned, name.removeprefix("_"))
        return func(*args, **kwargs)


def _same_kind(source: Any, target: Any) -> bool:
    """Whether the elements of a tensor are the same ones in another type."""
    if target == torch.bool:
        return bool(source == torch.bool)
    return bool(target.is_floating_point or not source.is_floating_point)
