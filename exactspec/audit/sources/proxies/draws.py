"""``mx.random``: numbers that are a function of a key, given or taken from MLX's own sequence of keys."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

import mlx.core as mx
import numpy as np

from exactspec.audit.arithmetic import add, log, multiply, negative, subtract
from exactspec.audit.comparison import compare, holds, position_of_best
from exactspec.audit.numbers import python_number
from exactspec.audit.sources.arrays.tokens import Token, token_or_int
from exactspec.audit.sources.guard import uncontrolled
from exactspec.audit.sources.proxies.exact import cells_of, object_array, value_of_cell, wrapped
from exactspec.audit.symbols import TINY, uniform
from exactspec.audit.world import GRID, Deferred, World, current

MOST_NUMBERS = 65_536
_BITS = 24
_SEED = 20_230_715
_real_seed, _real_split, _real_uniform = mx.random.seed, mx.random.split, mx.random.uniform
_NO_RULE = ("normal", "laplace", "multivariate_normal", "truncated_normal", "permutation")


class Keys:
    """MLX's sequence of keys in one run: who draws without a key takes the next one."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._before = self._expected = state()
        self.seed(_SEED)

    def seed(self, seed: int) -> None:
        """``mx.random.seed``."""
        self._check()
        _real_seed(seed)
        self._expected = state()

    def next(self) -> Any:
        """The next key; the sequence moves on as it does for a real draw."""
        self._check()
        key = _real_split(mx.random.state[0])[1]
        _real_uniform()
        self._expected = state()
        return key

    def _check(self) -> None:
        if self._world.fault is None and state() != self._expected:
            self._world.fault = uncontrolled(
                "a function of mx.random was called past the audit",
                "import mlx.core as mx and call mx.random.uniform(); not a function by its name",
            )

    def close(self) -> None:
        """Put the state of before back; a draw that went past the audit is a fault."""
        self._check()
        high, low = self._before
        _real_seed(high << 32 | low)


def state() -> tuple[int, ...]:
    """The state of MLX's sequence of keys."""
    return tuple(mx.random.state[0].tolist())


class Draws:
    """The functions of ``mx.random`` in one run."""

    def __init__(self, world: World, keys: Keys) -> None:
        self._world, self._keys = world, keys

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What the functions are replaced by."""
        ours = (self.uniform, self.categorical, self.bernoulli, self.gumbel, self.randint)
        return {
            "seed": self._keys.seed,
            **{each.__name__: each for each in ours},
            **{name: partial(_refuse, name) for name in _NO_RULE},
        }

    def _numbers(self, key: Any, count: int) -> list[Any]:
        """So many uniform numbers: those of the key, the same each time."""
        words = tuple((self._keys.next() if key is None else key).reshape(-1).tolist())
        if len(words) != 2 or count > MOST_NUMBERS:
            _refuse("a draw by many keys, or of very many numbers")
        drawn = self._world.by_state
        if ("mlx", words) not in drawn:
            if self._world.level == GRID:
                self._world.idealise("MLX's uniform numbers taken for those of an even grid", TINY)
            drawn["mlx", words] = [uniform(_BITS) for _ in range(count)]
        known: list[Any] = drawn["mlx", words]
        if len(known) != count:
            self._world.refuse(
                "audit-no-rule",
                f"one key gives {len(known)} numbers in one draw and {count} in another",
                "split the key, and use each part once",
            )
        return known

    def uniform(
        self,
        low: Any = 0,
        high: Any = 1,
        shape: Sequence[int] | None = None,
        dtype: Any = mx.float32,
        key: Any = None,
        stream: Any = None,
    ) -> Any:
        """Uniform numbers between two bounds."""
        return wrapped(self._between(low, high, shape, key), dtype or mx.float32)

    def _between(self, low: Any, high: Any, shape: Any, key: Any) -> Any:
        """The cells of uniform numbers between bounds."""
        least, most = cells_of(low), cells_of(high)
        size = np.broadcast_shapes(least.shape, most.shape) if shape is None else tuple(shape)
        columns = (np.broadcast_to(each, size).ravel() for each in (least, most))
        numbers = self._numbers(key, math.prod(size))
        cells = [
            python_number(_scaled(u, value_of_cell(a), value_of_cell(b)))
            for u, a, b in zip(numbers, *columns, strict=True)
        ]
        return object_array(cells, size)

    def bernoulli(
        self, p: Any = 0.5, shape: Any = None, key: Any = None, stream: Any = None
    ) -> Any:
        """Truth values that hold with given probabilities."""
        chances = cells_of(p)
        size = chances.shape if shape is None else tuple(shape)
        numbers = self._numbers(key, math.prod(size))
        pairs = zip(numbers, np.broadcast_to(chances, size).ravel(), strict=True)
        found = [holds(compare("lt", u, value_of_cell(chance))) for u, chance in pairs]
        return mx.array(found, mx.bool_).reshape(size)

    def gumbel(
        self,
        shape: Sequence[int] = (),
        dtype: Any = mx.float32,
        key: Any = None,
        stream: Any = None,
    ) -> Any:
        """Gumbel noise: -log(-log(U))."""
        numbers = self._numbers(key, math.prod(shape))
        return wrapped(object_array([python_number(_noise(u)) for u in numbers], shape), dtype)

    def randint(
        self,
        low: Any,
        high: Any,
        shape: Sequence[int] | None = None,
        dtype: Any = mx.int32,
        key: Any = None,
        stream: Any = None,
    ) -> Any:
        """Whole numbers from low up to high, which is none of them; decided when somebody looks."""
        cells = self._between(low, high, shape, key)
        tokens = [Token(Deferred(partial(math.floor, cell))) for cell in cells.flat]
        return wrapped(object_array(tokens, cells.shape), dtype)

    def categorical(
        self,
        logits: Any,
        axis: int = -1,
        shape: Any = None,
        num_samples: int | None = None,
        key: Any = None,
        stream: Any = None,
    ) -> Any:
        """Positions drawn by weight: Gumbel noise is added to the logits, and the best one wins."""
        rows = np.moveaxis(cells_of(logits), axis, -1)
        if shape is not None and num_samples is not None:
            raise ValueError("[categorical] At most one of shape or num_samples can be specified.")
        size = rows.shape[:-1] if shape is None else tuple(shape)
        if num_samples is not None:
            rows, size = rows[..., None, :], (*size, num_samples)
        rows = np.broadcast_to(rows, (*size, rows.shape[-1]))
        rows = rows.reshape(-1, rows.shape[-1])
        numbers = self._numbers(key, rows.size)
        noisy = [add(value_of_cell(c), _noise(u)) for c, u in zip(rows.flat, numbers, strict=True)]
        width = rows.shape[-1]
        scores = [noisy[i : i + width] for i in range(0, len(noisy), width)]
        winners = [token_or_int(position_of_best(row, largest=True)) for row in scores]
        return wrapped(object_array(winners, size), mx.uint32)


def _scaled(u: Any, low: Any, high: Any) -> Any:
    return u if (low, high) == (0, 1) else add(multiply(u, subtract(high, low)), low)


def _noise(u: Any) -> Any:
    """-log(-log(U))."""
    return negative(log(negative(log(u))))


def _refuse(what: str, *arguments: Any, **options: Any) -> NoReturn:
    current().refuse(
        "audit-no-rule",
        f"mx.random.{what} has no exact rule" if what in _NO_RULE else f"{what} has no exact rule",
        "the audit follows uniform numbers, Gumbel noise, categorical draws and whole numbers",
    )
