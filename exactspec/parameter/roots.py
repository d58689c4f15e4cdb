"""The real roots of polynomials: rational ones as fractions, others enclosed as narrowly as is asked for."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, cmp_to_key, lru_cache
from math import floor, lcm
from typing import Any

from exactspec.parameter.polynomial import (
    Polynomial,
    primitive,
    remainder,
    sign_at,
)

_LARGEST_TRIED = 1_000


class Root:
    """An irrational real root of an irreducible polynomial, alone between two rationals.

    There is one object for each root, so that two are equal only where they are the same object.

    Args:
        polynomial: irreducible, of degree 2 at least.
        low: below the root.
        high: above it.
    """

    def __init__(self, polynomial: Polynomial, low: Fraction, high: Fraction) -> None:
        self.polynomial, self.low, self.high = polynomial, low, high
        self._sign_at_high = sign_at(polynomial, high)
        self._signs: dict[Polynomial, int] = {}

    def narrow(self) -> None:
        """Halve what is known of it."""
        middle = (self.low + self.high) / 2
        if sign_at(self.polynomial, middle) == self._sign_at_high:
            self.high = middle
        else:
            self.low = middle

    def narrowed(self, width: Fraction) -> tuple[Fraction, Fraction]:
        """Rationals below and above it, not further apart than a width."""
        while self.high - self.low > width:
            self.narrow()
        return self.low, self.high

    def sign_of(self, polynomial: Polynomial) -> int:
        """The sign of another polynomial here: 0 where the root's own divides it, else by enclosure."""
        if polynomial not in self._signs:
            self._signs[polynomial] = self._sign_of(polynomial)
        return self._signs[polynomial]

    def _sign_of(self, polynomial: Polynomial) -> int:
        rest, _ = remainder(polynomial, self.polynomial)
        if not rest:
            return 0
        while True:
            least, most = _enclosed(rest, self.low, self.high)
            if least > 0 or most < 0:
                return 1 if least > 0 else -1
            self.narrow()


Point = Fraction | Root


def _enclosed(polynomial: Polynomial, low: Fraction, high: Fraction) -> tuple[int, int]:
    """Bounds of a positive multiple of a polynomial's values between two rationals.

    Interval arithmetic along Horner's scheme, over the common denominator of the two.
    """
    below = lcm(low.denominator, high.denominator)
    left, right = int(low * below), int(high * below)
    least = most = 0
    scale = 1
    for each in reversed(polynomial):
        ends = least * left, least * right, most * left, most * right
        least, most = min(ends) + each * scale, max(ends) + each * scale
        scale *= below
    return least, most


def is_before(one: Point, other: Point) -> bool:
    """Whether a point lies left of another one."""
    return _order(one, other) < 0


def _order(one: Point, other: Point) -> int:
    if one is other:
        return 0
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return (one > other) - (one < other)
    while True:
        if _highest(one) <= _lowest(other):
            return -1
        if _highest(other) <= _lowest(one):
            return 1
        for each in (one, other):
            if isinstance(each, Root):
                each.narrow()


def _lowest(point: Point) -> Fraction:
    return point if isinstance(point, Fraction) else point.low


def _highest(point: Point) -> Fraction:
    return point if isinstance(point, Fraction) else point.high


def between(one: Point, other: Point) -> Fraction:
    """A rational strictly between two points, the first of which lies left; not a simple one.

    Simple numbers such as the middle are more often special than others.
    """
    low, high = _gap(one, other)
    return low + (high - low) * Fraction(21, 55)


def simple_between(one: Point, other: Point) -> Fraction:
    """A rational strictly between two points, the first of which lies left, with a small denominator."""
    low, high = _gap(one, other)
    below = 1
    while (above := floor(low * below) + 1) >= high * below:
        below += 1
        if below > _LARGEST_TRIED:
            return (low + high) / 2
    return Fraction(above, below)


def _gap(one: Point, other: Point) -> tuple[Fraction, Fraction]:
    """Rationals between which only numbers between the two points lie."""
    while not _highest(one) < _lowest(other):
        for each in (one, other):
            if isinstance(each, Root):
                each.narrow()
    return _highest(one), _lowest(other)


def sign_at_point(polynomial: Polynomial, point: Point) -> int:
    """The sign of a polynomial at a point, rational or not."""
    if isinstance(point, Fraction):
        return sign_at(polynomial, point)
    return point.sign_of(polynomial)


def roots_between(polynomials: Iterable[Polynomial], low: Point, high: Point) -> list[Point]:
    """The roots of some polynomials strictly between two points, each once, from left to right."""
    found = {root for each in polynomials for root in _roots_of(primitive(each))}
    inside = [root for root in found if is_before(low, root) and is_before(root, high)]
    return sorted(inside, key=cmp_to_key(_order))


@lru_cache(maxsize=4096)
def _roots_of(polynomial: Polynomial) -> tuple[Point, ...]:
    if len(polynomial) < 2:
        return ()
    return tuple(root for factor in _factors(polynomial) for root in _of_irreducible(factor))


@cache
def _of_irreducible(polynomial: Polynomial) -> tuple[Point, ...]:
    """The roots, each made once: they are told apart by what object they are."""
    if len(polynomial) == 2:
        return (Fraction(-polynomial[0], polynomial[1]),)
    return tuple(
        Root(polynomial, *map(_fraction, ends)) for ends, _ in _as_poly(polynomial).intervals()
    )


def _factors(polynomial: Polynomial) -> list[Polynomial]:
    if len(polynomial) == 2:
        return [polynomial]
    found = _as_poly(polynomial).factor_list()[1]
    return [primitive(tuple(int(c) for c in reversed(f.all_coeffs()))) for f, _ in found]


def _as_poly(polynomial: Polynomial) -> Any:
    from sympy import Dummy, Poly  # here, because the import is slow

    return Poly(list(reversed(polynomial)), Dummy(), domain="ZZ")


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))
