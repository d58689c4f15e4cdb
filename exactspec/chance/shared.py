"""Random numbers that a rule uses more than once: uniform numbers and races with shared times."""

from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from exactspec.chance.draws import Decider, checked_label, plain_law
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault, InternalError
from exactspec.noise import Interval, second_race
from exactspec.numbers import Number, Symbolic, exact
from exactspec.text import short_fraction_text

T = TypeVar("T", bound=Hashable)
_THIRD = object()


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

    __slots__ = ("_chance", "_first", "_label")

    def __init__(self, chance: Decider, label: str) -> None:
        self._chance, self._label = chance, label
        self._first: tuple[Distribution[Any], Any] | None = None

    def __copy__(self) -> "Race":
        return self

    def __deepcopy__(self, memo: object) -> "Race":
        return self

    def draw(self, distribution: Distribution[T], label: str | None = None) -> T:
        """The winner of a race with these weights.

        Raises:
            Fault: at the third race, whose law given the first two is not worked out.
        """
        name = self._label if label is None else checked_label(label)
        distribution = plain_law(distribution)
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
