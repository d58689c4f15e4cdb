"""The simulator runs the very same rule: its sample agrees with the exact law, and is the same each time."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from exactspec import Broken, Distribution, Round, algorithm, load, parse
from exactspec.algorithms import CATALOGUE
from exactspec.check.compare import options_needed
from exactspec.check.sampling import Dice, Sampler
from exactspec.check.simulate import noticed, simulate, square_root

F = Fraction
THEORY = load("examples/theory.yaml")
WRONG = "examples/rules/wrong.py"
# Bernstein: a sequence deviates by more than this in less than 4 of 100,000,000 samples, rare ones too.
FAR = 6**2


def assert_agrees(simulation) -> None:
    assert simulation.result.listing is not None
    for seen in simulation.outputs:
        deviation = abs(seen.count - seen.got * seen.runs)
        variance = seen.runs * seen.got * (1 - seen.got)
        assert deviation**2 <= FAR * (variance + deviation / 3), seen


@pytest.mark.parametrize("rule", ["token_level", "block_verification", "sampler_match"])
@pytest.mark.parametrize(
    "file",
    ["examples/theory.yaml", "examples/edge-cases/prompt.yaml", "examples/tables/order-1.yaml"],
)
def test_a_sample_agrees_with_the_exact_law(file: str, rule: str) -> None:
    assert_agrees(simulate(load(file), rule, runs=1_500, seed=1))


@pytest.mark.parametrize("rule", [n for n in CATALOGUE if not options_needed(CATALOGUE[n])])
def test_a_sample_of_every_rule_of_the_catalogue_agrees_with_its_exact_law(rule: str) -> None:
    assert_agrees(simulate(THEORY, rule, runs=400, seed=10))


@pytest.mark.parametrize(
    "file",
    [
        "examples/edge-cases/max-tokens.yaml",
        "examples/edge-cases/after-end.yaml",
        "examples/edge-cases/carried-state.yaml",
        "examples/wrong-rules/bonus-after-an-accepted-end.yaml",
        "examples/wrong-rules/unverified-in-the-third-round.yaml",
        "examples/wrong-rules/one-uniform-for-every-coin.yaml",
        "examples/wrong-rules/wrong-when-the-context-is-long.yaml",
    ],
)
def test_a_sample_agrees_where_requests_end_and_rounds_carry_something(file: str) -> None:
    assert_agrees(simulate(load(file), runs=1_500, seed=2, allow_rules=True))


@algorithm
def races_grids_and_broken(chance, target, draft, context, *, draft_length):
    """Everything that chance can decide, in one round."""
    race = chance.race()
    drafted = race.draw(draft(context), "draft")
    if race.draw(target(context), "target") == drafted:
        return Round((drafted, chance.uniform().pick(target(context))), accepted=1)
    if chance.grid(3) <= F(1, 3):
        return Round((Broken("stuck"),))
    return Round((chance.draw(target(context), "again"),))


def test_a_sample_agrees_for_races_grids_and_broken_outcomes() -> None:
    order_0 = load("examples/tables/order-0.yaml")
    simulation = simulate(order_0, races_grids_and_broken, runs=2_000, seed=3)
    assert_agrees(simulation)
    assert any(seen.tokens == (Broken("stuck"),) and seen.count for seen in simulation.outputs)


def test_the_mean_number_of_target_calls_is_near_the_exact_one() -> None:
    simulation = simulate(THEORY, "block_verification", runs=3_000, seed=4)
    # A run has 1 to 4 calls, so its variance is at most 9/4.
    assert (simulation.mean_calls - F(163, 96)) ** 2 <= FAR * F(9, 4) / 3_000


def test_the_same_seed_gives_the_same_sample_and_another_seed_another() -> None:
    one, again, other = (simulate(THEORY, runs=300, seed=seed) for seed in (7, 7, 8))
    assert one.outputs == again.outputs
    assert one.calls == again.calls
    assert one.outputs != other.outputs


def test_a_sample_is_the_same_bytes_each_time(exactspec: Callable) -> None:
    command = (
        "simulate",
        "examples/theory.yaml",
        "--runs",
        "200",
        "--seed",
        "5",
        "--format",
        "json",
    )
    first = exactspec(*command)
    assert first.code == 0
    assert exactspec(*command).out == first.out


def test_a_sample_does_not_depend_on_what_was_sampled_before() -> None:
    turned = Distribution({"b": F(2, 3), "a": F(1, 3)})
    plain = Distribution({"a": F(1, 3), "b": F(2, 3)})
    Dice(0).roll(turned)
    dice, again = Dice(0), Dice(0)
    assert [dice.roll(plain) for _ in range(50)] == [again.roll(plain) for _ in range(50)]


def test_dice_give_every_outcome_its_share_of_the_integers() -> None:
    class Every:
        """Instead of a generator: every integer once."""

        def __init__(self) -> None:
            self.next = -1

        def randrange(self, stop: int) -> int:
            self.next += 1
            return self.next % stop

    dice = Dice(0)
    dice._generator = Every()
    law = Distribution({"a": F(1, 4), "b": F(5, 12), "c": F(1, 3)})
    assert Counter(dice.roll(law) for _ in range(12)) == {"a": 3, "b": 5, "c": 4}


def test_frequencies_and_distances_are_exact() -> None:
    simulation = simulate(THEORY, "token_level", runs=100, seed=0)
    assert sum(seen.count for seen in simulation.outputs) == 100
    assert sum(seen.frequency for seen in simulation.outputs) == 1
    by_hand = sum(abs(seen.frequency - seen.got) for seen in simulation.outputs) / 2
    assert simulation.distance_from_own_law == by_hand
    assert simulation.distance_from_wanted == by_hand
    first = simulation.outputs[0]
    assert (first.tokens, first.got, first.variance) == (("$",), F(1, 3), F(2, 900))


def test_a_lossy_rule_says_how_many_runs_make_its_largest_deviation_three_standard_errors() -> None:
    simulation = simulate(THEORY, f"{WRONG}:target_instead_of_residual", runs=10, seed=0)
    notice, worst = simulation.notice, simulation.result.listing.worst
    assert (notice.tokens, notice.got, notice.want) == (("b", "$"), F(145, 1152), F(5, 72))
    assert (worst.tokens, worst.got, worst.want) == (notice.tokens, notice.got, notice.want)
    p, deviation = notice.got, notice.got - notice.want
    assert notice.runs == 312
    assert 9 * p * (1 - p) / notice.runs <= deviation**2 < 9 * p * (1 - p) / (notice.runs - 1)


def test_a_tiny_fault_needs_an_exact_and_large_number_of_runs() -> None:
    half, tiny = F(1, 2), F(1, 10**20)
    assert noticed(("a",), half + tiny, half).runs == 9 * 10**40 // 4
    assert noticed(("a",), F(1, 100), F(0)).runs == 891
    assert noticed(("a",), F(1), F(0)).runs == 1


def test_a_number_of_runs_is_written_with_all_its_digits(
    tmp_path: Path, exactspec: Callable
) -> None:
    zeros = "0" * 40
    row = f"{{a: 1/1{zeros}, b: {'9' * 40}/1{zeros}}}"
    text = f"version: 1\nvocabulary: [a, b]\ndraft_length: 1\nhorizon: 9\ntarget: {row}\ndraft: {row}\n"
    (tmp_path / "m.yaml").write_text(text)
    (tmp_path / "r.py").write_text(
        "from exactspec import Distribution\n"
        "def often_b(chance, target, draft, context, *, draft_length):\n"
        "    p = target(context)\n"
        "    return (chance.draw(Distribution({'a': p['a'] / 2, 'b': 1 - p['a'] / 2}), 'b'),)\n"
    )
    command = ("simulate", tmp_path / "m.yaml", "--rule", f"{tmp_path}/r.py:often_b", "--runs", 5)
    assert exactspec(*command).code == 0
    document = json.loads(exactspec(*command, "--format", "json").out)
    assert len(document["needed_to_notice"]["runs"]) >= 40


def test_a_fault_beyond_the_horizon_is_said_to_be_invisible() -> None:
    model = replace(THEORY, horizon=2)
    rule = f"{WRONG}:unverified_in_the_third_round"
    simulation = simulate(model, rule, runs=10, seed=0)
    assert simulation.notice is None
    assert simulation.differs_beyond == len(simulation.result.verdict.counterexample.tokens) > 2


def test_a_sample_of_a_lossless_rule_could_have_missed_an_error_of_three_standard_errors() -> None:
    tokens, deviation = simulate(THEORY, "token_level", runs=10_000, seed=0).unnoticed
    assert tokens == ("$",)
    exact = 9 * F(1, 3) * F(2, 3) / 10_000
    assert deviation**2 <= exact < (deviation + F(1, 10**12)) ** 2


def test_a_square_root_is_rounded_down() -> None:
    for value in (F(0), F(2), F(1, 3), F(10**40 + 1), F(1, 10**30)):
        root = square_root(value)
        assert root**2 <= value < (root + F(1, 10**12)) ** 2


def test_a_near_miss_is_lossy_beside_a_sample_that_agrees_with_it() -> None:
    simulation = simulate(THEORY, "second_sample", runs=1_000, seed=6)
    assert simulation.result.verdict.word == "lossy"
    assert_agrees(simulation)
    assert simulation.distance_from_own_law < simulation.distance_from_wanted


def test_where_the_exact_law_is_out_of_reach_the_sample_stands_alone(exactspec: Callable) -> None:
    command = ("simulate", "examples/theory.yaml", "--max-nodes", "20", "--runs", "50")
    ran = exactspec(*command)
    assert ran.code == 0
    assert "UNDECIDED" in ran.out
    assert "std. error" not in ran.out
    document = json.loads(exactspec(*command, "--format", "json").out)
    assert sum(row["count"] for row in document["sample"]["rows"]) <= 50
    assert document["sample"]["distance_from_own_law"] is None


def test_the_program_ends_with_0_also_for_a_lossy_rule_and_never_says_proved(
    exactspec: Callable,
) -> None:
    for rule in ("token_level", f"{WRONG}:target_instead_of_residual"):
        ran = exactspec("simulate", "examples/theory.yaml", "--rule", rule, "--runs", "50")
        assert ran.code == 0
        assert "prove" not in ran.out.lower()


@pytest.mark.parametrize(
    "arguments",
    [
        ("no-such-file.yaml",),
        ("examples/theory.yaml", "--rule", "tokn_level"),
        ("examples/theory.yaml", "--rule", "examples/rules/faulty.py:no_tokens"),
        ("examples/theory.yaml", "--runs", "0"),
        ("examples/wrong-rules/lenient.yaml",),
    ],
)
def test_bad_input_ends_with_2(arguments: tuple[str, ...], exactspec: Callable) -> None:
    assert exactspec("simulate", *arguments).code == 2
    assert exactspec("simulate", *arguments, "--format", "json").code == 2


@algorithm
def empty(chance, target, draft, context, *, draft_length):
    return ()


def test_a_fault_that_only_a_sample_meets_is_told_like_any_other() -> None:
    with pytest.raises(Exception, match="rule-no-tokens"):
        Sampler(replace(THEORY, horizon=2), empty, 0).output()


def test_the_request_s_end_is_an_end_of_the_sample() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 3
        horizon: 5
        max_tokens: 2
        target: {a: 1/3, b: 2/3}
        draft: {a: 1/2, b: 1/2}
        """
    )
    simulation = simulate(model, runs=400, seed=9)
    assert {len(seen.tokens) for seen in simulation.outputs} == {2}
    assert_agrees(simulation)
