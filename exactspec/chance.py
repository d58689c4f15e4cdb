"""The one door to randomness of a rule: whatever is random in it is asked of a ``Chance``.

A draw stays undecided until the rule looks at it, so a residual or bonus token that a rule only
returns never branches the tree.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import lru_cache
from operator import index
from typing import Any, Generic, Protocol, TypeVar, cast

from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault, InternalError
from exactspec.noise import Interval, second_race
from exactspec.numbers import Number, exact
from exactspec.text import fraction_text, short_fraction_text

Token = str


class Broken(str):
    """An outcome that is no token: undefined, stuck, out of range. Nothing follows it.

    A rule emits it in a token's place; the target never does. It equals no token, whatever its name.

    >>> print(Broken("stuck"), Broken("stuck") == "<stuck>", Broken("stuck") == Broken("stuck"))
    <stuck> False True
    """

    __slots__ = ()

    def __new__(cls, what: str) -> "Broken":
        return super().__new__(cls, f"<{what}>")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Broken) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Broken, str(self)))

    def __getnewargs__(self) -> tuple[str]:
        return (str(self)[1:-1],)


T = TypeVar("T", bound=Hashable)


class Drafting(Protocol):
    """A draft that a rule has begun, and may not have looked at to its end."""

    draft: Any
    context: Any
    draft_length: int

    def looked_at(self) -> tuple[Token, ...]:
        """The drafted tokens that are decided."""

    def drawn(self) -> int:
        """How many tokens were drawn, decided or not."""


class Chance(ABC):
    """Where a rule's random numbers come from: enumeration, simulation and proof each give their own."""

    def __init__(self) -> None:
        self.draft_draws = 0
        self.drafting: list[Drafting] = []

    def draw(self, distribution: Distribution[T], label: str = "draw") -> T:
        """One outcome drawn from a distribution; it is decided when the rule first looks at it.

        Args:
            distribution: the law to draw from.
            label: what the draw is for, as the proof tree shows it: ``draft``, ``residual``,
                ``bonus`` or words of your own.

        Raises:
            Fault: where ``distribution`` is no ``Distribution``.
        """
        if not isinstance(distribution, Distribution):
            raise Fault(
                Diagnostic(
                    "rule-not-a-distribution",
                    f"draw was given a {type(distribution).__name__}, not a Distribution",
                    "draw from target(...), draft(...), residual(p, q) or Distribution({...})",
                )
            )
        if label == "draft":
            self.draft_draws += 1
        return cast(T, Draw(self, label, distribution))

    def accept(self, probability: Fraction | int, label: str = "accept") -> bool:
        """A coin that shows True with an exact probability in [0, 1].

        Raises:
            Fault: for a float, or a probability outside [0, 1].
        """
        value = _exact(probability, "the acceptance probability")
        if not 0 <= value <= 1:
            raise Fault(
                Diagnostic(
                    "rule-acceptance-range",
                    f"an acceptance probability of {fraction_text(value)}, outside [0, 1]",
                    "cap the ratio: minimum(1, p[token] / q[token])",
                )
            )
        return self.decide("accept", label, _coin(value))

    def uniform(self, label: str = "u") -> "Uniform":
        """A number drawn evenly from [0, 1), known only as far as it has been compared."""
        return Uniform(self, label, Interval())

    def grid(self, steps: int, label: str = "u") -> "Uniform":
        """A number drawn evenly from 0, 1/steps, ..., 1 - 1/steps, on which < and <= differ."""
        return Uniform(self, label, Interval(steps=steps))

    def race(self, label: str = "race") -> "Race":
        """Exponential times, one for each outcome, that several draws may share."""
        return Race(self, label)

    @abstractmethod
    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        """Choose one outcome of a question that the rule has looked at."""


def _exact(value: object, what: str) -> Fraction:
    try:
        return exact(value, what=what)
    except TypeError as error:
        raise Fault(Diagnostic("rule-inexact", str(error))) from None


@lru_cache(maxsize=4096)
def _coin(probability: Fraction) -> Distribution[bool]:
    return Distribution({True: probability, False: 1 - probability})


class Draw(Generic[T]):
    """A drawn outcome that is decided at the first look: comparing, hashing, printing, indexing by it."""

    __slots__ = ("_chance", "_decided", "_outcome", "distribution", "label")

    def __init__(self, chance: Chance, label: str, distribution: Distribution[T]) -> None:
        self._chance, self.label, self.distribution = chance, label, distribution
        self._decided = False
        self._outcome: T | None = None

    @property
    def is_decided(self) -> bool:
        return self._decided

    def is_of(self, chance: Chance) -> bool:
        """Whether this chance has drawn it, and not that of an earlier run."""
        return self._chance is chance

    def look(self) -> T:
        """The outcome, decided now if it was not before."""
        if not self._decided:
            self._outcome = self._chance.decide("draw", self.label, self.distribution)
            self._decided = True
        return cast(T, self._outcome)

    def __eq__(self, other: object) -> bool:
        return self.look() == (other.look() if isinstance(other, Draw) else other)

    def __hash__(self) -> int:
        return hash(self.look())

    def __lt__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) < plain(other))

    def __gt__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) > plain(other))

    def __le__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) <= plain(other))

    def __ge__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) >= plain(other))

    def __bool__(self) -> bool:
        return bool(self.look())

    def __index__(self) -> int:
        return index(cast(Any, self.look()))

    def __str__(self) -> str:
        return str(self.look())

    def __repr__(self) -> str:
        return repr(self.look())

    def __format__(self, spec: str) -> str:
        return format(self.look(), spec)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.look(), name)


class Uniform:
    """A random number known as an interval: each comparison that is not settled yet narrows it."""

    __slots__ = ("_chance", "_interval", "_label")

    def __init__(self, chance: Chance, label: str, interval: Interval) -> None:
        self._chance, self._label, self._interval = chance, label, interval

    def __lt__(self, bound: Number) -> bool:
        return self._is_below(bound, inclusive=False)

    def __le__(self, bound: Number) -> bool:
        return self._is_below(bound, inclusive=True)

    def __gt__(self, bound: Number) -> bool:
        return not self._is_below(bound, inclusive=True)

    def __ge__(self, bound: Number) -> bool:
        return not self._is_below(bound, inclusive=False)

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise Fault(
            Diagnostic(
                "rule-uniform-compared",
                "a uniform number was compared for equality",
                "compare it with <, <=, > or >=, or draw with pick(distribution)",
            )
        )

    def pick(self, distribution: Distribution[T]) -> T:
        """The outcome in whose part of [0, 1) the number lies, the parts laid one after another."""
        reached = Fraction(0)
        for outcome, weight in distribution.items():
            reached += weight
            if reached == 1 or self._is_below(reached, inclusive=False):
                return outcome
        raise InternalError("the parts of a distribution do not fill [0, 1)")

    def _is_below(self, bound: Number, *, inclusive: bool) -> bool:
        value = _exact(bound, "the bound of a uniform number")
        below, above, share = self._interval.split(value, inclusive=inclusive)
        sign = "<=" if inclusive else "<"
        label = f"{self._label} {sign} {short_fraction_text(value)}"
        if 0 < share < 1:
            is_below = self._chance.decide("compare", label, _coin(share))
        else:
            is_below = share == 1
        self._interval = below if is_below else above
        return is_below


class Race:
    """Exponential times shared by draws: each draw is won by the outcome with the least time over weight."""

    __slots__ = ("_chance", "_first", "_label")

    def __init__(self, chance: Chance, label: str) -> None:
        self._chance, self._label = chance, label
        self._first: tuple[Distribution[Any], Any] | None = None

    def draw(self, distribution: Distribution[T], label: str | None = None) -> T:
        """The winner of a race with these weights.

        Raises:
            Fault: at the third race, whose law given the first two is not worked out.
        """
        name = label or self._label
        if name == "draft":
            self._chance.draft_draws += 1
        if self._first is None:
            self._first = distribution, self._chance.decide("draw", name, distribution)
            return self._first[1]
        first, winner = self._first
        self._first = distribution, _THIRD
        if winner is _THIRD:
            raise Fault(
                Diagnostic(
                    "rule-third-race",
                    "a third draw shares the times of one race",
                    "two draws may share the same times; give a third one a race of its own",
                )
            )
        second: Distribution[T] = second_race(first, winner, distribution)
        return self._chance.decide("draw", name, second)


_THIRD = object()


def is_decided(value: object) -> bool:
    """Whether a value is a plain one, or a draw that somebody has looked at."""
    return not isinstance(value, Draw) or value.is_decided


def draws_in(value: Any) -> Iterator[Draw[Any]]:
    """Every draw in a value: by itself, and inside tuples and frozen sets."""
    if isinstance(value, Draw):
        yield value
    elif type(value) in (tuple, frozenset):
        for inner in value:
            yield from draws_in(inner)


def plain(value: Any) -> Any:
    """A value with every draw in it decided: draws by themselves, and inside tuples and frozen sets."""
    if isinstance(value, Draw):
        return value.look()
    if type(value) is tuple:
        return tuple(map(plain, value))
    if type(value) is frozenset:
        return frozenset(map(plain, value))
    return value
