"""A polynomial as a product, by SymPy's factorisation; multiplied out again before it is believed."""

from fractions import Fraction
from functools import lru_cache

from sympy import QQ, ring

from exactspec.errors import InternalError
from exactspec.prove.polynomial import Monomial, Polynomial

Terms = tuple[tuple[Monomial, Fraction], ...]
_MOST_TERMS = 80


def factors(polynomial: Polynomial) -> tuple[Fraction, tuple[tuple[Polynomial, int], ...]]:
    """A number and irreducible polynomials with exponents, whose product is a polynomial.

    One with many terms is given back as it is.
    """
    if polynomial.degree < 2 or len(polynomial.terms) > _MOST_TERMS:
        return Fraction(1), ((polynomial, 1),)
    variables = sorted(polynomial.variables())
    names = {variable: name for name, variable in enumerate(variables)}
    terms = tuple((tuple(names[v] for v in m), Fraction(c)) for m, c in polynomial.sorted_terms())
    number, parts = _factored(len(variables), terms)
    found = tuple(
        (Polynomial({tuple(variables[v] for v in m): c for m, c in part}), exponent)
        for part, exponent in parts
    )
    product = Polynomial.constant(number)
    for factor, exponent in found:
        product = product * factor**exponent
    if product != polynomial:
        raise InternalError("the factors of a polynomial do not give it")
    return number, found


@lru_cache(maxsize=1 << 13)
def _factored(count: int, terms: Terms) -> tuple[Fraction, tuple[tuple[Terms, int], ...]]:
    elements, *_ = ring([f"x{i}" for i in range(count)], QQ)
    whole = elements.from_dict(
        {tuple(m.count(v) for v in range(count)): QQ(c.numerator, c.denominator) for m, c in terms}
    )
    number, parts = whole.factor_list()
    return Fraction(str(number)), tuple((_terms(part), exponent) for part, exponent in parts)


def _terms(element: object) -> Terms:
    found = []
    for exponents, coefficient in element.terms():  # type: ignore[attr-defined]
        monomial = tuple(v for v, exponent in enumerate(exponents) for _ in range(exponent))
        found.append((monomial, Fraction(str(coefficient))))
    return tuple(found)
