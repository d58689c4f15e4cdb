"""Random numbers of a kernel: each is a function of a seed and a counter."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import triton.language as tl

from exactspec.audit.numbers import Unknown
from exactspec.audit.sources.kernels.cells import Handle, filled, settled
from exactspec.audit.sources.tensors.following import following
from exactspec.audit.symbols import Affine, uniform
from exactspec.audit.world import GRID, current

_BITS = 31
_WORD = 2**32
_NO_RULE = ("randint", "randint4x", "randn", "randn4x", "philox", "philox_impl")


def rand(seed: Any, offset: Any, n_rounds: Any = None) -> Any:
    """``tl.rand``: uniform numbers, the same ones for the same seed and counters."""
    return _numbers(seed, offset, n_rounds, 0)


def rand4x(seed: Any, offsets: Any, n_rounds: Any = None) -> Any:
    """``tl.rand4x``: four blocks, of which the first is that of ``tl.rand``."""
    return tuple(_numbers(seed, offsets, n_rounds, part) for part in range(4))


def _numbers(seed: Any, offset: Any, rounds: Any, part: int) -> Any:
    with following("tl.rand"):
        counters = _whole(offset)
        start, width = int(_whole(seed).flat[0]), counters.dtype.itemsize * 8
        rounds = getattr(rounds, "value", rounds)
        cells = [
            Unknown(_number((start % 2**64, _counter(int(each), width), rounds, part)))
            for each in counters.flat
        ]
        handle = Handle(filled(counters.shape or (1,), cells), tl.float32)
        shape = list(getattr(offset, "shape", ()))
        return tl.core.tensor(handle, tl.block_type(tl.float32, shape) if shape else tl.float32)


def _whole(number: Any) -> Any:
    """A block of whole numbers, or one number, as an array."""
    if isinstance(number, tl.core.tensor):
        return settled(number.handle, "a counter").data
    return np.asarray(getattr(number, "value", number))


def _counter(number: int, width: int) -> int:
    """The two words that a counter is read as; a narrow one has a second word of 0."""
    return number % (2**64 if width > 32 else _WORD)


def _number(key: tuple[Any, ...]) -> Affine:
    world = current()
    drawn = world.by_state
    if ("triton", *key) not in drawn:
        if world.level == GRID:
            world.idealise("the numbers of tl.rand taken for an even grid", Fraction(1, 2**23))
        drawn[("triton", *key)] = uniform(_BITS)
    known: Affine = drawn[("triton", *key)]
    return known


def _refused(name: str) -> Callable[..., NoReturn]:
    def call(*arguments: Any, **options: Any) -> NoReturn:
        current().refuse(
            "audit-no-rule",
            f"tl.{name} has no exact rule",
            "the audit follows the uniform numbers of tl.rand and tl.rand4x",
        )

    return call


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "rand": rand,
    "rand4x": rand4x,
    **{name: _refused(name) for name in _NO_RULE},
}
