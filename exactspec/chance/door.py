"""What a rule asks for its random numbers, whoever answers."""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Protocol, TypeVar, cast

from exactspec.chance.draws import Draw, Token, checked_label, plain_law
from exactspec.chance.shared import Race, Uniform, coin, exact_or_fault
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault
from exactspec.noise.interval import Interval
from exactspec.text import fraction_text

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
        """One outcome drawn from a distribution; a token is decided when the rule first looks at it.

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
        if checked_label(label) == "draft":
            self.draft_draws += 1
        if distribution.only_texts:
            return cast(T, Draw(self, label, distribution))
        return self.decide("draw", label, plain_law(distribution))

    def accept(self, probability: Fraction | int, label: str = "accept") -> bool:
        """A coin that shows True with an exact probability in [0, 1].

        Raises:
            Fault: for a float, or a probability outside [0, 1].
        """
        checked_label(label)
        value = exact_or_fault(probability, "the acceptance probability")
        if not 0 <= value <= 1:
            raise Fault(
                Diagnostic(
                    "rule-acceptance-range",
                    f"an acceptance probability of {fraction_text(value)}, outside [0, 1]",
                    "cap the ratio: minimum(1, p[token] / q[token])",
                )
            )
        return self.decide("accept", label, coin(value))

    def uniform(self, label: str = "u") -> Uniform:
        """A number drawn evenly from [0, 1), known only as far as it has been compared."""
        return Uniform(self, checked_label(label), Interval())

    def grid(self, steps: int, label: str = "u") -> Uniform:
        """A number drawn evenly from 0, 1/steps, ..., 1 - 1/steps, on which < and <= differ."""
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
            hint = "a grid has a whole number of steps, at least 1"
            raise Fault(Diagnostic("rule-grid", f"a grid of {steps!r} steps", hint))
        return Uniform(self, checked_label(label), Interval(steps=steps))

    def race(self, label: str = "race") -> Race:
        """Exponential times, one for each outcome, that several draws may share."""
        return Race(self, checked_label(label))

    @abstractmethod
    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        """Choose one outcome of a question that the rule has looked at."""
