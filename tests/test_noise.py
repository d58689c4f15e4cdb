"""Random numbers that a rule uses more than once: uniforms as intervals, grids, races."""

from fractions import Fraction
from itertools import product

import pytest

from exactspec import (
    Broken,
    Distribution,
    RuleError,
    algorithm,
    check,
    parse,
)
from exactspec.noise.interval import Interval
from exactspec.noise.races import race_after, second_race, won

ONE_TOKEN = b"""
version: 1
vocabulary: [a, b, c]
draft_length: 0
horizon: 1
target: {a: 1/4, b: 1/4, c: 1/2}
"""


def _law(rule) -> dict[str, Fraction]:
    return {output.tokens[0]: output.got for output in check(parse(ONE_TOKEN), rule).listing}


def test_a_uniform_that_is_compared_twice_is_one_number() -> None:
    def rule(chance, target, draft, context):
        u = chance.uniform()
        below_half = u < Fraction(1, 2)
        below_quarter = u < Fraction(1, 4)
        return ("a",) if below_quarter else ("b",) if below_half else ("c",)

    assert _law(algorithm(rule)) == {"a": Fraction(1, 4), "b": Fraction(1, 4), "c": Fraction(1, 2)}
    assert check(parse(ONE_TOKEN), algorithm(rule)).verdict.word == "lossless"


def test_a_settled_comparison_asks_nothing() -> None:
    def rule(chance, target, draft, context):
        u = chance.uniform()
        if u < Fraction(1, 4) and u < Fraction(1, 2) and not u >= Fraction(1, 3):
            return ("a",)
        return ("b",)

    result = check(parse(ONE_TOKEN), algorithm(rule))
    assert result.round_figures[0].paths == 2


def test_picking_with_a_uniform_gives_the_distribution() -> None:
    def rule(chance, target, draft, context):
        return (chance.uniform().pick(target(context)),)

    assert check(parse(ONE_TOKEN), algorithm(rule)).verdict.word == "lossless"


@pytest.mark.parametrize(
    ("compare", "share"),
    [
        (lambda u: u < Fraction(1, 2), Fraction(1, 2)),
        (lambda u: u <= Fraction(1, 2), Fraction(3, 4)),
        (lambda u: u > Fraction(1, 2), Fraction(1, 4)),
        (lambda u: u >= Fraction(1, 2), Fraction(1, 2)),
        (lambda u: u <= 0, Fraction(1, 4)),
        (lambda u: u < 0, Fraction(0)),
    ],
    ids=["<", "<=", ">", ">=", "<= 0", "< 0"],
)
def test_on_a_grid_of_four_steps_a_bound_on_a_step_counts_or_not(compare, share) -> None:
    def rule(chance, target, draft, context):
        return ("a",) if compare(chance.grid(4)) else ("b",)

    assert _law(algorithm(rule)).get("a", 0) == share


def test_an_interval_splits_into_parts_whose_shares_are_their_lengths() -> None:
    below, above, share = Interval(Fraction(1, 4), Fraction(3, 4)).split(
        Fraction(1, 3), inclusive=False
    )
    assert (below.high, above.low, share) == (Fraction(1, 3), Fraction(1, 3), Fraction(1, 6))


def test_a_uniform_is_not_compared_for_equality() -> None:
    def rule(chance, target, draft, context):
        return ("a",) if chance.uniform() == Fraction(1, 2) else ("b",)

    with pytest.raises(RuleError, match="rule-uniform-compared"):
        check(parse(ONE_TOKEN), algorithm(rule))


LAWS = [
    Distribution({"a": Fraction(1, 2), "b": Fraction(3, 10), "c": Fraction(1, 5)}),
    Distribution({"a": Fraction(1, 10), "b": Fraction(6, 10), "c": Fraction(3, 10)}),
    Distribution({"b": Fraction(1, 3), "c": Fraction(2, 3)}),
    Distribution({"a": 1}),
]


@pytest.mark.parametrize(("first", "second"), list(product(LAWS, LAWS)))
def test_two_races_over_the_same_times_have_their_own_laws(first, second) -> None:
    joint = {(a, b): first[a] * w for a in first for b, w in second_race(first, a, second).items()}
    for outcome in "abc":
        assert sum(mass for (_, b), mass in joint.items() if b == outcome) == second[outcome]


@pytest.mark.parametrize(("first", "second"), list(product(LAWS, LAWS)))
def test_the_second_race_has_the_same_law_from_its_integral_and_from_volumes(first, second) -> None:
    for winner in first:
        assert race_after([won(first, winner)], second) == second_race(first, winner, second)


@pytest.mark.parametrize("laws", list(product(LAWS, repeat=3)))
def test_the_third_of_three_races_over_the_same_times_has_its_own_law(laws) -> None:
    first, second, third = laws
    joint = {
        (a, b, c): mass * of_b * of_c
        for a, mass in first.items()
        for b, of_b in race_after([won(first, a)], second).items()
        for c, of_c in race_after([won(first, a), won(second, b)], third).items()
    }
    for outcome in "abc":
        assert sum(mass for (_, _, c), mass in joint.items() if c == outcome) == third[outcome]


def test_two_races_with_two_outcomes_agree_as_the_integral_says() -> None:
    first = Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    second = Distribution({"a": Fraction(1, 4), "b": Fraction(3, 4)})
    assert second_race(first, "a", second)["a"] == Fraction(1, 2)
    assert second_race(first, "b", second)["b"] == 1


def test_each_further_race_over_the_same_times_has_the_same_winner_where_the_weights_agree() -> (
    None
):
    def rule(chance, target, draft, context):
        race = chance.race()
        return tuple(race.draw(target(context)) for _ in range(3))[2:]

    assert check(parse(ONE_TOKEN), algorithm(rule)).verdict.word == "lossless"


def test_an_outcome_that_is_no_token_has_a_probability_and_ends_the_sequence() -> None:
    def rule(chance, target, draft, context):
        return (
            chance.draw(target(context)) if chance.uniform() < Fraction(3, 4) else Broken("nan"),
        )

    result = check(parse(ONE_TOKEN.replace(b"horizon: 1", b"horizon: 2")), algorithm(rule))
    law = {output.tokens: output.got for output in result.listing}
    assert law[Broken("nan"),] == Fraction(1, 4)
    assert law["a", Broken("nan")] == Fraction(3, 4) * Fraction(1, 4) * Fraction(1, 4)
    assert sum(law.values()) == 1
    assert result.verdict.word == "lossy"
    assert sum(output.got for output in result.listing.impossible) == Fraction(7, 16)


def test_a_race_knows_of_races_that_it_shares_no_time_with_through_others() -> None:
    def even(*outcomes: str) -> Distribution[str]:
        return Distribution(dict.fromkeys(outcomes, Fraction(1, 2)))

    def rule(chance, target, draft, context):
        race = chance.race()
        won_by = race.draw(even("a", "b")), race.draw(even("c", "b")), race.draw(even("c", "d"))
        return ("a",) if won_by == ("a", "c", "c") else ("b",)

    result = check(parse(ONE_TOKEN), algorithm(rule))
    # 5 of the 24 orders of four times have a before b, c before b and c before d
    assert {output.tokens: output.got for output in result.listing}["a",] == Fraction(5, 24)
