"""The catalogue's rules on the common toy, with the figures that they are known for."""

from fractions import Fraction

import near_misses
import pytest

from exactspec import check, load, parse
from exactspec.algorithms import CATALOGUE, LOSSLESS
from exactspec.text import decimal_text

FIGURES = {
    "token_level": (Fraction(259, 240), Fraction(629, 360)),
    "block_verification": (Fraction(827, 720), Fraction(163, 96)),
    "sampler_match": (Fraction(9, 20), Fraction(3373379, 1555200)),
}


@pytest.mark.parametrize("name", LOSSLESS)
def test_a_rule_has_its_known_figures_on_the_common_toy(name: str) -> None:
    result = check(load("examples/theory.yaml"), name)
    assert result.verdict.word == "lossless"
    assert result.round_identity_holds
    assert (result.round_figures[0].mean_accepted, result.run.calls) == FIGURES[name]


def test_block_verification_and_the_token_rule_differ_as_in_the_paper_s_example() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 2
        target: {a: 1/3, b: 2/3}
        draft: {a: 2/3, b: 1/3}
        """
    )
    means = {
        name: check(model, name).round_figures[0].mean_accepted
        for name in ("token_level", "block_verification")
    }
    assert means == {"token_level": Fraction(10, 9), "block_verification": Fraction(11, 9)}


def test_a_long_block_is_accepted_where_a_zero_over_zero_coin_is_never_tossed() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 3
        target: {^: {a: 1/3, b: 2/3}, "": {a: 1/2, b: 1/2}}
        draft: {^: {a: 1/2, b: 1/2}, "": {a: 1/2, b: 1/2}}
        """
    )
    assert check(model, "block_verification").verdict.word == "lossless"


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_rule_says_what_it_does_and_where_it_is_from(name: str) -> None:
    assert CATALOGUE[name].name == name
    assert CATALOGUE[name].summary.endswith(".")
    assert CATALOGUE[name].paper


@pytest.mark.parametrize(
    ("rule", "accepted", "distance", "calls"),
    [
        (near_misses.second_sample, Fraction(9, 20), "0.1065", "2.1911"),
        (near_misses.block_with_w_for_every_coin, Fraction(2681, 2160), "0.0939", "1.7117"),
        (near_misses.block_that_stops_at_the_first_no, Fraction(587, 720), "0.1949", "1.8374"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_near_miss_is_lossy_with_its_known_figures(rule, accepted, distance, calls) -> None:
    result = check(load("examples/theory.yaml"), rule)
    assert result.verdict.word == "lossy"
    assert result.round_figures[0].mean_accepted == accepted
    assert decimal_text(result.listing.total_variation) == f"~ {distance}"
    assert decimal_text(result.run.calls) == f"~ {calls}"
