"""A whole number that NumPy has drawn, decided when the program does more with it than hand it on."""

from collections.abc import Callable
from typing import Any

import numpy as np

from exactspec.audit.symbols import is_discrete
from exactspec.chance import Draw

_OPERATORS = (
    *("lt", "le", "gt", "ge", "eq", "ne", "hash", "bool", "int", "float", "index"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod"),
    *("truediv", "rtruediv", "pow", "rpow", "neg", "pos", "abs", "invert", "divmod", "rdivmod"),
    *("and", "rand", "or", "ror", "xor", "rxor", "lshift", "rlshift", "rshift", "rrshift"),
    *("repr", "str", "format"),
)


class Token:
    """An ``np.int64`` that is not decided yet. As part of an array it is decided."""

    shape: tuple[int, ...] = ()
    ndim, size = 0, 1
    dtype = np.dtype(np.int64)

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` asks for: programs look whether a token is a whole number of NumPy's."""
        return np.int64

    def look(self) -> Any:
        """The number, decided now."""
        return np.int64(self.draw.look())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.look(), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*map(_settled, inputs), **options)

    def __copy__(self) -> "Token":
        return self

    def __deepcopy__(self, memo: object) -> "Token":
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.look(), name)


def _settled(value: Any) -> Any:
    return value.look() if type(value) is Token else value


def _operator(name: str) -> Callable[..., Any]:
    def call(self: Token, *others: Any) -> Any:
        return getattr(self.look(), name)(*map(_settled, others))

    return call


for _name in _OPERATORS:
    setattr(Token, f"__{_name}__", _operator(f"__{_name}__"))


def token_or_int(position: Any) -> Any:
    """A position: open where it is, else as NumPy's whole number."""
    is_open = is_discrete(position) and not (isinstance(position, Draw) and position.is_decided)
    if is_open:
        return Token(position)
    return np.int64(position.look() if is_discrete(position) else position)
