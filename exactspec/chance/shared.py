"""Random numbers that a rule uses more than once: uniform numbers and races with shared times."""

from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from exactspec.chance.draws import Decider, checked_label, plain_law
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault, InternalError
from exactspec.noise.interval import Interval
from exactspec.noise.races import race_after, second_race, won
from exactspec.numbers import Number, Symbolic, exact
from exactspec.text import short_fraction_text

T = TypeVar("T", bound=Hashable)


def exact_or_fault(value: object, what: str) -> Fraction:
    try:
        return exact(value, what=what)
    except TypeError as error:
        raise Fault(Diagnostic("rule-inexact", str(error))) from None


def coin(probability: Fraction) -> Distribution[bool]:
    return _new_coin(probability) if isinstance(probability, Symbolic) else _coin(probability)


def _new_coin(probability: Fraction) -> Distribution[bool]:
    return Distribution({True: probability, False: 1 - probability})


_coin = lru_cache(maxsize=4096)(_new_coin)


class Uniform:
    """A random number known as an interval: each comparison that is not settled yet narrows it."""

    __slots__ = ("_chance", "_interval", "_label")

    def __init__(self, chance: Decider, label: str, interval: Interval) -> None:
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

    def __copy__(self) -> "Uniform":
        return self

    def __deepcopy__(self, memo: object) -> "Uniform":
        return self

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

    @property
    def is_fresh(self) -> bool:
        """Whether no comparison has narrowed it."""
        return self._interval.is_whole

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The least number that it can be, and the first one above."""
        return self._interval.low, self._interval.high

    def _is_below(self, bound: Number, *, inclusive: bool) -> bool:
        value = exact_or_fault(bound, "the bound of a uniform number")
        below, above, share = self._interval.split(value, inclusive=inclusive)
        sign = "<=" if inclusive else "<"
        label = f"{self._label} {sign} {short_fraction_text(value)}"
        if isinstance(share, Symbolic) or 0 < share < 1:
            is_below = self._chance.decide("compare", label, coin(share))
        else:
            is_below = share == 1
        self._interval = below if is_below else above
        return is_below


class Race:
    """Exponential times shared by draws: each draw is won by the outcome with the least time over weight."""

    __slots__ = ("_chance", "_label", "_over")

    def __init__(self, chance: Decider, label: str) -> None:
        self._chance, self._label = chance, label
        self._over: list[tuple[Distribution[Any], Any]] = []

    def __copy__(self) -> "Race":
        return self

    def __deepcopy__(self, memo: object) -> "Race":
        return self

    def draw(self, distribution: Distribution[T], label: str | None = None) -> T:
        """The winner of a race with these weights."""
        name = self._label if label is None else checked_label(label)
        distribution = plain_law(distribution)
        if name == "draft":
            self._chance.draft_draws += 1
        winner = self._chance.decide("draw", name, self._law(distribution))
        self._over.append((distribution, winner))
        return winner

    def _law(self, distribution: Distribution[T]) -> Distribution[T]:
        """The law of the winner, given who won the earlier races that share times with this one."""
        races = self._sharing(distribution)
        if not races:
            return distribution
        if len(races) == 1:
            return second_race(*races[0], distribution)
        return race_after([won(*race) for race in races], distribution)

    def _sharing(self, distribution: Distribution[Any]) -> list[tuple[Distribution[Any], Any]]:
        """The earlier races over times of this one, or over times of such a race."""
        times = set(distribution)
        while True:
            races = [race for race in self._over if not times.isdisjoint(race[0])]
            reached = times.union(*(race[0] for race in races))
            if reached == times:
                return races
            times = reached
