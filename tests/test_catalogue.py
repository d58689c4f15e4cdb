"""The catalogue's lossless rules: their figures on the common toy, their verdicts, and rules near to them."""

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import near_misses
import pytest

from exactspec import Budget, Model, algorithm, check, load, parse, total_variation
from exactspec.algorithms import CATALOGUE, LOSSLESS
from exactspec.algorithms.candidates import down_the_tree, law_of_sets, recursive_rejection
from exactspec.algorithms.staged import staged_by
from exactspec.distribution import Distribution
from exactspec.text import decimal_text
from exactspec.transforms import argmax, temperature, top_k
from exactspec.transport import membership_plan

F = Fraction
TOY = load("examples/theory.yaml")
# Zeros on both sides, equal rows behind a, disjoint ones behind b; a target that can't end at once.
ZEROS = parse(
    b"""
    version: 1
    vocabulary: [a, b, c, $]
    end: $
    draft_length: 2
    horizon: 3
    target:
      ^: {a: 1/2, b: 1/2}
      a: {a: 1/4, b: 1/4, c: 1/4, $: 1/4}
      b: {c: 2/3, $: 1/3}
      c: {a: 1/6, c: 1/2, $: 1/3}
    draft:
      ^: {a: 1/3, c: 2/3}
      a: {a: 1/4, b: 1/4, c: 1/4, $: 1/4}
      b: {b: 1}
      c: {a: 3/4, b: 1/8, c: 1/8}
    """
)
ENDLESS = parse(
    b"""
    version: 1
    vocabulary: [a, b, c]
    draft_length: 2
    horizon: 3
    target: {^: {a: 2/3, b: 1/3}, "": {a: 1/5, b: 3/10, c: 1/2}, c: {a: 1/2, b: 1/2}}
    draft: {^: {a: 1/3, c: 2/3}, "": {a: 1/5, b: 2/5, c: 2/5}, c: {c: 1}}
    """
)
TABLES = {"toy": TOY, "zeros": ZEROS, "endless": ENDLESS}
SMALL = Model(
    {
        (): Distribution.normalised({"a": 1, "b": 1, "$": 1}),
        ("a",): Distribution.normalised({"a": 1, "b": 2, "$": 1}),
        ("b",): Distribution.normalised({"a": 1, "b": 2, "$": 2}),
    }
)
# Expected accepted drafts of the first round, and expected target calls to horizon 4.
FIGURES = {
    "token_level": (F(259, 240), "1.7472"),
    "block_verification": (F(827, 720), "1.6979"),
    "greedy_block_verification": (F(427, 360), "1.7153"),
    "sampler_match": (F(9, 20), "2.1691"),
    "one_hot_draft": (F(35, 72), "2.1852"),
    "draft_as_one_hot": (F(9, 20), "2.1691"),
    "greedy_match": (F(1), "3"),
    "recursive_rejection_with_replacement": (F(8063, 6400), "1.6257"),
    "recursive_rejection_without_replacement": (F(89, 60), "1.5174"),
    "k_seq": (F(62803, 57600), "1.6617"),
    "naive_multi_draft": (F(25501, 34560), "1.9029"),
    "target_only_coin": (F(37, 36), "1.6644"),
    "dynamic_tree": (F(37, 36), "1.6644"),
    "canonical_decomposition": (F(51251, 34560), "1.5314"),
    "spec_hub": (F(13, 8), "1.4699"),
    "greedy_drafting": (F(13, 8), "1.4699"),
    "gumbel_coupling": (F(1599349, 1511640), "1.7534"),
    "staged": (F(1), "1.7833"),
    "parallel_drafter": (F(589, 540), "1.735"),
    "stop_before_drawing": (F(1), "1.9259"),
    "stop_after_keeping": (F(1), "1.8056"),
    "stop_by_target": (F(19, 24), "1.8764"),
    "length_by_history": (F(19, 24), "1.8889"),
    "redraw_until_confident": (F(35, 72), "2.0352"),
    "dropped_token_repaired": (F(35, 72), "2.2685"),
    "common_cut": (F(449, 720), "2.0526"),
    "warped_draft": (F(13201, 18360), "1.9552"),
    "warped_target": (F(5689, 5040), "1.9064"),
}
WITH_OPTIONS = [
    ("canonical_decomposition", {"weights": "ratio"}, "1.3255", "1.5852"),
    ("k_seq", {"bisections": 12}, "1.319", "1.6017"),
    ("warped_target", {"inverse_temperature": 1, "top_k": 2}, "0.9907", "1.7623"),
    ("warped_target", {"inverse_temperature": 1, "top_p": F(3, 4)}, "0.9907", "1.7623"),
    ("warped_draft", {"inverse_temperature": 1, "top_k": 2}, "0.8552", "1.8761"),
    ("warped_draft", {"inverse_temperature": 1, "top_p": F(3, 4)}, "0.8552", "1.9296"),
    ("dynamic_tree", {"kept": 2}, "0.4861", "1.8171"),
]
ONE_STEP = {
    "token_level": F(19, 24),
    "gumbel_coupling": F(317, 408),
    "sampler_match": F(3, 8),
    "naive_multi_draft": F(9, 16),
    "target_only_coin": F(3, 4),
    "dynamic_tree": F(3, 4),
    "k_seq": F(3, 4),
    "recursive_rejection_with_replacement": F(167, 192),
    "recursive_rejection_without_replacement": F(17, 18),
    "canonical_decomposition": F(63, 64),
    "spec_hub": F(1),
    "greedy_drafting": F(1),
}


def judged(model, name, **options):
    """A rule's result against the law that it promises."""
    rule = CATALOGUE[name] if isinstance(name, str) else name
    limit = 4 if rule.name == "greedy_block_verification" else None
    wanted = "rule" if rule.wanted else "target"
    return check(replace(model, options=options, wanted=wanted, max_tokens=limit), rule)


def accepted(result):
    return result.round_figures[0].mean_accepted


def decimal(number):
    return decimal_text(number).lstrip("~= ")


def round_law(result):
    """The law of (tokens, accepted) of the first round."""
    law = Counter()
    for outcome, mass in result.rounds.laws[result.rounds.start].outcomes.items():
        for last, weight in outcome.last.items() if outcome.last else [(None, 1)]:
            tokens = (*outcome.tokens, last) if last else outcome.tokens
            law[tokens, outcome.accepted] += mass * weight
    return law


@pytest.mark.parametrize("name", LOSSLESS)
def test_a_rule_has_its_known_figures_on_the_common_toy(name):
    result = judged(TOY, name)
    assert (accepted(result), decimal(result.run.calls)) == FIGURES[name]


@pytest.mark.parametrize(("name", "options", "mean", "calls"), WITH_OPTIONS)
def test_a_rule_has_its_known_figures_with_options(name, options, mean, calls):
    result = judged(TOY, name, **options)
    assert result.verdict.word == "lossless"
    assert (decimal(accepted(result)), decimal(result.run.calls)) == (mean, calls)


def test_staged_drafting_with_a_third_table_has_its_known_figures():
    staged = staged_by(lambda draft: SMALL)
    whole = judged(TOY, staged, inner_rounds=2)
    assert accepted(judged(TOY, staged)) == F(707, 720)
    assert decimal(judged(TOY, staged).run.calls) == "1.7898"
    assert (accepted(whole), decimal(whole.run.calls)) == FIGURES["token_level"]


@pytest.mark.parametrize("name", ONE_STEP)
def test_a_rule_accepts_as_much_as_is_known_in_a_single_step(name):
    assert accepted(judged(replace(TOY, draft_length=1), name)) == ONE_STEP[name]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", LOSSLESS)
def test_a_rule_is_lossless_at_every_horizon(name, table):
    result = judged(TABLES[table], name)
    assert result.verdict.word == "lossless"
    assert result.verdict.scope.horizon is None
    assert result.round_identity_holds or name == "greedy_block_verification"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", [n for n in LOSSLESS if "candidates" in CATALOGUE[n].keywords()])
@pytest.mark.parametrize("count", [1, 3])
def test_a_rule_is_lossless_with_one_candidate_and_with_three(name, table, count):
    shorter = replace(TABLES[table], draft_length=1)
    assert judged(shorter, name, candidates=count).verdict.word == "lossless"


# Greedy block verification: the three strengths of the claim differ.


def test_greedy_block_verification_is_lossless_to_a_horizon_only_where_its_states_do_not_end():
    budget = Budget(max_states=40)
    verdict = check(TOY, "greedy_block_verification", budget=budget).verdict
    assert (verdict.word, verdict.scope.horizon) == ("lossless", 4)
    assert verdict.scope.reason == "more than 40 states are reached (--max-states)"


def test_greedy_block_verification_has_the_first_token_s_law_and_not_that_of_a_round():
    result = judged(TOY, "greedy_block_verification")
    first = Counter()
    for (tokens, _), mass in round_law(result).items():
        first[tokens[0]] += mass
    assert Distribution(first) == TOY.target.rows[(None,)]
    assert not result.identities[0].holds
    assert result.verdict.word == "lossless"


@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("token_level", [F(259, 240), F(257, 216)]),
        ("block_verification", [F(827, 720), F(209, 160)]),
        ("greedy_block_verification", [F(427, 360), F(7601, 5400)]),
    ],
)
def test_longer_blocks_are_accepted_as_known(name, means):
    results = [judged(replace(TOY, draft_length=length), name) for length in (2, 3)]
    assert [accepted(result) for result in results] == means
    assert {result.verdict.word for result in results} == {"lossless"}


@pytest.mark.parametrize(
    ("name", "mean"),
    [
        ("token_level", F(10, 9)),
        ("block_verification", F(11, 9)),
        ("greedy_block_verification", F(12, 9)),
    ],
)
def test_the_rules_for_one_path_differ_as_in_the_paper_s_example(name, mean):
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 2
        target: {a: 1/3, b: 2/3}
        draft: {a: 2/3, b: 1/3}
        """
    )
    assert accepted(judged(model, name)) == mean


def test_a_long_block_is_accepted_where_a_zero_over_zero_coin_is_never_tossed():
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


# Relations between rules.


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("one", "other", "options"),
    [
        ("draft_as_one_hot", "sampler_match", {}),
        ("dynamic_tree", "target_only_coin", {}),
        ("recursive_rejection_with_replacement", "token_level", {"candidates": 1}),
        ("recursive_rejection_without_replacement", "token_level", {"candidates": 1}),
        ("k_seq", "token_level", {"candidates": 1}),
        ("canonical_decomposition", "token_level", {"candidates": 1, "weights": "ratio"}),
        ("naive_multi_draft", "sampler_match", {"candidates": 1}),
        ("staged", "token_level", {"inner_rounds": 2}),
    ],
)
def test_two_rules_have_one_round_law(one, other, options, table):
    model = TABLES[table]
    assert round_law(judged(model, one, **options)) == round_law(judged(model, other))


@pytest.mark.parametrize("table", TABLES)
def test_looking_the_target_s_token_up_among_fixed_candidates_has_the_law_of_one_coin(table):
    @algorithm
    def look_up(chance, target, draft, context, *, draft_length):
        def step(p, q):
            sampled = chance.draw(p, "target")
            return sampled, sampled in list(top_k(q, 2))

        return down_the_tree(chance, target, draft, context, draft_length, step)

    model = TABLES[table]
    assert round_law(judged(model, look_up)) == round_law(judged(model, "target_only_coin"))


@pytest.mark.parametrize("table", TABLES)
def test_candidates_of_different_drafters_are_each_judged_by_their_own_law(table):
    @algorithm
    def two_drafters(chance, target, draft, context, *, draft_length):
        def step(p, q):
            laws = (q, temperature(q, 2))
            candidates = [(chance.draw(law, "draft"), law) for law in laws]
            return recursive_rejection(chance, p, candidates)

        return down_the_tree(chance, target, draft, context, draft_length, step)

    assert judged(TABLES[table], two_drafters).verdict.word == "lossless"


def test_a_deterministic_draft_has_the_law_of_sampler_match_on_it():
    rows = {key: Distribution.one_hot(argmax(row)) for key, row in TOY.draft.rows.items()}
    greedy = replace(TOY, draft=Model(rows, name="draft", end="$"))
    result = judged(greedy, "sampler_match")
    assert (accepted(result), decimal(result.run.calls)) == FIGURES["one_hot_draft"]
    assert round_law(result) == round_law(judged(TOY, "one_hot_draft"))


PAIRS = [
    pytest.param(model.target.rows[key], model.draft.rows[key], id=f"{table} {key}")
    for table, model in TABLES.items()
    for key in model.target.rows
]


def one_step(name, p, q, **options):
    target, draft = Model({(): p}, name="target"), Model({(): q}, name="draft")
    vocabulary = tuple(dict.fromkeys((*p, *q)))
    model = replace(ENDLESS, target=target, draft=draft, vocabulary=vocabulary, draft_length=1)
    return accepted(judged(replace(model, horizon=1), name, **options))


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_no_rule_with_independent_candidates_accepts_more_than_optimal_transport(p, q):
    best = membership_plan(law_of_sets(q, 2), p).value
    assert one_step("canonical_decomposition", p, q) == best
    for name in ("recursive_rejection_with_replacement", "k_seq", "naive_multi_draft"):
        assert one_step(name, p, q) <= best
    by_ratio = one_step("canonical_decomposition", p, q, weights="ratio")
    assert by_ratio <= best


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_rules_with_candidates_of_their_own_reach_the_optimum_for_those(p, q):
    a = argmax(q)
    others = {x: weight for x, weight in q.items() if x != a}
    pairs = {(x, a): weight for x, weight in others.items()}
    pairs |= {(a, x): weight * q[a] / (1 - q[a]) for x, weight in others.items()}
    fixed = {(a, x): weight / (1 - q[a]) for x, weight in others.items()}
    for name, law in (("spec_hub", pairs), ("greedy_drafting", fixed)):
        best = membership_plan(Distribution(law or {(a,): 1}), p).value
        assert one_step(name, p, q) == best


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_distinct_candidates_are_accepted_no_less_than_independent_ones(p, q):
    names = ("recursive_rejection_with_replacement", "recursive_rejection_without_replacement")
    independent, distinct = (one_step(name, p, q) for name in names)
    assert independent <= distinct


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_coupled_noise_agrees_within_the_known_bounds(p, q):
    distance = total_variation(p, q)
    coupled = one_step("gumbel_coupling", p, q)
    assert (1 - distance) / (1 + distance) <= coupled <= 1 - distance


def test_distinct_candidates_can_always_be_accepted_at_the_toy_s_start():
    q = TOY.draft.rows[(None,)]
    law = {(x, y): q[x] * q[y] / (1 - q[x]) for x in q for y in q if x != y}
    assert membership_plan(Distribution(law), TOY.target.rows[(None,)]).value == 1


def test_k_seq_is_accepted_less_at_a_large_scale_than_a_single_draft():
    single = replace(TOY, draft_length=1)
    assert accepted(judged(single, "k_seq")) < accepted(judged(single, "token_level"))
    assert decimal(accepted(judged(single, "k_seq", bisections=12))) == "0.9064"


# Rules near to them.


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_rule_says_what_it_does_and_where_it_is_from(name):
    assert CATALOGUE[name].name == name
    assert CATALOGUE[name].summary.endswith(".")
    assert CATALOGUE[name].paper
    assert CATALOGUE[name].acceptance


@pytest.mark.parametrize("name", LOSSLESS)
def test_every_lossless_rule_says_when_it_is_and_what_happens_at_the_edges(name):
    assert CATALOGUE[name].lossless_when
    assert CATALOGUE[name].edge_cases


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_rule_s_file_has_fewer_than_60_lines(name):
    module = sys.modules[CATALOGUE[name].function.__module__]
    assert len(Path(module.__file__).read_text().splitlines()) < 60


NEAR = {
    "token_level": "target_instead_of_residual",
    "block_verification": "block_with_w_for_every_coin",
    "greedy_block_verification": near_misses.debts_forgotten,
    "sampler_match": "second_sample",
    "one_hot_draft": "argmax_draft_with_soft_q",
    "draft_as_one_hot": near_misses.one_hot_with_the_draft_s_residual,
    "greedy_match": near_misses.greedy_match_with_a_sampled_correction,
    "recursive_rejection_with_replacement": "duplicates_without_residual_update",
    "recursive_rejection_without_replacement": near_misses.not_renormalised,
    "k_seq": near_misses.k_seq_at(F(21, 20), cut=True),
    "naive_multi_draft": near_misses.second_sample_of_the_target,
    "target_only_coin": "target_coin_with_duplicates",
    "dynamic_tree": "top_k_tree_with_soft_q",
    "canonical_decomposition": near_misses.ratio_to_the_draft,
    "spec_hub": near_misses.the_other_order,
    "greedy_drafting": near_misses.whole_q_in_the_ratio,
    "gumbel_coupling": near_misses.fresh_noise_after_a_mismatch,
    "staged": "staged_with_small_q",
    "parallel_drafter": near_misses.parallel_with_sequential_rows,
    "stop_before_drawing": "admitted_by_the_next_position",
    "stop_after_keeping": "unconfident_draft_dropped",
    "stop_by_target": "improbable_draft_dropped",
    "length_by_history": near_misses.shortened_by_its_own_rejection,
    "redraw_until_confident": "redrawn_until_confident_with_raw_q",
    "dropped_token_repaired": "unconfident_draft_dropped",
    "common_cut": near_misses.fresh_sample_at_the_cut,
    "warped_draft": "processed_draft_with_raw_q",
    "warped_target": near_misses.bonus_of_the_plain_target,
}


@pytest.mark.parametrize("name", LOSSLESS)
def test_a_rule_near_to_a_lossless_one_is_lossy(name):
    assert judged(TOY, NEAR[name]).verdict.word == "lossy"


@pytest.mark.parametrize(
    ("rule", "mean", "calls", "distance"),
    [
        (near_misses.debts_forgotten, F(427, 360), "1.651", "0.0486"),
        (near_misses.fresh_sample_at_the_cut, F(449, 720), "2.0883", "0.0486"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_near_miss_has_its_known_figures(rule, mean, calls, distance):
    result = judged(TOY, rule)
    assert (accepted(result), decimal(result.run.calls)) == (mean, calls)
    assert decimal(result.listing.total_variation) == distance


def test_a_warped_target_is_lossy_against_the_plain_one():
    assert check(TOY, "warped_target").verdict.word == "lossy"
    assert check(TOY, "greedy_match").verdict.word == "lossy"


def test_k_seq_with_too_small_a_scale_has_no_law_to_correct_by():
    with pytest.raises(ValueError, match="below 0"):
        check(TOY, near_misses.k_seq_at(F(21, 20)))
