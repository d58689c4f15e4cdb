"""Parts of a parameter's range as people write them: ``t in (0, 1/2]``, ``t = 1/2``."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactspec.parameter.roots import Point, is_before
from exactspec.parameter.written import point, point_text


@dataclass(frozen=True)
class Span:
    """The values between two points; with ``with_low`` and ``with_high`` the ends too.

    The two ends are the same for a single value.
    """

    low: Point
    high: Point
    with_low: bool
    with_high: bool

    @property
    def is_one_value(self) -> bool:
        return self.low == self.high

    def __str__(self) -> str:
        if self.is_one_value:
            return point_text(self.low)
        opens, closes = "[" if self.with_low else "(", "]" if self.with_high else ")"
        return f"{opens}{point_text(self.low)}, {point_text(self.high)}{closes}"

    def text(self, name: str) -> str:
        """The part with the parameter's name."""
        return f"{name} = {self}" if self.is_one_value else f"{name} in {self}"

    def holds(self, value: Fraction) -> bool:
        """Whether a rational value lies in it."""
        above = is_before(self.low, value) or (self.with_low and self.low == value)
        return above and (is_before(value, self.high) or (self.with_high and self.high == value))

    def condition(self, name: str) -> Any:
        """The same as a SymPy condition on the parameter."""
        from sympy import And, Eq, Symbol  # here, because the import is slow

        parameter, low, high = Symbol(name), point(self.low), point(self.high)
        if self.is_one_value:
            return Eq(parameter, low)
        above = parameter >= low if self.with_low else parameter > low
        return And(above, parameter <= high if self.with_high else parameter < high)

    def then(self, other: "Span") -> "Span":
        """This part and the one that follows on its right."""
        return Span(self.low, other.high, self.with_low, other.with_high)


def cell_span(low: Point, high: Point) -> Span:
    """A cell: an open part, or a single value."""
    is_one = low == high
    return Span(low, high, is_one, is_one)


def spans_text(spans: Sequence[Span], name: str) -> str:
    """Several parts in one phrase: ``t in (0, 1/2) or (1/2, 1), or t = 1``."""
    wide = [str(span) for span in spans if not span.is_one_value]
    single = [str(span) for span in spans if span.is_one_value]
    parts = [f"{name} in {' or '.join(wide)}"] * bool(wide)
    parts += [f"{name} = {' or '.join(single)}"] * bool(single)
    return ", or ".join(parts)
