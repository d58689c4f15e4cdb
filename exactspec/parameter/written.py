"""Formulas and points of a parameter as SymPy expressions and as text."""

from fractions import Fraction
from typing import Any

from exactspec.parameter.number import ParameterNumber
from exactspec.parameter.polynomial import Polynomial
from exactspec.parameter.roots import Point, Root
from exactspec.text import decimal_text, fraction_text

_DECIMALS = 6
_LONGEST_POINT = 18


def formula(number: Any, name: str) -> Any:
    """A number as a SymPy expression in the parameter, in the shortest of its usual forms."""
    from sympy import Rational, Symbol, factor  # here, because the import is slow

    if not isinstance(number, ParameterNumber):
        return Rational(number.numerator, number.denominator)
    parameter = Symbol(name)
    top, bottom = (_polynomial(each, parameter) for each in (number.top, number.bottom))
    forms = [top / bottom, factor(top / bottom), (top / bottom).expand()]
    return min(forms, key=lambda form: len(str(form)))


def formula_text(number: Any, name: str) -> str:
    """A number as text; an expression in the parameter where it depends on it."""
    if isinstance(number, ParameterNumber):
        return str(formula(number, name))
    return fraction_text(number)


def formula_of_polynomial(polynomial: Polynomial, name: str) -> Any:
    """A polynomial as a SymPy expression in the parameter."""
    from sympy import Symbol

    return _polynomial(polynomial, Symbol(name))


def point(where: Point) -> Any:
    """A point as a SymPy number: a rational, a square root, or a root of its polynomial."""
    from sympy import CRootOf, Dummy, Poly, Rational, roots

    if isinstance(where, Fraction):
        return Rational(where.numerator, where.denominator)
    unknown = Dummy("t")
    polynomial = Poly(list(reversed(where.polynomial)), unknown)
    if polynomial.degree() == 2:
        low, high = (Rational(e.numerator, e.denominator) for e in (where.low, where.high))
        return next(r for r in roots(polynomial) if r.is_real and low < r < high)
    low_to_high = [CRootOf(polynomial, i) for i in range(polynomial.count_roots())]
    return next(r for r in low_to_high if _lies_in(r, where))


def _lies_in(root: Any, where: Root) -> bool:
    low, high = where.low, where.high
    return bool(low.numerator < root * low.denominator and root * high.denominator < high.numerator)


def point_text(where: Point) -> str:
    """A point as text: a fraction, a square root, or a decimal with the polynomial that it is a root of."""
    if isinstance(where, Fraction):
        return fraction_text(where)
    exact = str(point(where)) if len(where.polynomial) == 3 else ""
    if 0 < len(exact) <= _LONGEST_POINT:
        return exact
    low, high = where.narrowed(Fraction(1, 10 ** (_DECIMALS + 2)))
    return f"root {decimal_text((low + high) / 2, _DECIMALS)}"


def _polynomial(polynomial: Polynomial, parameter: Any) -> Any:
    from sympy import Poly

    return Poly(list(reversed(polynomial)) or [0], parameter).as_expr()
