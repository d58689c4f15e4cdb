"""Exact numbers: read from the text of a file, refused as floats, compared without truth values."""

import re
from abc import ABC, abstractmethod
from fractions import Fraction
from numbers import Rational
from typing import Any, cast

from exactspec.text import fraction_text

LONGEST_NUMBER = 1_000
Number = Fraction | int
_NUMBER = re.compile(r"(?P<whole>[0-9]+)(?:/(?P<below>[0-9]+)|\.(?P<decimals>[0-9]+))?\Z", re.ASCII)


class Symbolic(ABC):
    """A number that is not known: a formula in the entries of tables.

    Arithmetic gives further formulas. A comparison or a truth test is answered by whoever made the
    number, who may have to look at both answers.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def is_zero(self) -> bool:
        """Whether it is 0 as a formula; no look at the tables."""

    @abstractmethod
    def smaller(self, other: Any) -> Any:
        """The minimum of this number and another one, without a comparison."""

    @abstractmethod
    def vanishes_with(self, other: Any) -> bool:
        """Whether it is found to be 0 wherever another number is."""


class NumberError(ValueError):
    """A text that is no number of the model file's grammar, with the way to write it."""

    def __init__(self, message: str, hint: str) -> None:
        self.hint = hint
        super().__init__(message)


def parse_number(text: str) -> Fraction:
    """The rational that a text stands for: ``1``, ``1/3`` or ``0.25``, read digit by digit.

    Raises:
        NumberError: for every other text: signs, exponents, spaces, ``1/0``, more than 1,000 digits.

    >>> parse_number("0.1")
    Fraction(1, 10)
    """
    if len(text) > LONGEST_NUMBER:
        raise NumberError(
            f"a number of {len(text):,} characters, the limit is {LONGEST_NUMBER:,}",
            "write a shorter fraction",
        )
    match = _NUMBER.match(text)
    if match is None:
        raise NumberError("this is no number", _number_hint(text))
    whole, below, decimals = match["whole"], match["below"], match["decimals"]
    if below is not None:
        if int(below) == 0:
            raise NumberError("a fraction over 0", "the lower number must be positive")
        return Fraction(int(whole), int(below))
    if decimals is not None:
        return Fraction(int(whole + decimals), 10 ** len(decimals))
    return Fraction(int(whole))


def _number_hint(text: str) -> str:
    if text.startswith("-"):
        return "a probability is not negative"
    if re.fullmatch(r"[0-9.]+[eE][+-]?[0-9]+", text):
        return "write an exponent out: 1e-3 is 1/1000"
    if re.fullmatch(r"\s*[0-9]+\s*/\s*[0-9]+\s*", text):
        return "write a fraction without spaces: 1/3"
    return "write a whole number, a fraction or a decimal: 1, 1/3, 0.25"


def exact(value: object, *, what: str = "number", exact_float: bool = False) -> Fraction:
    """The exact rational behind a Python number; floats are refused, because 0.1 is not 1/10.

    Args:
        value: an ``int``, a ``Fraction`` or any other ``numbers.Rational``.
        what: how the message names the value.
        exact_float: take a float as the binary fraction that it is.

    Raises:
        TypeError: for a float (unless ``exact_float``), a bool, or no number at all.

    >>> exact(1)
    Fraction(1, 1)
    >>> exact(0.1)
    Traceback (most recent call last):
    TypeError: number is the float 0.1, which is not exact: it stands for 3602879701896397/36028797018963968; write Fraction(1, 10)
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, Symbolic):
        return cast(Fraction, value)
    if isinstance(value, bool):
        raise TypeError(f"{what} is {value}, which is no number")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float):
        return _exact_float(value, what, exact_float)
    raise TypeError(f"{what} is of type {type(value).__name__}, not an int or a Fraction")


def _exact_float(value: float, what: str, allowed: bool) -> Fraction:
    if value != value or value in (float("inf"), float("-inf")):
        raise TypeError(f"{what} is the float {value}, which is no number")
    binary = Fraction(value)
    if allowed:
        return binary
    near = binary.limit_denominator(1000)
    raise TypeError(
        f"{what} is the float {value}, which is not exact: it stands for {fraction_text(binary)}; "
        f"write Fraction({near.numerator}, {near.denominator})"
    )


def minimum(a: Number, b: Number) -> Fraction:
    """The smaller of two numbers, min(a, b), without asking either for a truth value.

    >>> minimum(1, Fraction(3, 2))
    Fraction(1, 1)
    """
    if isinstance(a, Symbolic):
        return cast(Fraction, a.smaller(b))
    if isinstance(b, Symbolic):
        return cast(Fraction, b.smaller(a))
    return exact(a if a <= b else b)


def positive_part(a: Number) -> Fraction:
    """The positive part [a]+ = max(0, a).

    >>> positive_part(Fraction(-1, 2))
    Fraction(0, 1)
    """
    if isinstance(a, Symbolic):
        return a - minimum(a, 0)
    return exact(a if a > 0 else 0)
