"""What NumPy's generators are replaced by in a run: subclasses whose numbers the audit gives.

Outside of a run they are NumPy's own.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import Any

import numpy as np

from exactspec.audit.arithmetic import log, negative
from exactspec.audit.numbers import python_number, whole_number
from exactspec.audit.sources.arrays.arguments import (
    filled,
    probabilities,
    refuse,
    refuse_out,
    shape_for,
    shape_of,
    stacked,
)
from exactspec.audit.sources.arrays.states import Even, drawn, is_moving, moving
from exactspec.audit.sources.arrays.tokens import token_or_int
from exactspec.audit.symbols import Exponential, new_time
from exactspec.audit.world import is_running

_Generator, _RandomState = np.random.Generator, np.random.RandomState
_AS_THEY_ARE = ("bit_generator", "spawn")
_SEEDING = ("seed", "get_state", "set_state")


class _KnowsTheRealOnes(type):
    """A class that NumPy's own generators count as instances of, too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.__bases__[-1])


class _Controlled:
    """Draws of a generator, one number after another."""

    _uniform_name = "random"
    _integer_name = "integers"

    def __reduce__(self) -> Any:
        return type(self), (self._bits,)

    @property
    def _bits(self) -> Any:
        return self._bit_generator  # type: ignore[attr-defined]

    def _real(self, name: str, *arguments: Any, **options: Any) -> Any:
        return getattr(super(), name)(*arguments, **options)

    def _drawn(
        self, kind: str, draw: Callable[[], Any], name: str, *real: Any, **options: Any
    ) -> Any:
        """What the state gives. It moves as NumPy's function of that name moves it."""
        return drawn(self._bits, kind, draw, lambda: self._real(name, *real, **options))

    def _even(self, name: str, *real: Any, bits: int = 53, **options: Any) -> Even:
        kind = f"a uniform number of {bits} bits"
        even = self._drawn(kind, lambda: Even(bits), name, *real, **options)
        return even  # type: ignore[no-any-return]

    def _time(self, name: str, *real: Any, **options: Any) -> Exponential:
        return Exponential(self._drawn("an exponential time", new_time, name, *real, **options))

    def _below(self, size: int) -> Any:
        kind = f"a whole number below {size}"
        return self._drawn(kind, lambda: whole_number(size), self._integer_name, 0, size)

    # what both classes have

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        size = shape_for(size, low, high)
        return low + (high - low) * filled(size, lambda: self._even(self._uniform_name).number)

    def standard_exponential(self, size: Any = None, *rest: Any, **options: Any) -> Any:
        options.pop("out", None)
        return filled(
            size, lambda: python_number(self._time("standard_exponential", None, *rest, **options))
        )

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return scale * self.standard_exponential(shape_for(size, scale))

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        def noise() -> Any:
            time = self._drawn("Gumbel noise", new_time, "gumbel")
            return python_number(negative(log(Exponential(time))))

        return loc + scale * filled(shape_for(size, loc, scale), noise)

    def multinomial(self, n: int, pvals: Any, size: Any = None) -> Any:
        weights, floats = probabilities(pvals)
        weights = [*weights[:-1], max(1 - sum(weights[:-1], Fraction(0)), Fraction(0))]

        def draw() -> Any:
            tokens = [Even(53).position(weights) for _ in range(int(n))]
            return np.bincount([token.look() for token in tokens], minlength=len(weights))

        def counts() -> Any:
            kind = f"a multinomial of {n} and {weights}"
            return self._drawn(kind, draw, "multinomial", n, floats).copy()

        return counts() if size is None else stacked(size, counts, len(weights))

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        values = a if isinstance(a, np.ndarray | list | tuple) else None
        count = int(a) if values is None else len(values)
        if not replace and size is not None:
            chosen = self._without_replacement(count, size, p)
        else:
            chosen = filled(size, lambda: token_or_int(self._position(count, p)))
            chosen = chosen if size is None else np.asarray(chosen, dtype=np.int64)
        if values is None:
            return chosen
        return np.take(np.asarray(values), np.asarray(chosen), axis=axis)

    def _position(self, count: int, p: Any) -> Any:
        if p is None:
            return self._below(count)
        weights, floats = probabilities(p)
        even = self._even("choice", count, p=floats)
        return even.position(weights)

    def _without_replacement(self, count: int, size: Any, p: Any) -> Any:
        weights, floats = probabilities([Fraction(1, count)] * count if p is None else p)
        real = (count, size, False, None if p is None else floats)
        shape = shape_of(size)

        def draw() -> list[int]:
            left, chosen = list(weights), list[int]()
            for _ in range(int(np.prod(shape))):
                chosen.append(Even(53).position(left).look())
                left[chosen[-1]] = Fraction(0)
            return chosen

        kind = f"a choice of {size} among {weights} without replacement"
        return np.asarray(self._drawn(kind, draw, "choice", *real)).reshape(shape)

    def _order(self, count: int) -> list[int]:
        def draw() -> list[int]:
            order = list(range(count))
            for last in range(count - 1, 0, -1):
                other = whole_number(last + 1).look()
                order[last], order[other] = order[other], order[last]
            return order

        return self._drawn(f"an order of {count}", draw, "shuffle", np.arange(count))  # type: ignore[no-any-return]

    def permutation(self, x: Any, axis: int = 0) -> Any:
        values = np.arange(x) if isinstance(x, int | np.integer) else np.asarray(x)
        return np.take(values, self._order(values.shape[axis]), axis=axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if isinstance(x, np.ndarray):
            x[...] = np.take(x, self._order(x.shape[axis]), axis=axis)
        else:
            x[:] = [x[i] for i in self._order(len(x))]


class Generator(_Controlled, np.random.Generator, metaclass=_KnowsTheRealOnes):
    """``np.random.Generator`` in a run."""

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        refuse_out(out)
        bits = 24 if np.dtype(dtype) == np.float32 else 53
        return filled(size, lambda: self._even("random", None, dtype, bits=bits).number)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        return _integers(self, low, high, size, bool(endpoint))


class RandomState(_Controlled, np.random.RandomState, metaclass=_KnowsTheRealOnes):
    """``np.random.RandomState`` in a run."""

    _uniform_name = "random_sample"
    _integer_name = "randint"

    def __init__(self, seed: Any = None) -> None:
        with moving():
            super().__init__(seed)

    def random_sample(self, size: Any = None) -> Any:
        return filled(size, lambda: self._even("random_sample").number)

    def random(self, size: Any = None) -> Any:
        return self.random_sample(size)

    def rand(self, *shape: int) -> Any:
        return self.random_sample(shape or None)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        return _integers(self, low, high, size, False)


def _integers(generator: Any, low: Any, high: Any, size: Any, endpoint: bool) -> Any:
    low, high = (0, low) if high is None else (low, high)
    if np.ndim(low) or np.ndim(high):
        refuse("whole numbers below an array of bounds")
    low, count = int(low), int(high) - int(low) + endpoint
    if count <= 0:
        raise ValueError("low >= high")

    def number() -> Any:
        position = generator._below(count)
        return token_or_int(position) if low == 0 else np.int64(low + position.look())

    chosen = filled(size, number)
    return chosen if size is None else np.asarray(chosen, dtype=np.int64)


def _in_a_run(real: Callable[..., Any], method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        is_real = not is_running() or is_moving()
        return (real if is_real else method)(self, *arguments, **options)

    return call


def _refused(name: str) -> Callable[..., Any]:
    return lambda self, *arguments, **options: refuse(f"np.random's {name}")


def _while_moving(real: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(real)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        with moving():
            return real(self, *arguments, **options)

    return call


def _complete(stand_in: type, real: type) -> None:
    """Give a class every public function of NumPy's: as written above, or refused."""
    for name in dir(real):
        method = getattr(real, name)
        if name.startswith("_") or name in _AS_THEY_ARE or not callable(method):
            continue
        if name in _SEEDING:
            replaced = _while_moving(method)
        else:
            written = getattr(stand_in, name, method)
            replaced = _in_a_run(method, _refused(name) if written is method else written)
        setattr(stand_in, name, replaced)


_complete(Generator, _Generator)
_complete(RandomState, _RandomState)


def default_rng(seed: Any = None) -> Any:
    """``np.random.default_rng`` in a run."""
    if type(seed) is Generator:
        return seed
    return Generator(np.random._generator.default_rng(seed).bit_generator)
