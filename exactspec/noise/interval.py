"""A uniform number, known as an interval that every comparison narrows."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from exactspec.numbers import Number, Symbolic, exact, minimum

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

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known yet."""
        return self.low == 0 and self.high == 1

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
