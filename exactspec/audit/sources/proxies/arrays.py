"""MLX's functions, operators and arrays under control: what is given an array of ours takes its rule."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mlx.core as mx

from exactspec.audit.numbers import Rational, Unknown
from exactspec.audit.sources.proxies.compiled import Transformed, call
from exactspec.audit.sources.proxies.exact import (
    ExactArray,
    are_exact,
    cells_of,
    is_exact,
    object_array,
    plain,
    wrapped,
)
from exactspec.audit.sources.proxies.rules import MOVES, RULES
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.sources.tensors.following import following

_Array = mx.array
_FUNCTION = type(mx.add)
_BINARY = {
    **{"add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "pow": "power"},
    **{"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"},
    **{"eq": "equal", "ne": "not_equal", "matmul": "matmul", "mod": "remainder"},
    **{"floordiv": "floor_divide", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"},
}
_COMPARED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
_UNARY = {"neg": "negative", "abs": "abs", "invert": "bitwise_invert"}
_NUMBERS = (Unknown, Rational)


def apply(name: str, real: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """A function of MLX's that is given an array of ours: its rule, or the real one on plain numbers."""
    options.pop("stream", None)
    if name not in MOVES:
        arguments, options = _decided(arguments), _decided(options)
    rule = RULES.get(name)
    if rule is None or not are_exact((arguments, options)):
        return real(*plain(arguments, name), **plain(options, name))
    with following(name):
        return rule(*arguments, **options)


def _decided(value: Any) -> Any:
    """Values with arrays of whole numbers decided: those are computed with as MLX does."""
    if isinstance(value, list | tuple):
        return type(value)(map(_decided, value))
    if isinstance(value, dict):
        return {name: _decided(each) for name, each in value.items()}
    is_whole = is_exact(value) and not mx.issubdtype(value.dtype, mx.floating)
    return plain(value, "a token") if is_whole else value


def _function(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def apply_to(*arguments: Any, **options: Any) -> Any:
        if are_exact(arguments) or are_exact(options):
            return apply(name, real, *arguments, **options)
        return real(*arguments, **options)

    return apply_to


def _operator(real: Callable[..., Any]) -> Callable[..., Any]:
    """An operator of a real array, which leaves those of ours to them."""

    def apply_to(self: Any, other: Any) -> Any:
        return (
            NotImplemented if isinstance(other, _NUMBERS) or is_exact(other) else real(self, other)
        )

    return apply_to


def _indexed(real: Callable[..., Any]) -> Callable[..., Any]:
    """Reading or writing parts of a real array: tokens among the index and the numbers are decided."""

    def apply_to(self: Any, *arguments: Any) -> Any:
        return real(self, *plain(arguments, "a part of an array"))

    return apply_to


class _Making(type):
    """``mx.array`` as a program sees it in a run: arrays are made of exact numbers as well."""

    def __call__(cls, value: Any, *arguments: Any, **options: Any) -> Any:
        kind = [*arguments, options.get("dtype")][0] or mx.float32
        if is_exact(value):
            return (
                value.astype(kind) if arguments or options else ExactArray(value.cells, value.dtype)
            )
        leaves, shape = _leaves(value)
        if any(is_exact(each) or isinstance(each, _NUMBERS) for each in leaves):
            cells = [cells_of(each).reshape(-1)[0] for each in leaves]
            return wrapped(object_array(cells, shape), kind)
        return _Array(value, *arguments, **options)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Array)

    def __getattr__(cls, name: str) -> Any:
        return getattr(_Array, name)


class _Made(metaclass=_Making):
    pass


def _leaves(value: Any) -> tuple[list[Any], tuple[int, ...]]:
    """The numbers in nested lists, and the shape of those."""
    if not isinstance(value, list | tuple):
        return [value], ()
    parts = [_leaves(each) for each in value]
    rest = parts[0][1] if parts else ()
    return [leaf for leaves, _ in parts for leaf in leaves], (len(parts), *rest)


def _add_operators() -> None:
    """Give our arrays MLX's operators and methods."""
    for name, function in _BINARY.items():
        setattr(ExactArray, f"__{name}__", _method(function))
        if name not in _COMPARED:
            setattr(ExactArray, f"__r{name}__", _method(function, swapped=True))
    for name, function in _UNARY.items():
        setattr(ExactArray, f"__{name}__", _method(function))
    for name in dir(_Array):
        if not name.startswith("_") and not hasattr(ExactArray, name):
            is_method = callable(getattr(_Array, name))
            setattr(ExactArray, name, _method(name) if is_method else _attribute(name))


def _method(name: str, *, swapped: bool = False) -> Callable[..., Any]:
    real = getattr(mx, name, None) or getattr(_Array, name)

    def apply_to(self: Any, *arguments: Any, **options: Any) -> Any:
        given = (*arguments, self) if swapped else (self, *arguments)
        return apply(name, real, *given, **options)

    return apply_to


def _attribute(name: str) -> property:
    return property(lambda self: getattr(plain(self, name), name))


_add_operators()
_FUNCTIONS = {
    name: _function(name, value)
    for name, value in vars(mx).items()
    if isinstance(value, _FUNCTION) and not name.startswith("_")
}
_OPERATORS = {
    **{
        method: _operator(getattr(_Array, method))
        for name in _BINARY
        for method in (f"__{name}__", f"__r{name}__", f"__i{name}__")
        if method in vars(_Array)
    },
    **{name: _indexed(getattr(_Array, name)) for name in ("__getitem__", "__setitem__")},
}


@contextmanager
def controlled() -> Iterator[None]:
    """For one run."""
    functions = {**_FUNCTIONS, "array": _Made}
    with (
        replaced(_Array, **_OPERATORS),
        replaced(mx, **functions),
        replaced(Transformed, __call__=call),
    ):
        yield
