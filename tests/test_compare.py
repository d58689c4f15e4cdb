"""Rules side by side: figures, bounds and equal laws, each against what is known or enumerated."""

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from exactspec import Budget, Distribution, Model, Round, Scenario, algorithm, load, parse
from exactspec.algorithms import CATALOGUE
from exactspec.check.bounds import bounds, distinct_pair, independent_pair
from exactspec.check.compare import (
    SideBySide,
    default_rules,
    judge,
    rule_named,
    side_by_side,
)
from exactspec.check.round_laws import block_law
from exactspec.text import decimal_text
from exactspec.transport import membership_plan

F = Fraction
THEORY = load("examples/theory.yaml")
THREE = ("token_level", "block_verification", "sampler_match")
WRONG = "examples/rules/wrong.py"


def compared(*rules: object, model: Scenario = THEORY) -> SideBySide:
    """Rules side by side: names of the catalogue, or rules themselves."""
    found = [rule if not isinstance(rule, str) else rule_named(rule, model) for rule in rules]
    return side_by_side(model, [judge(model, rule.name, rule) for rule in found])


def one_step(p: dict[str, Fraction], q: dict[str, Fraction]) -> Scenario:
    """A model of order 0 with a draft of one token."""
    target, draft = (
        Model({(): Distribution(row)}, name=name) for row, name in ((p, "target"), (q, "draft"))
    )
    return Scenario(target, draft, tuple(dict.fromkeys((*p, *q))), draft_length=1)


def test_the_figures_of_the_common_toy_are_exact_and_the_fewest_calls_come_first() -> None:
    table = compared(*THREE)
    figures = {r.name: (r.word, r.accepted, r.emitted, r.calls) for r in table.rules}
    assert figures == {
        "block_verification": ("lossless", F(827, 720), F(217, 120), F(163, 96)),
        "token_level": ("lossless", F(259, 240), F(313, 180), F(629, 360)),
        "sampler_match": ("lossless", F(9, 20), F(23089, 17280), F(3373379, 1555200)),
    }
    assert list(figures) == ["block_verification", "token_level", "sampler_match"]
    assert {(r.distance, r.largest_ratio, r.impossible) for r in table.rules} == {(0, 1, 0)}


def test_a_lossy_rule_has_its_distance_and_its_largest_ratio() -> None:
    table = compared(*THREE, "second_sample")
    lossy = table.rules[-1]
    assert (lossy.name, lossy.word, lossy.impossible) == ("second_sample", "lossy", 0)
    assert decimal_text(lossy.distance) == "~ 0.1065"
    outputs = list(lossy.result.listing)
    assert lossy.largest_ratio == max(output.got / output.want for output in outputs)


def test_a_sequence_that_the_target_never_gives_makes_the_ratio_unbounded(
    exactspec: Callable,
) -> None:
    model = "tests/corpus/lossy/sequences-that-the-target-never-gives.yaml"
    rule = load(model).algorithm
    there = (Path(model).parent / rule).as_posix()
    ran = exactspec("compare", model, "--algorithms", there, "--format", "json")
    (row,) = json.loads(ran.out)["rules"]
    assert row["largest_ratio"] == "unbounded"
    assert F(row["impossible_mass"]) > 0
    assert "unbounded" in exactspec("compare", model, "--algorithms", there).out


def strings_of(model: Scenario) -> list[tuple[tuple[str, ...], Fraction, Fraction, Fraction]]:
    """Every drafted string with P, Q and w, one by one."""
    found, level = [], [((), F(1), F(1), F(1))]
    for _ in range(model.draft_length):
        longer = []
        for tokens, by_target, by_draft, w in level:
            if tokens[-1:] == (model.end,):
                continue
            context = (*model.prompt, *tokens)
            p, q = model.target.row_after(context), model.draft.row_after(context)
            for x in q:
                kept = min(F(1), w * p[x] / q[x])
                longer.append(((*tokens, x), by_target * p[x], by_draft * q[x], kept))
        found += longer
        level = longer
    return found


@pytest.mark.parametrize("draft_length", [0, 1, 2, 3])
def test_the_bounds_of_one_path_are_sums_over_the_drafted_strings(draft_length: int) -> None:
    model = replace(THEORY, draft_length=draft_length)
    strings = strings_of(model)
    by_blocks, by_sequences, *_ = bounds(model)
    assert by_blocks.value == sum(q * w for _, _, q, w in strings)
    assert by_sequences.value == sum(min(p, q) for _, p, q, _ in strings)


def test_block_verification_reaches_its_bound_and_greedy_block_verification_s_is_above() -> None:
    table = compared(*THREE)
    by_blocks, by_sequences, *_ = table.bounds
    assert by_blocks.bound.value == F(827, 720)
    assert by_blocks.reached_by == ("block_verification",)
    assert by_sequences.bound.value == F(427, 360)
    assert decimal_text(by_sequences.bound.value) == "~ 1.1861"
    assert decimal_text(bounds(replace(THEORY, draft_length=3))[1].value) == "~ 1.4076"


@pytest.mark.parametrize(
    "file",
    [
        *("prompt", "max-tokens", "no-end-token", "end-token-drafted", "disjoint-supports"),
        *("one-hot-draft", "never-drafted", "equal-rows-somewhere", "draft-length-0"),
    ],
)
def test_block_verification_reaches_its_bound_on_every_model_and_no_other_beats_it(
    file: str,
) -> None:
    model = load(f"examples/edge-cases/{file}.yaml")
    table = compared(*THREE, model=model)
    by_blocks, by_sequences = table.bounds[:2]
    assert "block_verification" in by_blocks.reached_by
    assert by_blocks.exceeded_by == by_sequences.exceeded_by == ()


def test_the_bounds_of_two_candidates_on_the_toy_s_first_step() -> None:
    *_, independent, distinct = bounds(THEORY)
    assert (independent.value, distinct.value) == (F(63, 64), 1)
    assert independent.first_step
    assert distinct.first_step


LAWS = [
    ({"a": F(1, 4), "b": F(5, 12), "c": F(1, 3)}, {"a": F(1, 8), "b": F(5, 8), "c": F(1, 4)}),
    ({"a": F(9, 10), "b": F(1, 20), "c": F(1, 20)}, {"a": F(1, 10), "b": F(2, 5), "c": F(1, 2)}),
    ({"a": F(1, 2), "b": F(1, 2)}, {"b": F(1, 3), "c": F(2, 3)}),
    ({"a": F(1, 3), "b": F(2, 3)}, {"c": F(1)}),
    ({"a": F(1)}, {"a": F(1)}),
]


def smallest_cut(candidates: list[tuple[set[str], Fraction]], p: dict[str, Fraction]) -> Fraction:
    """1 + min over sets A of p(A) - Pr(all candidates lie in A), over every set."""
    tokens = set(p).union(*(group for group, _ in candidates))
    return 1 + min(
        sum(p.get(x, F(0)) for x in chosen)
        - sum(mass for group, mass in candidates if group <= set(chosen))
        for size in range(len(tokens) + 1)
        for chosen in itertools.combinations(sorted(tokens), size)
    )


@pytest.mark.parametrize(("p", "q"), LAWS)
def test_the_bounds_of_two_candidates_are_the_smallest_cut(p: dict, q: dict) -> None:
    *_, independent, distinct = bounds(one_step(p, q))
    both = [({x, y}, q[x] * q[y]) for x in q for y in q]
    assert independent.value == smallest_cut(both, p)
    others = [({x, y}, q[x] * q[y] / (1 - q[x])) for x in q for y in q if x != y]
    assert distinct.value == smallest_cut(others or [({x}, q[x]) for x in q], p)


def test_the_pairs_are_laws_of_ordered_draws_with_the_order_forgotten() -> None:
    q = Distribution({"a": F(1, 8), "b": F(5, 8), "c": F(1, 4)})
    assert independent_pair(q)["a", "c"] == 2 * F(1, 8) * F(1, 4)
    assert distinct_pair(q)["a", "c"] == F(1, 8) * F(1, 4) / F(7, 8) + F(1, 4) * F(1, 8) / F(3, 4)
    assert membership_plan(independent_pair(q), q).value == 1


def test_no_bound_is_given_where_a_row_is_missing() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 2
        horizon: 1
        target: {^: {a: 1/2, b: 1/2}}
        draft: {"": {a: 1/3, b: 2/3}}
        """
    )
    by_blocks, _, independent, _ = bounds(model)
    assert by_blocks.value is None
    assert by_blocks.left_out == "the target table has no row after a"
    assert independent.value is not None


@algorithm
def target_first(chance, target, draft, context, *, draft_length):
    """Sampler match written in another order: the target's samples first, then the draft's."""
    emitted = []
    for _ in range(draft_length):
        emitted.append(chance.draw(target(context + emitted), "target"))
        drafted = chance.draw(draft(context + emitted[:-1]), "draft")
        if drafted != emitted[-1]:
            return Round(tuple(emitted), accepted=len(emitted) - 1)
        if target.ends(emitted):
            return Round(tuple(emitted), accepted=len(emitted))
    emitted.append(chance.draw(target(context + emitted), "bonus"))
    return Round(tuple(emitted), accepted=draft_length)


@algorithm
def looks_and_forgets(chance, target, draft, context, *, draft_length):
    """The token rule, with a look at the last token that changes nothing."""
    context[-1:]
    return CATALOGUE["token_level"].function(
        chance, target, draft, context, draft_length=draft_length
    )


def test_two_programs_with_the_same_round_law_are_said_to_be_the_same() -> None:
    table = compared(*THREE, target_first)
    same = {r.name: r.same_as for r in table.rules}
    assert same["target_first"] == ("sampler_match",)
    assert same["sampler_match"] == ("target_first",)
    assert same["token_level"] == same["block_verification"] == ()


def test_two_lossless_rules_of_different_round_laws_are_not_the_same() -> None:
    table = compared("token_level", "block_verification")
    assert {r.same_as for r in table.rules} == {()}
    assert table.difference.states


def test_a_look_that_changes_nothing_leaves_the_round_law_the_same() -> None:
    order_0 = load("examples/tables/order-0.yaml")
    table = compared("token_level", looks_and_forgets, model=order_0)
    assert {r.same_as for r in table.rules} == {("token_level",), ("looks_and_forgets",)}
    assert table.difference.states == ()
    assert table.difference.only_first == table.difference.only_second == 0


def test_a_rule_that_differs_in_one_context_only_is_not_the_same() -> None:
    model = load("examples/wrong-rules/wrong-when-the-context-is-long.yaml")
    wrong = rule_named(f"{WRONG}:wrong_when_the_context_is_long", model)
    table = compared("token_level", wrong, model=model)
    assert {r.same_as for r in table.rules} == {()}
    assert all(len(each.state.context) >= 3 for each in table.difference.states)
    assert table.difference.states


def test_the_difference_of_two_rules_is_listed_block_by_block_the_largest_first() -> None:
    table = compared("token_level", "block_verification")
    first, second = (r.result.rounds for r in table.rules)
    assert [r.name for r in table.rules] == ["block_verification", "token_level"]
    difference = table.difference
    assert difference.compared == len(first.laws) == len(second.laws)
    for each in difference.states:
        one, other = block_law(first.laws[each.state]), block_law(second.laws[each.state])
        listed = {block.tokens: (block.first, block.second) for block in each.blocks}
        assert listed == {
            tokens: (one.get(tokens, 0), other.get(tokens, 0))
            for tokens in {*one, *other}
            if one.get(tokens, 0) != other.get(tokens, 0)
        }
        assert sum(one.values()) == sum(other.values()) == 1
    sizes = [abs(block.difference) for _, block in difference.largest]
    assert sizes == sorted(sizes, reverse=True)
    state, block = difference.largest[0]
    assert (state.context, block.tokens) == (("a",), ("a", "b"))
    assert (block.first, block.second) == (0, F(11, 180))


@algorithm
def needs_an_option(chance, target, draft, context, *, draft_length, threshold):
    return (chance.draw(target(context), "target"),)


def test_what_can_t_be_judged_is_a_row_with_its_reason(exactspec: Callable) -> None:
    table = compared("token_level", needs_an_option)
    assert [r.word for r in table.rules] == ["lossless", "error"]
    assert table.rules[1].reason == "the rule needs_an_option needs the option threshold"
    assert table.difference is None
    rules = ("--algorithms", "token_level", "--rule", "examples/rules/faulty.py:no_tokens")
    ran = exactspec("compare", "examples/theory.yaml", *rules)
    assert ran.code == 0
    assert "no_tokens: the round emitted no token" in ran.out


def test_options_of_the_model_go_to_the_rules_that_know_them() -> None:
    model = replace(THEORY, options={"lenience": F(1, 2)})
    table = compared("token_level", rule_named(f"{WRONG}:lenient", model), model=model)
    assert [r.word for r in table.rules] == ["lossless", "lossy"]
    lenient = table.rules[1].result
    assert lenient.scenario.options == {"lenience": F(1, 2)}


def test_without_a_horizon_every_rule_is_compared_as_far_as_one_round_reaches() -> None:
    table = compared(*THREE, model=replace(THEORY, horizon=None))
    assert table.scenario.horizon == 3
    assert {r.result.run.horizon for r in table.rules} == {3}


def test_the_default_is_every_lossless_rule_of_the_catalogue_that_needs_no_option(
    exactspec: Callable,
) -> None:
    assert set(THREE) <= set(default_rules(THEORY))
    ran = exactspec("compare", "examples/theory.yaml", "--format", "json")
    assert ran.code == 0
    document = json.loads(ran.out)
    assert {rule["name"] for rule in document["rules"]} == set(default_rules(THEORY))
    assert document["rules"][0]["verdict"]["word"] == "lossless"
    lossless = [rule for rule in document["rules"] if rule["verdict"]["word"] == "lossless"]
    calls = [F(rule["expected_target_calls"]) for rule in lossless]
    assert calls == sorted(calls)
    assert document["rules"][: len(lossless)] == lossless


@algorithm(wanted=lambda p, q: q)
def draft_alone(chance, target, draft, context, *, draft_length):
    return (chance.draw(draft(context), "draft"),)


def test_a_rule_with_a_law_of_its_own_is_judged_by_the_law_that_the_file_wants() -> None:
    assert compared(draft_alone).rules[0].word == "lossy"
    own = compared(draft_alone, "token_level", model=replace(THEORY, wanted="rule"))
    assert [r.word for r in own.rules] == ["lossless", "error"]
    assert own.rules[1].reason == "the rule promises no law of its own"
    assert own.bounds is None


def test_an_undecided_rule_comes_last_and_ends_with_0(exactspec: Callable) -> None:
    rules = {name: rule_named(name, THEORY) for name in ("block_verification", "token_level")}
    budgets = {"block_verification": Budget(max_nodes=20), "token_level": Budget()}
    judged = [judge(THEORY, name, rule, budgets[name]) for name, rule in rules.items()]
    table = side_by_side(THEORY, judged)
    assert [(r.name, r.word) for r in table.rules] == [
        ("token_level", "lossless"),
        ("block_verification", "undecided"),
    ]
    assert table.rules[1].calls is table.rules[1].distance is table.difference is None
    few = ("--max-nodes", "20", "--algorithms", ",".join(rules))
    ran = exactspec("compare", "examples/theory.yaml", *few)
    assert ran.code == 0
    assert "2 undecided" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-file.yaml",), "error[unreadable]"),
        (("examples/theory.yaml", "--algorithms", "tokn_level"), "error[unknown-rule]"),
        (("examples/theory.yaml", "--rule", "nowhere.py:f"), "error[rule-unloadable]"),
        (("examples/theory.yaml", "--algorithms", ","), "nothing was compared"),
        (
            ("examples/theory.yaml", "--algorithms", "examples/rules/faulty.py:no_tokens"),
            "",
        ),
    ],
)
def test_bad_input_and_nothing_to_compare_end_with_2(
    arguments: tuple[str, ...], said: str, exactspec: Callable
) -> None:
    ran = exactspec("compare", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert exactspec("compare", *arguments, "--format", "json").code == 2


def test_rules_of_one_name_are_told_apart_by_their_files(
    tmp_path: Path, exactspec: Callable
) -> None:
    for name in ("one", "two"):
        source = Path(WRONG).read_text("utf-8")
        (tmp_path / f"{name}.py").write_text(source, "utf-8")
    rules = [f"{tmp_path / name}.py:target_instead_of_residual" for name in ("one", "two")]
    ran = exactspec(
        "compare", "examples/theory.yaml", "--algorithms", ",".join(rules), "--format", "json"
    )
    rows = json.loads(ran.out)["rules"]
    assert [row["name"] for row in rows] == rules
    assert [row["same_round_law_as"] for row in rows] == [[rules[1]], [rules[0]]]
