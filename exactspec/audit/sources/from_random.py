"""Python's ``random``: the module's functions and every ``random.Random``, made before or in the run."""

import math
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from exactspec.audit.arithmetic import divide, exp, log
from exactspec.audit.numbers import (
    Unknown,
    exact_or_float,
    python_number,
    value_behind,
    whole_number,
)
from exactspec.audit.sources.guard import Watch
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.symbols import Exponential, new_time, uniform
from exactspec.audit.world import World, current

_BITS = 53
_SEED = 20_230_715
_WITH_A_RULE = (
    *("random", "uniform", "randint", "randrange", "choice", "choices", "shuffle", "sample"),
    *("expovariate", "triangular", "seed", "setstate"),
)
_NO_RULE = (
    *("gauss", "normalvariate", "lognormvariate", "vonmisesvariate", "gammavariate", "betavariate"),
    *("paretovariate", "weibullvariate", "randbytes", "getrandbits", "binomialvariate"),
)
_real_random, _real_seed, _real_setstate = (
    random.Random.random,
    random.Random.seed,
    random.Random.setstate,
)
_ASIDE = frozenset(("<frozen importlib._bootstrap>", tempfile.__file__))
_aside_outside = 0
_WATCH = Watch(
    (random.Random,),
    lambda generator: None if _has_no_state(generator) else generator.getstate(),
    "a function of Python's random was called past the audit",
    "import the module and call random.random(); not: from random import random, before the run",
)


def _has_no_state(generator: random.Random) -> bool:
    """Whether a generator takes its numbers from the system: no two are equal."""
    return isinstance(generator, random.SystemRandom)


def _drawn(generator: random.Random, kind: str, draw: Callable[[], Any]) -> Any:
    """What a generator gives in its state: the same in the same state. The state then moves on."""
    if _has_no_state(generator):
        return draw()
    _WATCH.check(generator)
    key = ("random", generator.getstate())
    by_state = current().by_state
    if key not in by_state:
        by_state[key] = kind, draw()
    _real_random(generator)
    _WATCH.seen(generator)
    known, drawn = by_state[key]
    if known != kind:
        current().refuse(
            "audit-no-rule",
            f"one state of a generator gives a number of two kinds: {known}, {kind}",
            "seed the generator once",
        )
    return drawn


def _seed(self: random.Random, *arguments: Any, **options: Any) -> None:
    _WATCH.check(self)
    _real_seed(self, *arguments, **options)
    _WATCH.seen(self)


def _setstate(self: random.Random, state: Any) -> None:
    _WATCH.check(self)
    _real_setstate(self, state)
    _WATCH.seen(self)


def _calls_aside() -> int:
    """How many calls on the stack are of Python's import, or name a temporary file."""
    frame, found = sys._getframe(1).f_back, 0
    while frame is not None:
        found += frame.f_code.co_filename in _ASIDE
        frame = frame.f_back
    return found


def _is_aside() -> bool:
    """Whether a module is imported, or a temporary file named: what that draws is no outcome."""
    return _calls_aside() > _aside_outside


def _past_the_audit(generator: random.Random) -> float:
    _WATCH.check(generator)
    number = _real_random(generator)
    _WATCH.moved(generator)
    return number


def _random(self: random.Random) -> Any:
    if _is_aside():
        return _past_the_audit(self)
    return _drawn(self, "uniform", lambda: Unknown(uniform(_BITS)))


def _randbelow(self: random.Random, size: int) -> int:
    if _is_aside():
        return int(_past_the_audit(self) * size)
    return int(_drawn(self, f"below {size}", lambda: whole_number(size)).look())


def _expovariate(self: random.Random, lambd: float = 1.0) -> Any:
    time = _drawn(self, "exponential", new_time)
    return python_number(divide(Exponential(time), value_behind(lambd)))


def _refused(name: str, owner: Any) -> Callable[..., Any]:
    real = getattr(owner, name)

    def call(*arguments: Any, **options: Any) -> Any:
        if _is_aside():
            drawn = real(*arguments, **options)
            _WATCH.moved(getattr(real, "__self__", arguments[0] if arguments else None))
            return drawn
        current().refuse(
            "audit-no-rule",
            f"random.{name} has no exact rule",
            "the audit follows uniform numbers, exponential times and choices",
        )

    return call


def _of(function: Callable[[Any], Any], real: Callable[..., Any]) -> Callable[..., Any]:
    """A function of ``math`` that also takes numbers of an audit."""

    def call(number: Any, *rest: Any) -> Any:
        if rest or not (isinstance(number, Unknown) or hasattr(number, "exact")):
            return real(number, *rest)
        value = value_behind(number)
        if real is math.log and value == 0:
            raise ValueError("math domain error")
        return python_number(function(value))

    return call


class _Random:
    """Python's ``random`` under control."""

    @contextmanager
    def control(self, world: World) -> Iterator[None]:
        global _aside_outside
        _aside_outside = _calls_aside()
        hidden: random.Random = vars(random)["_inst"]
        state = hidden.getstate()
        hidden.seed(_SEED)
        methods: dict[str, Any] = {
            name: _refused(name, random.Random) for name in _NO_RULE if hasattr(random, name)
        }
        methods |= {"random": _random, "_randbelow": _randbelow, "expovariate": _expovariate}
        methods |= {"seed": _seed, "setstate": _setstate}
        functions: dict[str, Any] = {
            name: _refused(name, random) for name in _NO_RULE if hasattr(random, name)
        }
        with (
            replaced(random.Random, **methods),
            replaced(
                random.SystemRandom,
                random=_random,
                _randbelow=_randbelow,
                getrandbits=_refused("getrandbits", random.SystemRandom),
            ),
            replaced(math, log=_of(log, math.log), exp=_of(exp, math.exp)),
        ):
            functions |= {name: getattr(hidden, name) for name in _WITH_A_RULE}
            with replaced(random, **functions):
                try:
                    with _WATCH.over(world):
                        yield
                finally:
                    _real_setstate(hidden, state)

    def plain(self, value: Any) -> Any:
        return value


SOURCE = _Random()


def ids(tokens: Sequence[int]) -> list[int]:
    """Token ids as a list."""
    return list(tokens)


def probs(rows: Sequence[Sequence[Fraction]], dtype: object = None) -> list[list[Any]]:
    """Rows of probabilities as lists."""
    return [[exact_or_float(weight) for weight in row] for row in rows]


def logits(rows: Sequence[Sequence[Fraction]], dtype: object = None) -> list[list[Any]]:
    """The logarithms of rows of probabilities as lists."""
    return [[_log_of(weight) for weight in row] for row in rows]


def _log_of(weight: Fraction) -> Any:
    number = exact_or_float(weight)
    if not weight:
        return -math.inf
    return python_number(log(value_behind(number))) if current().is_rational else math.log(number)
