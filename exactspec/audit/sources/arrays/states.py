"""What a NumPy bit generator gives in a state: the same numbers in the same state, in every audit."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import accumulate
from typing import Any, cast

import numpy as np

from exactspec.audit.comparison import compare, holds
from exactspec.audit.numbers import Unknown, categorical
from exactspec.audit.sources.guard import Watch, uncontrolled
from exactspec.audit.symbols import Affine, Variable, uniform
from exactspec.audit.world import GRID, World, call_site, current, is_running
from exactspec.chance import Uniform
from exactspec.noise.interval import Interval

_BITS = np.random.bit_generator
_LOCK = "RLock" if hasattr(_BITS, "RLock") else "Lock"
_HINT = (
    "make generators inside the step or loop that is audited, by np.random.default_rng(seed), "
    "and import numpy, not its functions by name"
)


def state_of(bits: Any) -> Hashable:
    """The state of a bit generator, to compare."""
    return _hashable(bits.state)


def _hashable(state: Any) -> Hashable:
    if isinstance(state, dict):
        return tuple((name, _hashable(part)) for name, part in state.items())
    return bytes(state.tobytes()) if isinstance(state, np.ndarray) else cast(Hashable, state)


_WATCH = Watch(
    (np.random.BitGenerator,),
    state_of,
    "a generator of NumPy's that was made before the run has drawn past the audit",
    _HINT,
)
_moves = 0


@contextmanager
def moving() -> Iterator[None]:
    """While the audit itself moves a generator, or the program seeds one."""
    global _moves
    _moves += 1
    try:
        yield
    finally:
        _moves -= 1


def is_moving() -> bool:
    """Whether the audit itself moves a generator."""
    return _moves > 0


class _WatchedLock:
    """The lock of a bit generator: whoever draws takes it, which in a run is the audit alone.

    From the first audit on bit generators are made with it, in runs and between them.
    """

    def __init__(self) -> None:
        self._lock = _REAL_LOCK()

    def __enter__(self) -> Any:
        if is_running() and not _moves:
            world = current()
            fault = uncontrolled(
                f"a generator of NumPy's has drawn past the audit, at {call_site()}", _HINT
            )
            world.fault = world.fault or fault
            raise fault
        return self._lock.__enter__()

    def __exit__(self, *error: Any) -> Any:
        return self._lock.__exit__(*error)

    def acquire(self, *arguments: Any, **options: Any) -> Any:
        return self._lock.acquire(*arguments, **options)

    def release(self) -> None:
        self._lock.release()


_REAL_LOCK = getattr(_BITS, _LOCK)
setattr(_BITS, _LOCK, _WatchedLock)


@contextmanager
def watched(world: World) -> Iterator[None]:
    """For one run: draws of generators that are not the audit's are its fault."""
    with _WATCH.over(world):
        yield


def drawn(bits: Any, kind: str, draw: Callable[[], Any], move: Callable[[], Any]) -> Any:
    """What a generator gives in its state; the state then moves on as it really does.

    Args:
        bits: the bit generator.
        kind: what is drawn, in words; one state gives numbers of one kind only.
        draw: makes what is drawn, where the state has given nothing yet.
        move: draws for real, which moves the generator and raises what it raises.
    """
    _WATCH.check(bits)
    key = ("numpy", type(bits).__name__, state_of(bits))
    with moving():
        move()
    _WATCH.moved(bits)
    by_state = current().by_state
    if key not in by_state:
        by_state[key] = kind, draw()
    known, result = by_state[key]
    if known != kind:
        current().refuse(
            "audit-no-rule",
            f"one state of a generator gives numbers of two kinds: {known}, {kind}",
            "seed the generator once",
        )
    return result


class Even:
    """An even number of [0, 1) as a state gives it: looked at as a number, or as a position by weights."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._number: Unknown | None = None
        self._positions: dict[tuple[Fraction, ...], Any] = {}

    @property
    def number(self) -> Unknown:
        """The number; where it has chosen a position, one that chooses the same."""
        if self._number is None:
            self._number = Unknown(self._behind_position() or uniform(self._bits))
        return self._number

    def _behind_position(self) -> Affine | None:
        for weights, draw in self._positions.items():
            ends = [Fraction(0), *_ends(weights)]
            position = draw.look()
            known = Interval(ends[position], ends[position + 1])
            label = f"u at {call_site()}"
            return Affine(Variable(Uniform(current(), label, known), call_site()))
        return None

    def position(self, weights: Sequence[Fraction]) -> Any:
        """The position in whose part of [0, 1) the number lies; open where it has no other use."""
        weights = tuple(weights)
        if current().level == GRID:
            return self._looked_up(weights)
        if weights not in self._positions:
            if self._number is None and not self._positions:
                self._positions[weights] = categorical(weights, f"choice at {call_site()}")
            else:
                return self._looked_up(weights)
        return self._positions[weights]

    def _looked_up(self, weights: Sequence[Fraction]) -> int:
        value = self.number.value
        for position, end in enumerate(_ends(weights)):
            if holds(compare("lt", value, end)):
                return position
        return len(weights) - 1


def _ends(weights: Sequence[Fraction]) -> list[Fraction]:
    total = sum(weights)
    return [reached / total for reached in accumulate(weights)]
