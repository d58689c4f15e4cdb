"""The values that a parameter may have: a name, and an interval with rational ends."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from exactspec.numbers import LONGEST_NUMBER, NumberError, parse_number
from exactspec.parameter.expression import NAME
from exactspec.parameter.polynomial import Polynomial
from exactspec.parameter.roots import (
    Point,
    between,
    roots_between,
    sign_at_point,
    simple_between,
)
from exactspec.text import fraction_text

_RANGE = re.compile(
    r" *(?P<name>[^ ]+) +in *(?P<opens>[(\[])(?P<low>[^,]*),(?P<high>[^,]*)(?P<closes>[)\]]) *",
)
_EXAMPLE = "for example: parameters: t in (0, 1)"


class RangeError(ValueError):
    """A text that declares no parameter, with the way to write it."""

    def __init__(self, message: str, hint: str) -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True)
class Parameter:
    """A name for one number of the tables, and the values that it may have.

    Args:
        name: as expressions have it.
        low: the lower end; ``with_low`` whether it is a value itself.
        high: the upper end; ``with_high`` likewise.
    """

    name: str
    low: Fraction
    high: Fraction
    with_low: bool
    with_high: bool

    def __str__(self) -> str:
        opens, closes = "[" if self.with_low else "(", "]" if self.with_high else ")"
        return f"{opens}{fraction_text(self.low)}, {fraction_text(self.high)}{closes}"

    def __contains__(self, value: Fraction) -> bool:
        above = value > self.low or (self.with_low and value == self.low)
        return above and (value < self.high or (self.with_high and value == self.high))

    @property
    def some_value(self) -> Fraction:
        """One value, not a simple one."""
        return between(self.low, self.high)

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The ends that are values."""
        return (self.low,) * self.with_low + (self.high,) * self.with_high

    def root_of(self, polynomial: Polynomial) -> Point | None:
        """A value at which a polynomial is 0, or None."""
        at_ends = [end for end in self.ends if not sign_at_point(polynomial, end)]
        return next(iter([*at_ends, *roots_between([polynomial], self.low, self.high)]), None)

    def negative_at(self, polynomials: Iterable[Polynomial]) -> Fraction | None:
        """A value at which a product of polynomials is below 0, or None where it never is."""
        factors = list(polynomials)
        points = [self.low, *roots_between(factors, self.low, self.high), self.high]
        inside = [simple_between(*pair) for pair in pairwise(points)]
        for value in (*inside, *self.ends):
            negative = [sign_at_point(each, value) for each in factors]
            if negative.count(-1) % 2 and 0 not in negative:
                return value
        return None


def parse_parameter(text: str) -> Parameter:
    """The parameter that a text declares: ``t in (0, 1)``, with square brackets where an end belongs to it.

    Raises:
        RangeError: for every other text, and for a range without a value inside.

    >>> str(parse_parameter("t in [0, 1/2)"))
    '[0, 1/2)'
    """
    found = _RANGE.fullmatch(text) if len(text) <= 3 * LONGEST_NUMBER else None
    if found is None:
        if text.count(" in ") > 1:
            raise RangeError(
                "found more than one parameter",
                "one parameter is read; put in a value for the others",
            )
        raise RangeError("this declares no parameter", _EXAMPLE)
    if not NAME.fullmatch(found["name"]):
        hint = "a letter first, then letters, digits and _, at most 30 characters"
        raise RangeError("this is no name for a parameter", hint)
    low, high = _end(found["low"]), _end(found["high"])
    if low >= high:
        raise RangeError(
            "the range has no value inside"
            if low > high
            else "the range is no more than one value",
            "the first end is less than the second; write a single value into the tables",
        )
    return Parameter(found["name"], low, high, found["opens"] == "[", found["closes"] == "]")


def _end(text: str) -> Fraction:
    try:
        return parse_signed(text.strip(" "))
    except NumberError:
        hint = f"{_EXAMPLE}; t in (1/4, 1/2)"
        raise RangeError("an end of the range is no number", hint) from None


def parse_signed(text: str) -> Fraction:
    """A number of the model file's grammar, which may have a minus in front.

    Raises:
        NumberError: for every other text.

    >>> parse_signed("-1/2")
    Fraction(-1, 2)
    """
    return -parse_number(text[1:]) if text.startswith("-") else parse_number(text)
