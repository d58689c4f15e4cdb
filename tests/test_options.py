"""Options of the catalogue's rules that go too far: bad input with a message, never a crash."""

from dataclasses import replace
from fractions import Fraction

import pytest

from exactspec import ExactspecError, check, load
from exactspec.algorithms import CATALOGUE

TOY = replace(load("examples/theory.yaml"), draft_length=1, horizon=2)
ODD = (0, 1, 3, Fraction(1, 3), Fraction(7, 2), "x", "a", (), ("a",), (0, "b"), (Fraction(1, 2),))
OPTIONS = [(name, option) for name in CATALOGUE for option in CATALOGUE[name].options()]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_an_odd_value_of_an_option_is_judged_or_refused(name: str, option: str) -> None:
    rule = CATALOGUE[name]
    model = replace(TOY, wanted="target" if rule.wanted is None else "rule")
    codes = set()
    for value in ODD:
        try:
            check(replace(model, options={option: value}), rule)
        except ExactspecError as error:
            codes |= {diagnostic.code for diagnostic in error.diagnostics}
    assert "option-type" in codes
