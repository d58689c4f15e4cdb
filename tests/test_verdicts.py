"""Verdicts with exact figures: each rule on a table small enough to follow by hand."""

import copy
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
import reference

from exactspec import (
    Broken,
    Budget,
    Distribution,
    Model,
    Round,
    RuleError,
    algorithm,
    check,
    draft_tokens,
    load,
    parse,
)
from exactspec.algorithms.load import load_rule
from exactspec.check.verdict import Lossless, Lossy, Undecided

F = Fraction
HERE = Path(__file__).parent
RULES = HERE / "rules"
EXAMPLES = HERE.parent / "examples"

ORDER_0 = """
version: 1
vocabulary: [a, b]
draft_length: 2
target: {a: 1/3, b: 2/3}
draft: {a: 3/4, b: 1/4}
"""
ENDING = """
version: 1
vocabulary: [a, $]
end: $
draft_length: 2
horizon: 3
target: {a: 1/3, $: 2/3}
draft: {a: 3/4, $: 1/4}
"""


def model(text, more=""):
    return parse((text + more).encode())


def theory():
    return load(str(EXAMPLES / "theory.yaml"))


def rule_from(file, name):
    return load_rule(f"{file}.py:{name}", RULES)


def example_rule(file, name):
    return load_rule(f"{file}.py:{name}", EXAMPLES / "rules")


def shortest(scenario, rule):
    verdict = check(scenario, rule).verdict
    assert isinstance(verdict, Lossy)
    return verdict.counterexample


def token_of(row):
    """A rule that emits one token of the row that ``row`` chooses."""

    @algorithm
    def one_token(chance, target, draft, context, *, draft_length, state=None):
        return (chance.draw(row(target, draft, context)(context), "token"),)

    return one_token


def test_the_token_rule_is_lossless_at_every_horizon_on_the_worked_example():
    result = check(theory())
    assert isinstance(result.verdict, Lossless)
    assert result.verdict.scope.horizon is None
    assert result.round_identity_holds
    assert result.listing.total_variation == 0


def test_the_worked_example_accepts_259_240_drafts_in_its_first_round():
    first = check(theory()).round_figures[0]
    assert first.mean_accepted == F(259, 240)
    assert first.mean_emitted == F(313, 180)
    assert first.accepted == {0: F(5, 24), 1: F(121, 240), 2: F(23, 80)}


def test_the_worked_example_takes_629_360_target_calls_to_horizon_4():
    run = check(theory()).run
    assert (run.horizon, run.calls, run.tokens) == (4, F(629, 360), F(145, 54))


@pytest.mark.parametrize(
    ("file", "name", "distance", "calls"),
    [
        ("wrong", "target_instead_of_residual", F(33117037, 279936000), F(65377, 38880)),
        ("wrong", "row_of_the_wrong_position", F(11, 80), F(259, 160)),
        ("lossy", "target_for_the_residual", F(33117037, 279936000), F(65377, 38880)),
        ("lossy", "accept_with_q_over_p", F(36655313, 87480000), F(105130967, 77760000)),
        ("lossy", "accept_with_p", F(833567, 4147200), F(1194571, 518400)),
        ("lossy", "accept_everything", F(54791, 129600), F(359, 288)),
        ("lossy", "reject_everything", F(61, 108), F(14, 5)),
        ("lossy", "accept_with_the_ratio_squared", F(2164121, 11197440), F(401089, 207360)),
        ("lossy", "draft_for_the_residual", F(19212209, 69120000), F(25744877, 17280000)),
        ("lossy", "residual_of_q_over_p", F(264617, 648000), F(15301, 10800)),
        ("lossy", "keep_the_rejected_token", F(5429, 12960), F(178, 135)),
        ("lossy", "drop_the_accepted_tokens", F(97, 864), F(619379, 324000)),
        ("lossy", "bonus_of_the_first_position", F(289, 5760), F(3703, 2160)),
        ("lossy", "bonus_one_position_early", F(163, 4320), F(629, 360)),
        ("lossy", "bonus_of_the_draft", F(391, 4320), F(1453, 864)),
        ("lossy", "bonus_of_the_residual", F(47, 960), F(769, 432)),
        ("lossy", "coin_carried_as_true_or_one", F(111997, 518400), F(25849, 10800)),
        ("lossy", "first_round_only", F(1319, 3600), F(23191, 10800)),
        ("lossy", "draft_behind_b", F(28, 81), F(59, 27)),
        ("lossy", "two_tokens_from_one_row", F(13, 64), F(13, 9)),
        ("lossy", "all_drafted", F(14303, 32400), F(311, 240)),
        ("lossy", "on_and_on_behind_the_end", F(2495, 2592), F(5, 3)),
    ],
)
def test_a_rule_broken_in_one_place_is_lossy_with_these_figures(file, name, distance, calls):
    rule = example_rule(file, name) if file == "wrong" else rule_from(file, name)
    result = check(theory(), rule)
    assert isinstance(result.verdict, Lossy)
    assert not result.round_identity_holds
    assert result.listing.total_variation == distance
    assert result.run.calls == calls


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("accept_without_a_cap", "rule-acceptance-range"),
        ("residual_of_the_next_position", "missing-row"),
    ],
)
def test_a_rule_broken_in_one_place_can_be_an_error(name, code):
    with pytest.raises(Exception, match=code):
        check(theory(), rule_from("lossy", name))


def test_a_bonus_after_an_accepted_end_is_an_output_that_the_target_never_gives():
    result = check(model(ENDING), example_rule("wrong", "bonus_after_an_accepted_end"))
    impossible = {output.tokens: output.got for output in result.listing.impossible}
    assert impossible == {
        ("$", "a"): F(1, 12),
        ("$", "$"): F(1, 6),
        ("a", "$", "a"): F(1, 36),
        ("a", "$", "$"): F(1, 18),
    }
    assert result.verdict.counterexample.tokens == ("$", "a")
    assert result.verdict.counterexample.got == F(1, 12)
    assert result.listing.total_variation == F(1, 3)


def test_a_bonus_after_an_accepted_end_is_lossless_where_blocks_are_cut():
    scenario = model(ENDING, "after_end: cut\n")
    result = check(scenario, example_rule("wrong", "bonus_after_an_accepted_end"))
    assert isinstance(result.verdict, Lossless)
    assert result.listing.total_variation == 0


@pytest.mark.parametrize("text", [ENDING, ENDING + "max_tokens: 2\n"])
def test_accepted_drafts_that_are_cut_away_are_not_counted(text):
    @algorithm
    def end_and_more(chance, target, draft, context, *, draft_length):
        return Round(("$", "a", "a")[: draft_length + 1], accepted=draft_length)

    result = check(model(text, "after_end: cut\n"), end_and_more)
    assert result.round_figures[0].emitted == {1: 1}
    assert result.round_figures[0].accepted == {1: 1}


def test_a_rule_that_misbehaves_from_the_third_token_on_is_lossless_to_horizon_2():
    rule = example_rule("wrong", "wrong_when_the_context_is_long")
    result = check(
        model(ORDER_0.replace("draft_length: 2", "draft_length: 1"), "horizon: 3\n"), rule
    )
    assert isinstance(result.verdict, Lossless)
    assert result.verdict.scope.horizon == 3
    assert "length of its context" in result.verdict.scope.reason


def test_a_rule_that_misbehaves_behind_three_tokens_is_lossy_at_horizon_4():
    rule = example_rule("wrong", "wrong_when_the_context_is_long")
    result = check(
        model(ORDER_0.replace("draft_length: 2", "draft_length: 1"), "horizon: 4\n"), rule
    )
    assert isinstance(result.verdict, Lossy)
    assert result.verdict.counterexample.tokens == ("a", "a", "b", "a")
    assert result.verdict.counterexample.got == F(19, 432)
    assert result.verdict.counterexample.want == F(2, 81)
    assert result.verdict.scope.horizon == 4


def late(rounds):
    """A rule that emits target tokens for so many rounds, and draft tokens from then on."""

    @algorithm
    def right_at_first(chance, target, draft, context, *, draft_length, state=None):
        count = state or 0
        row = target(context) if count < rounds else draft(context)
        return Round((chance.draw(row, "token"),), state=min(count + 1, rounds))

    return right_at_first


@pytest.mark.parametrize("horizon", [1, 2, 5])
def test_a_rule_lossless_to_the_horizon_and_lossy_behind_it_is_lossy_at_every_horizon(horizon):
    result = check(model(ORDER_0, f"horizon: {horizon}\n"), late(horizon))
    assert isinstance(result.verdict, Lossy)
    assert result.verdict.lossless_to == horizon
    assert result.verdict.scope.horizon is None
    assert len(result.verdict.counterexample.tokens) == horizon + 1
    assert result.verdict.counterexample.got == F(1, 3) ** horizon * F(3, 4)
    assert result.listing.total_variation == 0


def test_a_rule_lossless_to_every_shorter_horizon_is_lossy_at_its_own():
    result = check(model(ORDER_0, "horizon: 5\n"), late(4))
    assert result.verdict.lossless_to is None
    assert len(result.verdict.counterexample.tokens) == 5
    assert result.listing.total_variation == F(5, 12)


def test_without_a_horizon_the_first_difference_is_found_however_late():
    found = shortest(model(ORDER_0), late(12))
    assert found.tokens == ("a",) * 13
    assert found.difference == F(1, 3) ** 12 * F(5, 12)


def test_a_fault_in_a_context_first_reached_in_the_third_round_is_found():
    text = """
version: 1
vocabulary: [a, b]
draft_length: 0
target: {"": {a: 1/2, b: 1/2}, b b: {a: 1/4, b: 3/4}}
draft: {"": {a: 1/2, b: 1/2}, b b: {a: 1/3, b: 2/3}}
"""
    found = shortest(model(text), token_of(lambda target, draft, context: draft))
    assert found.tokens == ("b", "b", "a")
    assert (found.got, found.want) == (F(1, 12), F(1, 16))


def test_a_rule_repaired_by_its_later_rounds_is_lossless_without_the_round_identity():
    result = check(theory(), example_rule("carry_over", "one_ahead"))
    assert isinstance(result.verdict, Lossless)
    assert result.verdict.scope.horizon is None
    assert not result.round_identity_holds
    assert result.listing.total_variation == 0


class Pair(NamedTuple):
    left: object
    right: object


@dataclass(frozen=True)
class Kept:
    value: object


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        ((True, "x"), (1, "x")),
        (frozenset((True,)), frozenset((1,))),
        (Kept(True), Kept(1)),
        (Kept((0,)), Kept((False,))),
        (Pair(1, 2), (1, 2)),
        (1, Fraction(1)),
        (0.0, -0.0),
    ],
)
def test_states_that_python_calls_equal_are_told_apart(one, other):
    @algorithm
    def wrong_behind_the_other(chance, target, draft, context, *, draft_length, state="first"):
        row = draft if repr(state) == repr(other) else target
        token = chance.draw(row(context), "token")
        return Round((token,), state=one if chance.accept(F(1, 2)) else other)

    found = shortest(model(ORDER_0), wrong_behind_the_other)
    assert found.tokens == ("a", "a")
    assert found.got == F(1, 3) * (F(1, 3) + F(3, 4)) / 2


@pytest.mark.parametrize(
    "long",
    [
        lambda context: len(context) > 2,
        lambda context: len(list(context)) > 2,
        lambda context: sum(1 for _ in context) > 2,
        lambda context: context not in SHORT,
        lambda context: dict.fromkeys(SHORT, 1).get(context) is None,
        lambda context: context == ("a", "a", "a"),
        lambda context: repr(context).count("a") > 2,
        lambda context: f"{context}".count("a") > 2,
        lambda context: tuple(context[0:3]) == ("a", "a", "a"),
        lambda context: context[-3:] == ("a", "a", "a"),
        lambda context: len(context[-3:]) == 3,
        lambda context: tuple(reversed(context))[2:] != (),
        lambda context: len(copy.copy(context)) > 2,
        lambda context: len(copy.deepcopy(context)) > 2,
        lambda context: bool(context) and context[::-1][2:] != (),
        lambda context: (context + ("b",))[-4:-1] == ("a", "a", "a"),  # noqa: RUF005
        lambda context: len(context + ("b", "b")) > 4,  # noqa: RUF005
        lambda context: reaches(context, 2),
    ],
)
def test_every_look_at_the_context_becomes_a_part_of_the_state(long):
    rule = token_of(lambda target, draft, context: draft if long(context) else target)
    found = shortest(model(ORDER_0, "horizon: 4\n"), rule)
    assert found.tokens == ("a", "a", "a", "a")
    assert found.got == F(1, 27) * F(3, 4)


SHORT = [(), *((x,) for x in "ab"), *((x, y) for x in "ab" for y in "ab")]


def reaches(context, index):
    try:
        context[index]
    except IndexError:
        return False
    return True


def test_a_context_has_no_other_way_to_be_read():
    seen = []
    check(model(ORDER_0), token_of(lambda target, draft, context: seen.append(context) or target))
    public = {name for name in dir(seen[0]) if not name.startswith("_")}
    assert public == set()


def test_a_model_of_the_rule_s_own_is_a_look_at_the_context():
    own = Model(
        {
            (): Distribution({"a": F(1, 3), "b": F(2, 3)}),
            ("a", "a", "a"): Distribution({"b": 1}),
        }
    )
    found = shortest(model(ORDER_0), token_of(lambda target, draft, context: own))
    assert found.tokens == ("a", "a", "a", "a")
    assert (found.got, found.want) == (0, F(1, 81))


def test_a_look_at_the_last_token_is_decided_at_every_horizon():
    rule = rule_from("sound", "no_draft_behind_the_last_token")
    verdict = check(model(ORDER_0), rule).verdict
    assert isinstance(verdict, Lossless)
    assert verdict.scope.horizon is None


def test_a_look_at_the_last_token_is_lossy_where_it_is_wrong():
    found = shortest(model(ORDER_0), rule_from("lossy", "draft_behind_b"))
    assert found.tokens == ("b", "a")
    assert (found.got, found.want) == (F(2, 3) * F(3, 4), F(2, 3) * F(1, 3))


def test_a_rule_that_looks_at_the_length_without_a_horizon_is_undecided():
    verdict = check(model(ORDER_0), rule_from("sound", "no_draft_when_long")).verdict
    assert isinstance(verdict, Undecided)


def test_a_rule_that_looks_at_the_length_is_decided_at_every_horizon_under_max_tokens():
    scenario = model(ORDER_0, "max_tokens: 4\n")
    verdict = check(scenario, rule_from("sound", "no_draft_when_long")).verdict
    assert isinstance(verdict, Lossless)
    assert verdict.scope.horizon is None
    assert isinstance(
        check(scenario, example_rule("wrong", "wrong_when_the_context_is_long")).verdict, Lossy
    )


def test_a_prompt_is_a_part_of_the_context():
    text = """
version: 1
vocabulary: [a, b]
draft_length: 1
horizon: 2
prompt: a b
target: {^: {b: 1}, ^ a b: {a: 1/3, b: 2/3}, a: {a: 1}, b: {b: 1}}
draft: {a: 1/2, b: 1/2}
"""
    result = check(model(text))
    assert isinstance(result.verdict, Lossless)
    assert {o.tokens: o.got for o in result.listing} == {("a", "a"): F(1, 3), ("b", "b"): F(2, 3)}
    assert shortest(model(text), token_of(lambda target, draft, context: draft)).got == F(1, 2)


def test_max_tokens_is_a_part_of_the_wanted_law():
    scenario = model(ORDER_0, "max_tokens: 2\nhorizon: 4\n")
    result = check(scenario)
    assert isinstance(result.verdict, Lossless)
    assert {len(output.tokens) for output in result.listing} == {2}

    @algorithm
    def one_too_many(chance, target, draft, context, *, draft_length):
        first = chance.draw(target(context), "first")
        return (first, chance.draw(target(context), "second"))

    assert isinstance(check(scenario, one_too_many).verdict, Lossless)
    found = shortest(model(ORDER_0, "max_tokens: 3\nhorizon: 4\n"), one_too_many)
    assert len(found.tokens) == 4
    assert found.want == 0


def test_each_round_drafts_no_more_than_the_tokens_left_but_one():
    given = set()

    @algorithm
    def one_token(chance, target, draft, context, *, draft_length):
        given.add(draft_length)
        return (chance.draw(target(context), "token"),)

    check(
        model(ORDER_0.replace("draft_length: 2", "draft_length: 3"), "max_tokens: 3\n"), one_token
    )
    assert given == {2, 1, 0}


@pytest.mark.parametrize(
    ("budget", "word"),
    [
        (Budget(max_nodes=5), "nodes"),
        (Budget(max_bits=1), "bits"),
        (Budget(timeout=0), "seconds"),
    ],
)
def test_a_reached_budget_is_undecided_and_never_lossless(budget, word):
    result = check(theory(), budget=budget)
    assert isinstance(result.verdict, Undecided)
    assert word in result.verdict.reason
    assert result.listing is None


def test_a_listing_beyond_the_budget_is_left_out_and_the_verdict_stands():
    scenario = model(ORDER_0, "horizon: 10\n")
    result = check(scenario, token_of(lambda target, draft, context: target), budget=Budget(1000))
    assert isinstance(result.verdict, Lossless)
    assert result.listing is None
    assert "1,000 output sequences" in result.listing_left_out


def test_rows_written_only_so_far_are_decided_to_the_horizon():
    text = """
version: 1
vocabulary: [a, b]
draft_length: 0
horizon: 2
target: {^: {a: 1/3, b: 2/3}, ^ a: {a: 1}, ^ b: {b: 1}}
"""
    verdict = check(model(text)).verdict
    assert isinstance(verdict, Lossless)
    assert verdict.scope.horizon == 2
    assert "rows only so far" in verdict.scope.reason


@pytest.mark.parametrize(
    "grown",
    [
        lambda state: ("x", state),
        lambda state: (state or 0) + 1,
        lambda state: frozenset((state, "x")),
    ],
)
def test_a_state_that_grows_on_and_on_is_decided_to_the_horizon_only(grown):
    @algorithm
    def keeps_on_growing(chance, target, draft, context, *, draft_length, state=None):
        return Round((chance.draw(target(context), "token"),), state=grown(state))

    verdict = check(model(ORDER_0, "horizon: 3\n"), keeps_on_growing).verdict
    assert isinstance(verdict, Lossless)
    assert verdict.scope.horizon == 3
    assert isinstance(check(model(ORDER_0), keeps_on_growing).verdict, Undecided)


def test_a_broken_outcome_equals_itself_and_its_copies_and_no_token():
    broken, token = Broken("stuck"), "<stuck>"
    assert broken == copy.deepcopy(broken) == Broken("stuck")
    assert not broken == token  # noqa: SIM201
    assert broken != token
    assert token != broken
    assert len({broken, token}) == 2


def test_tokens_that_no_rule_looked_at_are_carried_over_in_a_tuple():
    result = check(theory(), rule_from("sound", "unlooked_state"))
    assert isinstance(result.verdict, Lossless)
    assert not result.round_identity_holds


def test_a_draft_that_is_carried_over_undecided_is_an_error():
    @algorithm
    def keeps_its_draft(chance, target, draft, context, *, draft_length, state=None):
        if state is not None:
            return (state[1],)
        return Round((chance.draw(target(context)),), state=draft_tokens(chance, draft, context, 2))

    with pytest.raises(RuleError, match="rule-state"):
        check(model(ORDER_0), keeps_its_draft)


def test_a_draw_of_a_round_that_is_over_can_not_be_looked_at():
    kept = []

    @algorithm
    def looks_back(chance, target, draft, context, *, draft_length):
        if kept and kept[0] == "a":
            return ("a",)
        kept.append(chance.draw(target(context)))
        return (chance.draw(target(context)),)

    with pytest.raises(RuleError, match="rule-late-look"):
        check(model(ORDER_0), looks_back)


def test_two_draws_compared_with_each_other_are_both_decided():
    @algorithm
    def two_of_a_kind(chance, target, draft, context, *, draft_length):
        one, other = chance.draw(target(context), "one"), chance.draw(draft(context), "other")
        return ("a",) if one == other else ("b",)

    found = shortest(model(ORDER_0), two_of_a_kind)
    assert found.got == F(1, 3) * F(3, 4) + F(2, 3) * F(1, 4)


def test_a_draw_that_is_emitted_twice_is_one_draw():
    @algorithm
    def twice_the_same(chance, target, draft, context, *, draft_length):
        token = chance.draw(target(context), "token")
        return (token, token)

    result = check(model(ORDER_0, "horizon: 2\n"), twice_the_same)
    assert {o.tokens: o.got for o in result.listing if o.got} == {
        ("a", "a"): F(1, 3),
        ("b", "b"): F(2, 3),
    }


def test_a_last_token_of_the_target_s_row_at_a_wrong_place_fails_the_round_identity():
    text = """
version: 1
vocabulary: [a, b]
draft_length: 1
target: {^: {a: 1/3, b: 2/3}, a: {a: 1/4, b: 3/4}, b: {a: 1}}
draft: {a: 1/2, b: 1/2}
"""
    rule = rule_from("lossy", "two_tokens_from_one_row")
    result = check(model(text), rule)
    assert isinstance(result.verdict, Lossy)
    assert not result.round_identity_holds
    assert result.verdict.counterexample.tokens == ("a", "a")
    assert result.verdict.counterexample.got == F(1, 9)


def test_a_coin_that_is_kept_but_never_used_changes_nothing():
    assert isinstance(check(theory(), rule_from("sound", "toss_kept_in_a_set")).verdict, Lossless)


def test_a_counterexample_s_paths_sum_to_what_it_got():
    found = shortest(theory(), example_rule("wrong", "target_instead_of_residual"))
    assert sum(path.mass for path in found.paths) == found.got


def test_the_reference_finds_the_same_distance_on_the_worked_example():
    setting = reference.setting_of(theory())
    rule = reference.rules_in(EXAMPLES / "rules" / "wrong.py")["target_instead_of_residual"]
    run = reference.run(rule, setting, 4)
    want = reference.target_law(setting, 4)
    assert reference.total_variation(run.law, want) == F(33117037, 279936000)
    assert run.calls == F(65377, 38880)


def test_outputs_beyond_the_budget_are_counted_and_not_listed() -> None:
    text = (
        b"version: 1\nvocabulary: [a, b]\ndraft_length: 1\nhorizon: 300\n"
        b"target: {a: 1/3, b: 2/3}\ndraft: {a: 1/2, b: 1/2}\n"
    )
    result = check(parse(text))
    assert result.verdict.word == "lossless"
    assert result.listing is None
    assert "more than 1,000,000 output sequences" in result.listing_left_out
    assert result.run.tokens == 300
