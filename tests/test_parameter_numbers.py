"""Expressions in a parameter, real roots, and numbers that are compared on a part of the range."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from exactspec import ModelError, parse
from exactspec.parameter.expression import parsed
from exactspec.parameter.number import ParameterNumber
from exactspec.parameter.place import AtRoot, SpecialValue, Stretch
from exactspec.parameter.polynomial import greatest_common_divisor, product_of, sum_of
from exactspec.parameter.roots import Root, roots_between

F = Fraction
T = sympy.Symbol("t")


def at(figure: Any, value: Fraction) -> Any:
    return figure.at(value) if isinstance(figure, ParameterNumber) else figure


leaves = st.one_of(
    st.just(("t", lambda t: t)),
    st.integers(0, 9).map(lambda n: (str(n), lambda t: F(n))),
    st.sampled_from(["1/3", "0.25"]).map(lambda s: (f"({s})", lambda t: F(s))),
)


def grown(inner: st.SearchStrategy) -> st.SearchStrategy:
    def joined(pair: Any) -> Any:
        (one, f), sign, (other, g) = pair
        operation = {"+": F.__add__, "-": F.__sub__, "*": F.__mul__}[sign]
        return f"({one} {sign} {other})", lambda t: operation(f(t), g(t))

    both = st.tuples(inner, st.sampled_from("+-*"), inner).map(joined)
    minus = inner.map(lambda one: (f"-({one[0]})", lambda t: -one[1](t)))
    powers = inner.map(lambda one: (f"({one[0]})^2", lambda t: one[1](t) ** 2))
    return st.one_of(both, minus, powers)


@settings(deadline=None)
@given(st.recursive(leaves, grown, max_leaves=6), st.fractions(-3, 3, max_denominator=7))
def test_an_expression_has_the_value_that_python_gives_it(pair: Any, value: Fraction) -> None:
    text, function = pair
    expression = parsed(text, "t")
    assert expression.at(value) == function(value)
    formula = expression.at(Stretch(F(7, 19)).parameter)
    assert at(formula, value) == function(value)


def test_a_row_with_a_huge_common_denominator_is_refused() -> None:
    entries = ", ".join(f"w{i}: 1/({i + 2} + t^20 + {i}*t)" for i in range(9))
    names = ", ".join(f"w{i}" for i in range(9))
    text = f"version: 1\nvocabulary: [{names}]\ndraft_length: 0\nparameters: t in (0, 1)\n"
    with pytest.raises(ModelError) as caught:
        parse(f"{text}target: {{{entries}}}".encode())
    assert caught.value.diagnostics[0].code == "row-denominator"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1 - 2 - 3", -4), ("8/4/2", 1), ("-t^2", F(-1, 4)), ("2*-t", -1), ("- -t", F(1, 2))),
        *(("t**3", F(1, 8)), ("2^0", 1), (" ( t ) ", F(1, 2)), ("1/2*t", F(1, 4)), ("2^2^1", 16)),
    ],
)
def test_operations_bind_as_usual(text: str, value: Any) -> None:
    if text == "2^2^1":
        with pytest.raises(ValueError, match="expected an operation"):
            parsed(text, "t")
    else:
        assert parsed(text, "t").at(F(1, 2)) == value


coefficients = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(
    lambda found: sum_of(tuple(found), ())
)


@settings(deadline=None)
@given(coefficients, coefficients, coefficients)
def test_polynomials_are_those_of_sympy(one: Any, other: Any, shared: Any) -> None:
    one, other = product_of(one, shared), product_of(other, shared)
    expected = sympy.gcd(poly(one), poly(other)).primitive()[1]
    assert poly(greatest_common_divisor(one, other)) in (expected, -expected)
    roots = roots_between([one], F(-100), F(100)) if one else []
    assert len(roots) == (sympy.Poly(sympy.sqf_part(poly(one)), T).count_roots() if one else 0)
    for root in roots:
        if isinstance(root, F):
            assert poly(one).eval(sympy.Rational(root.numerator, root.denominator)) == 0
        else:
            assert root.sign_of(one) == 0


def poly(polynomial: Any) -> Any:
    return sympy.Poly(list(reversed(polynomial)) or [0], T)


def test_numbers_at_a_root_are_compared_exactly() -> None:
    (root,) = roots_between([(-1, 0, 2)], F(0), F(1))
    t = AtRoot(root).parameter
    assert t * t == F(1, 2)
    assert (1 / (1 + t)) * (1 + t) == 1
    assert F(707106781186547, 10**15) < t < F(707106781186548, 10**15)
    assert t > t * t
    assert abs(t - 1) == 1 - t
    assert t.smaller(F(3, 4)) is t


@settings(deadline=None)
@given(coefficients, coefficients, st.fractions(0, 1, max_denominator=50))
def test_a_comparison_says_the_same_on_all_of_its_stretch(
    one: Any, other: Any, value: Fraction
) -> None:
    place = Stretch(F(21, 55))
    with place.looking():
        try:
            answer = place.number(one, (1,)) < place.number(other, (1,))
        except SpecialValue:
            return
    roots = roots_between(place.looked_at, F(0), F(1))
    low = max((r for r in roots if isinstance(r, F) and r < place.value), default=F(0))
    high = min((r for r in roots if isinstance(r, F) and r > place.value), default=F(1))
    if low < value < high and not any(isinstance(r, Root) for r in roots):
        assert (at(place.number(one, (1,)), value) < at(place.number(other, (1,)), value)) == answer
