"""MLX: the functions of ``mx.random``, and arrays that stand for exact, random or undecided numbers."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import mlx.core as mx

from exactspec.audit.arithmetic import log
from exactspec.audit.numbers import python_number
from exactspec.audit.sources.arrays.elementwise import nearest_float
from exactspec.audit.sources.arrays.tokens import Token
from exactspec.audit.sources.proxies.arrays import controlled
from exactspec.audit.sources.proxies.draws import Draws, Keys
from exactspec.audit.sources.proxies.exact import is_exact, object_array, wrapped
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.world import World, current, is_running

_BITS = {mx.float32: 24, mx.float16: 11, mx.bfloat16: 8}


class _MLX:
    """MLX under control."""

    @contextmanager
    def control(self, world: World) -> Iterator[None]:
        keys = Keys(world)
        mx.disable_compile()
        try:
            with controlled(), replaced(mx.random, **Draws(world, keys).functions()):
                yield
        finally:
            if "MLX_DISABLE_COMPILE" not in os.environ:
                mx.enable_compile()
            keys.close()

    def plain(self, value: Any) -> Any:
        """An array as nested tuples; drawn tokens that nobody has looked at stay open."""
        if is_exact(value):
            return _nested(value.cells.tolist())
        return _nested(value.tolist()) if isinstance(value, mx.array) else value


def _nested(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_nested, value))
    return value.draw if type(value) is Token else value


SOURCE = _MLX()


def ids(tokens: Sequence[int]) -> Any:
    """Token ids as an array."""
    return mx.array(list(tokens), mx.int32)


def probs(rows: Sequence[Sequence[Fraction]], dtype: Any = None) -> Any:
    """Rows of probabilities as an array of exact numbers; in float audits of floats."""
    return _array(rows, [weight for row in rows for weight in row], dtype)


def logits(rows: Sequence[Sequence[Fraction]], dtype: Any = None) -> Any:
    """The logarithms of rows of probabilities as such an array; that of 0 is minus infinity."""
    return _array(rows, [log(weight) for row in rows for weight in row], dtype)


def _array(rows: Sequence[Sequence[Fraction]], values: list[Any], dtype: Any) -> Any:
    kind = mx.float32 if dtype is None else dtype
    is_exact_run = is_running() and current().is_rational
    if is_running():
        current().gives_floats(_BITS[kind])
    numbers = [python_number(value) for value in values]
    if not is_exact_run:
        numbers = [nearest_float(number) for number in numbers]
    return wrapped(object_array(numbers, (len(rows), len(rows[0]) if rows else 0)), kind)
