"""The samplers in examples/audit that go back to no single report have the figures of their docstrings."""

from fractions import Fraction
from importlib import import_module
from math import log
from pathlib import Path

import pytest

from exactspec import audit, load

FOLDER = Path(__file__).parents[2] / "examples" / "audit"


@pytest.fixture
def judge(monkeypatch):
    """A function of a sampler's file, on one of the tables beside it."""
    monkeypatch.syspath_prepend(FOLDER)

    def call(name, tables, **options):
        module, _, function = name.partition(":")
        scenario = load(str(FOLDER / "tables" / f"{tables}.yaml"))
        return audit.step(getattr(import_module(module), function), scenario, **options)

    return call


def first_tokens(verdict, count):
    law = {}
    for outcome, mass in verdict.got.items():
        tokens = "".join(verdict.tables.names(outcome[:count]))
        law[tokens] = law.get(tokens, 0) + mass
    return law


def test_a_generator_seeded_before_every_coin_tosses_one_coin(judge) -> None:
    pytest.importorskip("torch")
    verdict = judge("reseeded_before_every_coin:step", "one-in-two")
    assert verdict.word == "lossy"
    assert first_tokens(verdict, 1) == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    law = {"aa": Fraction(3, 8), "ab": Fraction(1, 8), "ba": Fraction(1, 4), "bb": Fraction(1, 4)}
    assert first_tokens(verdict, 2) == law
    assert judge("reseeded_before_every_coin:repaired", "one-in-two").word == "lossless"


def test_top_p_on_the_residual_drops_what_the_residual_is_for(judge) -> None:
    pytest.importorskip("torch")
    verdict = judge("top_p_on_the_residual:step", "peaked-draft")
    assert verdict.word == "lossy"
    assert first_tokens(verdict, 1) == {
        "a": Fraction(1, 4),
        "b": Fraction(11, 16),
        "c": Fraction(1, 16),
    }
    assert judge("top_p_on_the_residual:repaired", "peaked-draft").word == "lossless"


def test_minus_infinity_among_probabilities_raises_on_every_rejection(judge) -> None:
    pytest.importorskip("torch")
    verdict = judge("top_p_on_the_residual:with_minus_infinity", "peaked-draft")
    assert (verdict.word, verdict.crash, verdict.impossible) == ("lossy", Fraction(5, 8), 0)
    assert {raised.type for raised in verdict.law.crashes} == {"RuntimeError"}


def test_products_of_coins_have_the_probabilities_of_their_closed_form(judge) -> None:
    verdict = judge("product_of_coins:step", "one-in-two", drafts=3)
    assert verdict.word == "lossy"
    whole = sum(m for o, m in verdict.law.masses.items() if len(o) == 4 and o[:3] == (0, 0, 0))
    ratio = log(27 / 8)
    assert abs(float(whole) - (1 + ratio + ratio**2 / 2) / 8) < 1e-15
    assert abs(float(first_tokens(verdict, 1)["a"]) - 0.7059938066617566) < 1e-15
    assert not verdict.is_exact
    assert verdict.law.notes == ("probabilities with logarithms, to 60 digits",)
