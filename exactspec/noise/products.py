"""Products of uniform numbers, U1 ... Uk for k = 1, ..., n, each known to lie in an interval.

The negative logarithm of such a product is a sum of k exponential times, so the probability of a box of
the products is a nested integral of polynomials times exp(-s). It holds logarithms of rationals and is
irrational in general: it is worked out to ``DIGITS`` digits, and ``ERROR`` bounds what is left out.
"""

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import factorial
from typing import NamedTuple

DIGITS = 60
ERROR = Fraction(1, 10**40)
Box = Sequence[tuple[Fraction, Fraction]]
_CONTEXT = Context(prec=2 * DIGITS, Emin=-(10**6), Emax=10**6)
_ZERO = Decimal(0)


class _Piece(NamedTuple):
    """A density exp(-s) times a polynomial in s, for s between two ends; None is infinity."""

    low: Decimal
    high: Decimal | None
    polynomial: list[Decimal]


def box_probability(box: Box) -> Fraction:
    """The probability that the k-th product lies in the k-th interval, for every k.

    Args:
        box: for each k the least value, and the first one above; between 0 and 1.

    >>> round(float(box_probability([(Fraction(0), Fraction(1)), (Fraction(0), Fraction(1, 2))])), 6)
    0.846574
    """
    with localcontext(_CONTEXT):
        pieces = [_Piece(_ZERO, None, [Decimal(1)])]
        for number, (low, high) in enumerate(box):
            if low >= high:
                return Fraction(0)
            if number:
                pieces = _summed_up(pieces)
            pieces = _between(pieces, _minus_log(high), _minus_log(low))
        return Fraction(sum((_mass(piece) for piece in pieces), _ZERO))


def _minus_log(number: Fraction) -> Decimal | None:
    if number == 0:
        return None
    return -(Decimal(number.numerator) / Decimal(number.denominator)).ln()


def _summed_up(pieces: list[_Piece]) -> list[_Piece]:
    """The density of the sum of one more exponential time: the integral of the polynomials up to s."""
    grown: list[_Piece] = []
    below = _ZERO
    for number, piece in enumerate(pieces):
        integral = [_ZERO, *(c / (power + 1) for power, c in enumerate(piece.polynomial))]
        start = _value(integral, piece.low)
        grown.append(_Piece(piece.low, piece.high, [integral[0] + below - start, *integral[1:]]))
        if piece.high is None:
            return grown
        below += _value(integral, piece.high) - start
        then = pieces[number + 1].low if number + 1 < len(pieces) else None
        if then is None or then > piece.high:
            grown.append(_Piece(piece.high, then, [below]))
    return grown


def _between(pieces: list[_Piece], low: Decimal | None, high: Decimal | None) -> list[_Piece]:
    """The pieces cut to [low, high]."""
    if low is None:
        return []
    cut = []
    for piece in pieces:
        ends = [end for end in (piece.high, high) if end is not None]
        first, last = max(piece.low, low), min(ends, default=None)
        if last is None or first < last:
            cut.append(_Piece(first, last, piece.polynomial))
    return cut


def _value(polynomial: list[Decimal], at: Decimal) -> Decimal:
    value = _ZERO
    for coefficient in reversed(polynomial):
        value = value * at + coefficient
    return value


def _mass(piece: _Piece) -> Decimal:
    """The integral of a piece's density."""
    beyond = _ZERO if piece.high is None else _mass_beyond(piece.polynomial, piece.high)
    return _mass_beyond(piece.polynomial, piece.low) - beyond


def _mass_beyond(polynomial: list[Decimal], at: Decimal) -> Decimal:
    """The integral of exp(-s) times a polynomial from a point to infinity."""
    total = _ZERO
    for power, coefficient in enumerate(polynomial):
        taken = [Decimal(factorial(power)) / factorial(j) for j in range(power + 1)]
        total += coefficient * _value(taken, at)
    return total * (-at).exp()
