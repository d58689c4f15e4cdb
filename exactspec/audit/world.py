"""One run of an audited program: what it has drawn so far, and what is known of it."""

import re
import sys
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Protocol, TypeVar, cast

from exactspec.chance import Race, Uniform
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, ExactspecError, Fault, InternalError
from exactspec.expand.replay import Decision, Replay, Step, steps_text

T = TypeVar("T", bound=Hashable)
RATIONAL, FLOAT, GRID = "rational", "float", "grid"
LEVELS = (RATIONAL, FLOAT, GRID)
MOST_QUESTIONS = 100_000
_OWN = str(Path(__file__).parent)
_LIBRARIES = ("/torch/", "/numpy/", "/mlx/", "/triton/", "/random.py", "/contextlib.py")
_STAND_INS = re.compile(r"\b(Unknown|Rational|Categorical|Winner|Deferred|Token|ExactArray)\b")
_OF_ARRAYS = re.compile(
    r"^'bool' object has no attribute '(item|astype|any|all|sum|tolist|numpy|dtype|shape|ndim|size)'$"
)
_NOTHING = object()
_now: list["World"] = []


class Unmergeable(BaseException):
    """Something drawn before a boundary was used behind it: equal states may have unequal futures."""


class Drawn(dict[Hashable, Any]):
    """What was drawn in a run, by the generator's state, with the part of the run it was drawn in."""

    def __init__(self, world: "World") -> None:
        super().__init__()
        self._world, self._parts = world, dict[Hashable, int]()

    def __setitem__(self, key: Hashable, drawn: Any) -> None:
        self._parts[key] = self._world.part
        super().__setitem__(key, drawn)

    def __getitem__(self, key: Hashable) -> Any:
        drawn = super().__getitem__(key)
        self._world.use(self._parts[key])
        return drawn


@dataclass(frozen=True)
class Raised:
    """The program ended in an exception: its type, and the first line of its message."""

    type: str
    message: str

    @classmethod
    def by(cls, error: BaseException) -> "Raised":
        """An exception as an outcome."""
        lines = str(error).splitlines()
        return cls(type(error).__name__, lines[0][:200] if lines else "")

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


class Source(Protocol):
    """Where a program's random numbers come from, put under an audit's control for one run."""

    def control(self, world: "World") -> AbstractContextManager[Any]:
        """A context in which the random numbers are those of a world."""

    def plain(self, value: Any) -> Any:
        """A value of the library's own as nested tuples of plain values and draws; others unchanged."""


class Cut(BaseException):
    """A run is not followed further: what comes after its state is known already."""

    def __init__(self, state: Hashable) -> None:
        self.state = state
        super().__init__()


class World(Replay):
    """What a running program's random numbers are answered by, and what the back ends keep for one run.

    Args:
        decisions: the questions of the current path.
        level: ``rational``, ``float`` or ``grid``.
        sources: the libraries whose random numbers it answers.

    Attributes:
        times: the exponential times of the run, which all its races may share; ``times_drawn`` are
            drawn so far, and those in ``raced`` have taken part in a race.
        part: how many boundaries the run has passed.
        by_state: what was drawn, by the generator's state: the same state gives the same numbers.
        symbols: what the arrays of a back end refer to by number; 0 stands for no symbol.
        uncertainty: how much probability idealisations may have moved at most.
        notes: those idealisations, and where numbers became floats, in words.
        unit: the relative rounding of the coarsest floats that the program was given.
        is_rounded: whether a number that was followed exactly became a float.
        fault: why the run can't be audited, kept in case the program hides it.
        is_outdated: whether the program has imported a library whose random numbers were not answered;
            then the run does not count, whatever it came to.
        cut: that the run is not followed further, kept in case the program hides it.
        outcome: what the run came to: what was emitted, ``Raised``, or the state where it was cut.
    """

    def __init__(
        self, decisions: list[Decision], level: str, sources: Sequence[Source] = ()
    ) -> None:
        super().__init__(decisions, MOST_QUESTIONS)
        self.level, self.sources = level, sources
        self.outcome: Any = _NOTHING
        self._open = ExitStack()
        self._was_entered = False
        self.times: Race = self.race("exponential times")
        self.times_drawn = 0
        self.raced: set[int] = set()
        self.part = 0
        self.by_state = Drawn(self)
        self.symbols: list[Any] = [None]
        self.uncertainty = Fraction(0)
        self.notes: set[str] = set()
        self.unit = Fraction(0)
        self.is_rounded = False
        self.fault: BaseException | None = None
        self.merging: Any = None
        self.cut: Cut | None = None
        self.is_outdated: Callable[[], bool] = lambda: False

    @property
    def is_rational(self) -> bool:
        """Whether the tables' numbers are followed as rationals."""
        return self.level != FLOAT

    def new_uniform(self, bits: int) -> Uniform:
        """A number drawn evenly from [0, 1), or from the grid of 2^bits steps that a library draws from."""
        label = f"u at {call_site()}"
        return self.grid(2**bits, label) if self.level == GRID else self.uniform(label)

    def idealise(self, note: str, uncertainty: Fraction = Fraction(0)) -> None:
        """Note that something was taken for its ideal, which moves so much probability at most."""
        self.notes.add(note)
        self.uncertainty += uncertainty

    @property
    def path(self) -> list[Decision]:
        """The questions of the current path: one list for all runs of an exploration."""
        return self._decisions

    def use(self, part: int) -> None:
        """Note that something drawn in a part of the run is used now.

        Raises:
            Unmergeable: where a boundary lies in between, and runs are merged there.
        """
        if part != self.part and self.merging is not None:
            self.fault = self.fault or Unmergeable()
            raise self.fault

    def gives_floats(self, bits: int) -> None:
        """Note that the program was given floats with so many bits."""
        self.unit = max(self.unit, Fraction(1, 2**bits))

    def round_off(self, where: str) -> None:
        """Note that a number that was followed exactly became a float."""
        self.is_rounded = True
        self.notes.add(f"rounded to floats: {where}")

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        if self.cut is not None:
            raise self.cut
        if len(distribution) == 1:
            return next(iter(distribution))
        try:
            return super().decide(kind, label, distribution)
        except BaseException as fault:
            self.fault = self.fault or fault
            raise

    def refuse(self, code: str, message: str, hint: str) -> NoReturn:
        """Give up: what the program does with its random numbers has no exact rule."""
        fault = Fault(Diagnostic(code, f"{message}, at {call_site()}", hint))
        self.fault = self.fault or fault
        raise fault

    def differing(self, first: str, second: str, steps: tuple[Step, ...]) -> Fault:
        return Fault(
            Diagnostic(
                "audit-not-deterministic",
                "two runs of the audited program with the same random outcomes differ",
                "the program keeps something between its runs, or has a source of randomness that the "
                "audit does not control; build models, caches and generators anew in each run",
                notes=(
                    f"after: {steps_text(steps)}",
                    f"first run:  {first}",
                    f"second run: {second}",
                ),
            )
        )

    @property
    def has_emitted(self) -> bool:
        """Whether the run has come to an outcome."""
        return self.outcome is not _NOTHING

    def emit(self, outcome: Any) -> None:
        """Say what the run came to: token ids, an array or tensor of them, or any hashable value.

        Raises:
            Fault: outside the run, or where the run has emitted already.
        """
        if not _now or _now[-1] is not self:
            raise misuse("world.emit was called outside `with world:`")
        if self.has_emitted:
            raise misuse("world.emit was called twice in one run")
        self.outcome = self.plain(outcome)

    def plain(self, value: Any) -> Any:
        """A value as nested tuples of plain values, with draws that nobody has looked at."""
        for source in self.sources:
            value = source.plain(value)
        if isinstance(value, list | tuple):
            return tuple(map(self.plain, value))
        return value.look() if isinstance(value, Deferred) else _looked_at(value)

    def __enter__(self) -> "World":
        if self._was_entered:
            raise misuse("a world was entered twice")
        self._was_entered = True
        _now.append(self)
        for source in self.sources:
            self._open.enter_context(source.control(self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._open.close()
        _now.pop()
        if isinstance(self.fault, Unmergeable):
            self.outcome = self.fault
        elif self.fault is not None:
            if not self.is_outdated():
                raise self.fault
        elif self.cut is not None:
            self.outcome = self.cut
        elif isinstance(error, Exception) and not isinstance(error, InternalError | ExactspecError):
            self._end_in(error)
        else:
            return False
        return True

    def _end_in(self, error: Exception) -> None:
        """The program has raised an exception: its own, or one about what stands for its numbers."""
        kinds = TypeError | AttributeError | ValueError
        is_ours = isinstance(error, kinds) and (
            _STAND_INS.search(str(error)) or _OF_ARRAYS.search(str(error))
        )
        if is_ours and not self.is_outdated():
            raise Fault(
                Diagnostic(
                    "audit-no-rule",
                    f"the program can't use what stands for a random number: {error}",
                    "the audit follows comparisons and arithmetic of random numbers; or try level float",
                )
            ) from error
        self.outcome = Raised.by(error)


class Deferred:
    """A value that is decided when somebody looks, and is no draw of its own: it hangs on others."""

    __slots__ = ("_decide", "_value")

    def __init__(self, decide: Callable[[], Any]) -> None:
        self._decide: Callable[[], Any] | None = decide
        self._value: Any = None

    def look(self) -> Any:
        """The value, decided now if it was not before."""
        if self._decide is not None:
            self._value = self._decide()
            self._decide = None
        return self._value


def _looked_at(value: Any) -> Any:
    """A value whose parts are decided: only draws by themselves and in tuples stay open."""
    if isinstance(value, frozenset) or is_dataclass(value):
        with suppress(TypeError):
            hash(value)
    return value


def misuse(what: str) -> Fault:
    """What is wrong with a loop over worlds."""
    hint = "for world in worlds: with world: world.emit(...), to the end; then worlds.law()"
    return Fault(Diagnostic("audit-worlds", what, hint))


def current() -> World:
    """The world of the run that is going on.

    Raises:
        InternalError: outside a run.
    """
    if not _now:
        raise InternalError("a random number of an audit was used outside its run")
    return _now[-1]


def is_running() -> bool:
    """Whether an audited program is running now."""
    return bool(_now)


def boundary(*state: Hashable) -> None:
    """Say, from an audited loop, that what follows depends on nothing but a state.

    Runs that reach the same state are followed only once from there on. A loop calls it where a round
    begins, with its tokens so far and everything else that later rounds look at. Outside an audit it
    does nothing.

    A state that leaves out something that later rounds look at, such as a cache, a count or the number
    of tokens still to come, gives a wrong law: what followed the first run that reached it is taken
    for what follows every other. Audit a short loop with ``Exploration(merge=False)`` to compare.

    Args:
        state: decided values, hashable.
    """
    if _now:
        _now[-1].part += 1
        if _now[-1].merging is not None:
            _now[-1].merging.reach(_now[-1], state)


def call_site() -> str:
    """The line of the audited program that is at work: file name and number."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        is_adapter = name.startswith(_OWN) and "/adapters/" in name
        if is_adapter or not (name.startswith(_OWN) or any(part in name for part in _LIBRARIES)):
            return f"{name.rpartition('/')[2]}:{frame.f_lineno}"
        frame = cast(Any, frame.f_back)
    return "?"
