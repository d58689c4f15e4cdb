"""Polynomials in one unknown with whole coefficients, as tuples: the constant first, no 0 at the end."""

from fractions import Fraction
from itertools import zip_longest
from math import gcd as gcd_of_integers

Polynomial = tuple[int, ...]
ZERO: Polynomial = ()
ONE: Polynomial = (1,)


def sum_of(one: Polynomial, other: Polynomial) -> Polynomial:
    """The sum of two polynomials.

    >>> sum_of((1, 2), (1, -2))
    (2,)
    """
    return _trimmed([a + b for a, b in zip_longest(one, other, fillvalue=0)])


def product_of(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two polynomials.

    >>> product_of((1, 1), (-1, 1))
    (-1, 0, 1)
    """
    if not one or not other:
        return ZERO
    found = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        if a:
            for j, b in enumerate(other):
                found[i + j] += a * b
    return tuple(found)


def times(number: int, polynomial: Polynomial) -> Polynomial:
    """A whole number times a polynomial."""
    return tuple(number * each for each in polynomial) if number else ZERO


def content(*polynomials: Polynomial) -> int:
    """The greatest common divisor of all coefficients."""
    return gcd_of_integers(*(each for polynomial in polynomials for each in polynomial))


def primitive(polynomial: Polynomial) -> Polynomial:
    """The polynomial over its content, with a positive leading coefficient: the same roots.

    >>> primitive((4, -2))
    (-2, 1)
    """
    if not polynomial:
        return ZERO
    shared = content(polynomial)
    return over(polynomial, shared if polynomial[-1] > 0 else -shared)


def over(polynomial: Polynomial, number: int) -> Polynomial:
    """A polynomial divided by a whole number that divides every coefficient."""
    return polynomial if number == 1 else tuple(each // number for each in polynomial)


def remainder(polynomial: Polynomial, divisor: Polynomial) -> tuple[Polynomial, int]:
    """What is left of a multiple of a polynomial when it is divided by another one, and the multiple.

    The multiple is by a positive whole number, so that no fraction occurs and signs stay what they are.

    >>> remainder((0, 0, 1), (-1, 0, 2))
    ((1,), 2)
    """
    rest, lead, multiple = list(polynomial), divisor[-1], 1
    while len(rest) >= len(divisor):
        scale = abs(lead) // gcd_of_integers(lead, rest[-1])
        factor = rest[-1] * scale // lead
        rest = [scale * each for each in rest]
        multiple *= scale
        shift = len(rest) - len(divisor)
        for i, each in enumerate(divisor):
            rest[shift + i] -= factor * each
        rest = list(_trimmed(rest))
    return tuple(rest), multiple


def greatest_common_divisor(one: Polynomial, other: Polynomial) -> Polynomial:
    """The primitive polynomial of the highest degree that divides both (Euclid).

    >>> greatest_common_divisor((-1, 0, 1), (2, 2))
    (1, 1)
    """
    one, other = primitive(one), primitive(other)
    if len(one) < len(other):
        one, other = other, one
    while other:
        if len(other) == 1:
            return ONE
        one, other = other, primitive(remainder(one, other)[0])
    return one


def quotient(polynomial: Polynomial, divisor: Polynomial) -> Polynomial:
    """A polynomial divided by a primitive one that divides it."""
    if len(divisor) == 1:
        return polynomial
    rest, found = list(polynomial), [0] * (len(polynomial) - len(divisor) + 1)
    for shift in range(len(found) - 1, -1, -1):
        factor = rest[shift + len(divisor) - 1] // divisor[-1]
        found[shift] = factor
        if factor:
            for i, each in enumerate(divisor):
                rest[shift + i] -= factor * each
    return tuple(found)


def inverse_modulo(polynomial: Polynomial, modulus: Polynomial) -> tuple[Polynomial, int]:
    """A polynomial s and a whole number d with s · polynomial = d, modulo an irreducible polynomial.

    Euclid's algorithm, the multiples of the polynomial kept beside the remainders.
    """
    before, here = (modulus, ZERO), (polynomial, ONE)
    while len(here[0]) > 1:
        before, here = here, _euclid_step(before, here)
    return here[1], here[0][0]


def _euclid_step(
    before: tuple[Polynomial, Polynomial], here: tuple[Polynomial, Polynomial]
) -> tuple[Polynomial, Polynomial]:
    rest, multiple = before
    divisor, step = here
    while len(rest) >= len(divisor):
        shared = gcd_of_integers(divisor[-1], rest[-1])
        scale, factor = divisor[-1] // shared, -rest[-1] // shared
        shift: Polynomial = (0,) * (len(rest) - len(divisor))
        rest = sum_of(times(scale, rest), (*shift, *times(factor, divisor)))
        multiple = sum_of(times(scale, multiple), (*shift, *times(factor, step)))
    shared = content(rest, multiple) or 1
    return over(rest, shared), over(multiple, shared)


def sign_at(polynomial: Polynomial, value: Fraction) -> int:
    """The sign of a polynomial's value: -1, 0 or 1.

    >>> sign_at((-1, 0, 2), Fraction(1, 2))
    -1
    """
    above, below = value.numerator, value.denominator
    total, power = 0, 1
    for each in reversed(polynomial):
        total = total * above + each * power
        power *= below
    return (total > 0) - (total < 0)


def value_at(polynomial: Polynomial, value: Fraction) -> Fraction:
    """A polynomial's value."""
    total = Fraction(0)
    for each in reversed(polynomial):
        total = total * value + each
    return total


def _trimmed(coefficients: list[int]) -> Polynomial:
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    return tuple(coefficients)
