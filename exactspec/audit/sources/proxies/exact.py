"""What stands for an MLX array with elements that are random, undecided or exact."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import mlx.core as mx
import numpy as np

from exactspec.audit.arithmetic import no_rule
from exactspec.audit.numbers import Rational, Unknown, value_behind
from exactspec.audit.sources.arrays.elementwise import nearest_float
from exactspec.audit.sources.arrays.exact import exact_array
from exactspec.audit.sources.arrays.tokens import Token
from exactspec.audit.symbols import Log
from exactspec.audit.world import call_site, current

_STAND_INS = (Unknown, Rational, Token)


class ExactArray:
    """An array of exact or random numbers, or of tokens that are not decided.

    Args:
        cells: the elements as a NumPy array of objects.
        dtype: the type that they have in MLX.
    """

    dtype: Any = None

    def __init__(self, cells: Any, dtype: Any) -> None:
        self.cells, self.dtype = cells, dtype

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` asks for: programs look whether something is an array."""
        return mx.array

    __hash__ = None  # type: ignore[assignment]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.cells.shape)

    @property
    def ndim(self) -> int:
        return int(self.cells.ndim)

    @property
    def size(self) -> int:
        return int(self.cells.size)

    @property
    def T(self) -> "ExactArray":  # noqa: N802
        return ExactArray(self.cells.T, self.dtype)

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        return wrapped(self.cells[places(index)], self.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        # a part of an array is a copy in MLX: what it was taken from stays as it is
        self.cells = self.cells.copy()
        self.cells[places(index)] = cells_of(value)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    __index__ = __int__

    def __float__(self) -> float:
        return float(self.item())

    def item(self) -> Any:
        """The element of an array that has one; a token is decided."""
        return _number(self.cells.reshape(-1)[0]) if self.size == 1 else plain(self, "item").item()

    def tolist(self) -> Any:
        """The elements as nested lists; tokens are decided."""
        return np.frompyfunc(_number, 1, 1)(self.cells).tolist() if self.ndim else self.item()

    def astype(self, dtype: Any, stream: Any = None) -> Any:
        """Another type; floats of any width stay the exact numbers that they are."""
        if mx.issubdtype(dtype, mx.floating) or all(isinstance(c, Token) for c in self.cells.flat):
            return ExactArray(self.cells.copy(), dtype)
        return wrapped(np.frompyfunc(_whole, 1, 1)(self.cells), dtype)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """The same for NumPy: exact numbers stay so, tokens are decided."""
        return exact_array(self.cells) if self._is_float else np.array(self.tolist(), dtype)

    @property
    def _is_float(self) -> bool:
        return bool(mx.issubdtype(self.dtype, mx.floating))

    def __copy__(self) -> "ExactArray":
        return ExactArray(self.cells.copy(), self.dtype)

    def __deepcopy__(self, memo: Any) -> "ExactArray":
        return self.__copy__()

    def __repr__(self) -> str:
        return f"array(<not decided, or exact>, shape={self.shape})"


def _number(cell: Any) -> Any:
    return int(cell) if isinstance(cell, Token) else cell


def _whole(cell: Any) -> int:
    return int(cell)


def is_exact(value: Any) -> bool:
    """Whether a value is an array of ours."""
    return type(value) is ExactArray


def are_exact(values: Any) -> bool:
    """Whether there is such an array among values, or in lists of them."""
    if isinstance(values, list | tuple):
        return any(map(are_exact, values))
    return are_exact(list(values.values())) if isinstance(values, dict) else is_exact(values)


def object_array(values: Sequence[Any], shape: Sequence[int]) -> Any:
    """Elements in order as an array of objects."""
    array = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        array[place] = value
    return array.reshape(tuple(shape))


def array_of(found: Any) -> Any:
    """What a function of NumPy's gives, which for arrays without dimensions is an element."""
    return found if isinstance(found, np.ndarray) else object_array([found], ())


def cells_of(value: Any) -> Any:
    """Any array or number as an array of objects."""
    if is_exact(value):
        return value.cells
    if isinstance(value, mx.array):
        return object_array(value.reshape(-1).tolist(), value.shape)
    return (
        object_array([value], ()) if np.isscalar(value) or isinstance(value, _STAND_INS) else value
    )


def dtype_of(*values: Any) -> Any:
    """The type of a result: that of the first array of floats, else of the first array."""
    kinds = [value.dtype for value in values if isinstance(value, mx.array)]
    floats = [kind for kind in kinds if mx.issubdtype(kind, mx.floating)]
    return [*floats, *kinds, mx.float32][0]


def wrapped(cells: Any, dtype: Any) -> Any:
    """An array of these elements: one of MLX's where they are all plain."""
    cells = array_of(cells)
    if any(isinstance(cell, _STAND_INS) for cell in cells.flat):
        return ExactArray(cells, dtype)
    numbers = [each.item() if isinstance(each, np.generic) else each for each in cells.flat]
    return mx.array(numbers, dtype).reshape(cells.shape)


def plain(value: Any, what: str) -> Any:
    """A value with arrays of MLX's in the place of ours: tokens decided, exact numbers as floats."""
    if isinstance(value, list | tuple):
        return type(value)(plain(each, what) for each in value)
    if isinstance(value, dict):
        return {name: plain(each, what) for name, each in value.items()}
    if not is_exact(value):
        return value
    numbers = [_plain(cell, what) for cell in value.cells.flat]
    return mx.array(numbers, value.dtype).reshape(value.shape)


def _plain(cell: Any, what: str) -> Any:
    if isinstance(cell, Token):
        return int(cell)
    if isinstance(cell, Unknown) and not isinstance(cell.value, Log):
        no_rule(what, value_behind(cell))
    if isinstance(cell, Unknown | Rational):
        current().round_off(f"{what} at {call_site()}")
        return nearest_float(cell)
    return cell


def places(index: Any) -> Any:
    """An index with NumPy's arrays in the place of MLX's; tokens in it are decided."""
    if isinstance(index, tuple):
        return tuple(map(places, index))
    if is_exact(index):
        index = plain(index, "an index")
    return np.array(index.tolist()) if isinstance(index, mx.array) else index


def value_of_cell(cell: Any) -> Any:
    """The value behind a cell: an open token decided."""
    return Fraction(int(cell)) if isinstance(cell, Token) else value_behind(cell)
