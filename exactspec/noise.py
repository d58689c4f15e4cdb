"""Random numbers that are used more than once, exactly: what is known of them, and what follows.

A uniform number is known as an interval that every comparison narrows. A race of exponential times
is known by who won it; the law of a second race over the same times is rational.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from exactspec.distribution import Distribution
from exactspec.numbers import Number, Symbolic, exact, minimum

T = TypeVar("T", bound=Hashable)
_ZERO = Fraction(0)
_ONE = Fraction(1)


@dataclass(frozen=True)
class Interval:
    """All that is known of an even number: it lies in [low, high).

    Args:
        low: the least value.
        high: the first value above.
        steps: None for any number of the interval; else the number is one of 0, 1/steps, 2/steps, ...
    """

    low: Fraction = _ZERO
    high: Fraction = _ONE
    steps: int | None = None

    def split(self, bound: Number, *, inclusive: bool) -> tuple["Interval", "Interval", Fraction]:
        """The numbers below a bound (with it where ``inclusive``), those above, and the share below.

        >>> Interval(steps=4).split(Fraction(1, 2), inclusive=True)[2]
        Fraction(3, 4)
        """
        least, most = self.low, self.high
        first = self._first_above(exact(bound), inclusive)
        if isinstance(first, Symbolic):
            cut = minimum(first + least - minimum(first, least), most)
        else:
            cut = min(max(first, least), most)
        share = (cut - self.low) / (self.high - self.low)
        below = Interval(self.low, cut, self.steps)
        return below, Interval(cut, self.high, self.steps), share

    def _first_above(self, bound: Fraction, inclusive: bool) -> Fraction:
        if self.steps is None:
            return bound
        scaled = bound * self.steps
        return Fraction(floor(scaled) + 1 if inclusive else ceil(scaled), self.steps)


def second_race(first: Distribution[T], winner: T, second: Distribution[T]) -> Distribution[T]:
    """The law of the second race's winner, given who won the first, over the same times.

    Every outcome x has an exponential time E(x) of rate 1; a race with weights w is won by the x with
    the least E(x)/w(x), so that x wins with probability w(x). The integral over the times of both
    winners, along each range of their ratio in which no other outcome's condition changes, is rational.

    Args:
        first: the weights of the first race.
        winner: who won it.
        second: the weights of the second race.

    >>> even = Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    >>> second_race(even, "a", even)
    Distribution({a: 1})
    """
    joint = {other: _both_win(first, winner, second, other) for other in second}
    return Distribution({other: mass / first[winner] for other, mass in joint.items()})


def _both_win(first: Distribution[T], a: T, second: Distribution[T], b: T) -> Fraction:
    """The probability that a wins the first race and b the second."""
    others = [x for x in dict.fromkeys((*first, *second)) if x not in (a, b)]
    if a == b:
        faster = (max(first[x] / first[a], second[x] / second[a]) for x in others)
        return 1 / sum(faster, _ONE)
    by_a = [first[x] / first[a] for x in others]
    by_b = [second[x] / second[b] for x in others]
    least = first[b] / first[a]
    most = second[b] / second[a] if second[a] else None
    if most is not None and most <= least:
        return _ZERO
    cuts = [one / two for one, two in zip(by_a, by_b, strict=True) if two]
    inner = sorted(cut for cut in cuts if least < cut and (most is None or cut < most))
    lows, highs = [least, *inner], [*inner, most]
    ranges = zip(lows, highs, strict=True)
    return sum((_between(low, high, by_a, by_b) for low, high in ranges), _ZERO)


def _between(
    low: Fraction, high: Fraction | None, by_a: list[Fraction], by_b: list[Fraction]
) -> Fraction:
    """The integral of 1/(c + d r)^2 for r from low to high, where c + d r adds up what must not come first.

    r is the time of the second winner over that of the first.
    """
    inside = low + 1 if high is None else (low + high) / 2
    of_a = [one >= two * inside for one, two in zip(by_a, by_b, strict=True)]
    c = 1 + sum((one for one, is_a in zip(by_a, of_a, strict=True) if is_a), _ZERO)
    d = 1 + sum((two for two, is_a in zip(by_b, of_a, strict=True) if not is_a), _ZERO)
    if high is None:
        return 1 / (d * (c + d * low))
    return (high - low) / ((c + d * low) * (c + d * high))
