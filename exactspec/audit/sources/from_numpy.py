"""NumPy's ``np.random``: generators made in the run, and the functions of the module."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import inf, log
from typing import Any

import numpy as np

from exactspec.audit.arithmetic import log as exact_log
from exactspec.audit.numbers import exact_or_float, python_number, value_behind
from exactspec.audit.sources.arrays.exact import MAKING, exact_array
from exactspec.audit.sources.arrays.generators import Generator, RandomState, default_rng
from exactspec.audit.sources.arrays.states import watched
from exactspec.audit.sources.arrays.tokens import Token
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.world import World, current, is_running

_MAKING: dict[str, Any] = dict(MAKING)
_SEED = 20_230_715
_MODULE = np.random
_HIDDEN = np.random.mtrand._rand
_FUNCTIONS = tuple(
    name for name in dir(_MODULE) if getattr(getattr(_MODULE, name), "__self__", None) is _HIDDEN
)


def _module_functions() -> dict[str, Any]:
    """The functions of ``np.random``, which share one generator."""
    hidden = RandomState(np.random.MT19937(_SEED))
    functions = {name: getattr(hidden, name) for name in _FUNCTIONS}
    functions |= {"seed": hidden.seed, "ranf": hidden.random_sample, "sample": hidden.random_sample}
    return functions


class _NumPy:
    """NumPy under control."""

    @contextmanager
    def control(self, world: World) -> Iterator[None]:
        with (
            watched(world),
            replaced(
                _MODULE,
                Generator=Generator,
                RandomState=RandomState,
                default_rng=default_rng,
                **_module_functions(),
            ),
            replaced(np, **_MAKING),
        ):
            yield

    def plain(self, value: Any) -> Any:
        if type(value) is Token:
            return value.draw
        if isinstance(value, np.ndarray):
            return _nested(value.tolist())
        return value.item() if isinstance(value, np.generic) else value


def _nested(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_nested, value))
    return value.draw if type(value) is Token else value


SOURCE = _NumPy()


def ids(tokens: Sequence[int]) -> Any:
    """Token ids as an array."""
    return np.array(tokens, dtype=np.int64)


def probs(rows: Sequence[Sequence[Fraction]], dtype: Any = None) -> Any:
    """Rows of probabilities as an array of exact numbers; in float audits as one of floats."""
    return _array([[exact_or_float(weight) for weight in row] for row in rows], dtype)


def logits(rows: Sequence[Sequence[Fraction]], dtype: Any = None) -> Any:
    """The logarithms of rows of probabilities as such an array."""
    return _array([[_log_of(weight) for weight in row] for row in rows], dtype)


def _log_of(weight: Fraction) -> Any:
    number = exact_or_float(weight)
    if not weight:
        return -inf
    is_exact = not is_running() or current().is_rational
    return python_number(exact_log(value_behind(number))) if is_exact else log(number)


def _array(rows: Sequence[Sequence[Any]], dtype: Any) -> Any:
    if not is_running() or current().is_rational:
        return exact_array(rows)
    if dtype is not None and np.dtype(dtype).itemsize < 8:
        current().gives_floats(np.finfo(dtype).nmant + 1)
    return np.array(rows, dtype=np.float64 if dtype is None else dtype)
