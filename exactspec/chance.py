"""The one door to randomness of a rule: whatever is random in it is asked of a ``Chance``.

A draw stays undecided until the rule looks at it, so a residual or bonus token that a rule only
returns never branches the tree.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar, cast

from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault
from exactspec.numbers import exact
from exactspec.text import fraction_text

Token = str
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
        try:
            value = exact(probability, what="the acceptance probability")
        except TypeError as error:
            raise Fault(Diagnostic("rule-inexact", str(error))) from None
        if not 0 <= value <= 1:
            raise Fault(
                Diagnostic(
                    "rule-acceptance-range",
                    f"an acceptance probability of {fraction_text(value)}, outside [0, 1]",
                    "cap the ratio: minimum(1, p[token] / q[token])",
                )
            )
        return self.decide("accept", label, _coin(value))

    @abstractmethod
    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        """Choose one outcome of a question that the rule has looked at."""


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


def is_decided(value: object) -> bool:
    """Whether a value is a plain one, or a draw that somebody has looked at."""
    return not isinstance(value, Draw) or value.is_decided


def plain(value: Any) -> Any:
    """A value with every draw in it decided: draws by themselves, and inside tuples and frozen sets."""
    if isinstance(value, Draw):
        return value.look()
    if type(value) is tuple:
        return tuple(map(plain, value))
    if type(value) is frozenset:
        return frozenset(map(plain, value))
    return value
