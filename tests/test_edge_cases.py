"""Each edge case of verification by its name, on a table that shows nothing else."""

from fractions import Fraction
from pathlib import Path

import pytest

from exactspec import Budget, ModelError, RuleError, check, parse
from exactspec.algorithms.load import load_rule
from exactspec.check.verdict import Lossless, Undecided
from exactspec.errors import UndefinedResidual
from exactspec.expand.rounds import Rounds
from exactspec.expand.tree import round_tree

F = Fraction
RULES = Path(__file__).parent / "rules"


def checked(vocabulary, target, draft, more="", draft_length=1):
    """The token rule's result on two tables; lossless at every horizon, or the test fails."""
    text = f"""
version: 1
vocabulary: [{vocabulary}]
draft_length: {draft_length}
target: {target}
draft: {draft}
{more}
"""
    result = check(parse(text.encode()))
    assert isinstance(result.verdict, Lossless)
    assert result.listing is None or not result.listing.wrong
    return result


def kinds(result, state=None):
    """The kinds of all nodes of a round's tree."""
    tree = round_tree(result.rounds, state or result.rounds.start, 10_000)
    return {tree.nodes[node]["kind"] for node in tree if node}


def leaves(result, kind):
    """token -> summed mass of the tree's nodes of a kind, in the first round."""
    tree = round_tree(result.rounds, result.rounds.start, 10_000)
    found = {}
    for node in tree:
        look = tree.nodes[node]
        if look["kind"] == kind:
            found[look["token"]] = found.get(look["token"], 0) + look["mass"]
    return found


def law(result):
    return {output.tokens: output.got for output in result.listing}


def test_beta_0_in_all_contexts_never_rejects_and_has_no_residual():
    result = checked("a, b", "{a: 1/3, b: 2/3}", "{a: 1/3, b: 2/3}", draft_length=2)
    (facts,) = result.contexts
    assert facts.rows_are_equal
    assert (facts.acceptance, facts.rejection, facts.residual_mass) == (1, 0, 0)
    assert facts.residual is None
    assert kinds(result) == {"draft", "accept", "bonus"}
    assert result.round_figures[0].accepted == {2: 1}


def test_beta_0_in_some_contexts_has_a_residual_in_the_others():
    result = checked(
        "a, b",
        "{a: {a: 1/2, b: 1/2}, '': {a: 1/4, b: 3/4}}",
        "{a: {a: 1/2, b: 1/2}, '': {a: 3/4, b: 1/4}}",
    )
    found = {facts.state.context[-1:]: facts.residual_mass for facts in result.contexts}
    assert found == {(): F(1, 2), ("a",): 0}
    by_context = {facts.state.context[-1:]: facts for facts in result.contexts}
    assert by_context["a",].residual is None
    assert dict(by_context[()].residual.items()) == {"b": 1}


def test_a_token_with_q_0_and_p_positive_comes_only_from_residual_or_bonus():
    result = checked("a, b, c", "{a: 1/4, b: 1/4, c: 1/2}", "{a: 1/2, b: 1/2}")
    assert "c" not in leaves(result, "draft")
    assert leaves(result, "residual") == {"c": F(1, 2)}
    assert leaves(result, "bonus") == {"a": F(1, 8), "b": F(1, 8), "c": F(1, 4)}


def test_a_token_with_p_0_and_q_positive_is_never_emitted():
    result = checked("a, b, c", "{a: 1/2, b: 1/2}", "{a: 1/4, b: 1/4, c: 1/2}", "horizon: 3")
    assert leaves(result, "draft")["c"] == F(1, 2)
    assert all("c" not in tokens for tokens in law(result))
    (row,) = [row for row in result.contexts[0].first_tokens if row.token == "c"]
    assert (row.accepted, row.rejected, row.emitted) == (0, F(1, 2), 0)


def test_disjoint_supports_reject_every_draft():
    result = checked("a, b, c", "{a: 1/3, b: 2/3}", "{c: 1}", draft_length=2)
    (facts,) = result.contexts
    assert (facts.acceptance, facts.rejection, facts.residual_mass) == (0, 1, 1)
    assert dict(facts.residual.items()) == {"a": F(1, 3), "b": F(2, 3)}
    assert result.round_figures[0].accepted == {0: 1}
    assert kinds(result) == {"draft", "reject", "residual"}


def test_a_one_hot_target_row_corrects_to_its_only_token():
    result = checked("a, b", "{a: 1}", "{a: 1/4, b: 3/4}", "horizon: 2")
    assert dict(result.contexts[0].residual.items()) == {"a": 1}
    assert law(result) == {("a", "a"): 1}


def test_a_one_hot_draft_row_is_accepted_with_the_target_s_probability():
    result = checked("a, b", "{a: 1/4, b: 3/4}", "{a: 1}", draft_length=2)
    assert result.contexts[0].acceptance == F(1, 4)
    assert result.round_figures[0].accepted == {0: F(3, 4), 1: F(3, 16), 2: F(1, 16)}


def test_two_equal_one_hot_rows_have_one_path():
    result = checked("a, b", "{a: 1}", "{a: 1}", draft_length=3)
    assert result.round_figures[0].paths == 1
    assert result.round_figures[0].emitted == {4: 1}


END = "end: $\nhorizon: 3"


def test_an_end_token_that_is_drafted_and_accepted_has_no_bonus():
    result = checked("a, $", "{a: 1/2, $: 1/2}", "{a: 1/2, $: 1/2}", END, draft_length=2)
    tree = round_tree(result.rounds, result.rounds.start, 1000)
    blocks = {tree.nodes[n]["emitted"]: tree.nodes[n]["mass"] for n in tree if not tree[n]}
    assert blocks == {
        ("$",): F(1, 2),
        ("a", "$"): F(1, 4),
        ("a", "a", "a"): F(1, 8),
        ("a", "a", "$"): F(1, 8),
    }


def test_an_end_token_in_the_residual_ends_the_sequence():
    result = checked("a, $", "{a: 1/4, $: 3/4}", "{a: 1}", END)
    assert leaves(result, "residual") == {"$": F(3, 4)}
    assert law(result)["$",] == F(3, 4)


def test_an_end_token_as_the_bonus_ends_the_sequence():
    result = checked("a, $", "{a: 1/4, $: 3/4}", "{a: 1}", END)
    assert leaves(result, "bonus") == {"a": F(1, 16), "$": F(3, 16)}
    assert law(result)["a", "$"] == F(3, 16)


def test_without_an_end_token_every_output_has_the_horizon_s_length():
    result = checked("a, $", "{a: 1/4, $: 3/4}", "{a: 1}", "horizon: 3")
    assert {len(tokens) for tokens in law(result)} == {3}
    assert law(result)["$", "$", "$"] == F(27, 64)


def test_a_draft_is_cut_short_by_an_end_token():
    result = checked("a, $", "{a: 1/2, $: 1/2}", "{a: 1/4, $: 3/4}", END, draft_length=3)
    tree = round_tree(result.rounds, result.rounds.start, 1000)
    drafted_behind_the_end = [
        node
        for node in tree
        if tree.nodes[node]["token"] == "$"
        and any(tree.nodes[n]["kind"] == "draft" for n in descendants(tree, node))
    ]
    assert drafted_behind_the_end == []
    assert max(result.round_figures[0].emitted) == 4


def descendants(tree, node):
    below = list(tree.successors(node))
    for child in below:
        below.extend(tree.successors(child))
    return below


def test_a_horizon_that_cuts_a_block_counts_its_first_tokens_only():
    result = checked("a, b", "{a: 1/3, b: 2/3}", "{a: 1/3, b: 2/3}", "horizon: 2", draft_length=3)
    assert law(result) == {
        ("a", "a"): F(1, 9),
        ("a", "b"): F(2, 9),
        ("b", "a"): F(2, 9),
        ("b", "b"): F(4, 9),
    }
    assert (result.run.calls, result.run.tokens) == (1, 2)


def test_draft_length_0_is_one_target_token_a_round():
    result = checked("a, b", "{a: 1/3, b: 2/3}", "{a: 1}", "horizon: 3", draft_length=0)
    assert kinds(result) == {"bonus"}
    assert (result.run.calls, result.run.tokens) == (3, 3)
    assert result.contexts[0].acceptance is None


def test_draft_length_0_needs_no_draft_table():
    text = b"{version: 1, vocabulary: [a, b], draft_length: 0, target: {a: 1/3, b: 2/3}}"
    assert isinstance(check(parse(text)).verdict, Lossless)


def test_a_draft_longer_than_the_horizon_is_one_round():
    result = checked("a, b", "{a: 1/3, b: 2/3}", "{a: 1/3, b: 2/3}", "horizon: 1", draft_length=4)
    assert law(result) == {("a",): F(1, 3), ("b",): F(2, 3)}
    assert result.round_figures[0].emitted == {5: 1}
    assert result.run.calls == 1


def test_a_vocabulary_of_one_token_has_one_output():
    result = checked("a", "{a: 1}", "{a: 1}", "horizon: 3", draft_length=2)
    assert law(result) == {("a", "a", "a"): 1}
    assert result.round_figures[0].paths == 1


def test_a_vocabulary_of_the_end_token_alone_is_over_at_once():
    result = checked("$", "{$: 1}", "{$: 1}", END, draft_length=2)
    assert law(result) == {("$",): 1}
    assert (result.run.calls, result.run.tokens) == (1, 1)


def test_rows_missing_in_contexts_that_are_never_reached_are_no_error():
    result = checked("a, b, c", "{^: {a: 1}, a: {a: 1}}", "{^: {a: 1/2, b: 1/2}, a: {a: 1}}")
    assert {facts.state.context for facts in result.contexts} == {(), ("a",)}


def test_a_draft_row_missing_behind_a_rejected_token_is_never_looked_at():
    result = checked("a, b", "{a: 1}", "{^: {b: 1}, a: {b: 1}}", draft_length=3)
    assert result.round_figures[0].accepted == {0: 1}


def test_a_row_missing_in_a_reached_context_is_an_error_with_the_way_to_it():
    text = b"""
version: 1
vocabulary: [a, b]
draft_length: 1
target: {^: {a: 1/2, b: 1/2}, a: {a: 1/2, b: 1/2}}
draft: {a: 1/2, b: 1/2}
"""
    with pytest.raises(ModelError) as caught:
        check(parse(text))
    (found,) = caught.value.diagnostics
    assert found.code == "missing-row"
    assert found.message == "the target table has no row after b"
    assert found.notes == (
        "reached in the first round",
        "and in this round by: draft b (1/2), accept: yes (1)",
    )


def test_a_row_missing_in_a_later_round_is_an_error_with_the_blocks_before_it():
    text = b"""
version: 1
vocabulary: [a, b]
draft_length: 0
target: {^: {a: 1/2, b: 1/2}, a: {a: 1/2, b: 1/2}, b: {b: 1/2, a: 1/2}, ^ b b: {a: 1}, b a: {b: 1}}
draft: {^: {a: 1}}
"""
    rule = load_rule("sound.py:two_candidates", RULES)
    with pytest.raises(ModelError) as caught:
        check(parse(text.replace(b"draft_length: 0", b"draft_length: 1")), rule)
    (found,) = caught.value.diagnostics
    assert found.message == "the draft table has no row after a"
    assert found.notes == ("reached by the emitted blocks: a", "and in this round by: (no draw)")


def test_a_missing_row_in_the_target_s_own_law_is_an_error_though_no_rule_looks_there():
    text = b"""
version: 1
vocabulary: [a, b]
draft_length: 1
horizon: 2
target: {^: {a: 1/2, b: 1/2}, a: {a: 1}}
draft: {a: 1/2, b: 1/2}
"""
    rule = load_rule("lossy.py:accept_everything", RULES)
    with pytest.raises(ModelError, match="no row after b"):
        check(parse(text), rule)


TWO = b"""
version: 1
vocabulary: [a, b]
draft_length: 1
horizon: 2
target: {a: 1/3, b: 2/3}
draft: {a: 1/2, b: 1/2}
"""


def fault_of(name, text=TWO, budget=None):
    """The one diagnostic of a faulty rule."""
    with pytest.raises(RuleError) as caught:
        check(parse(text), load_rule(f"faulty.py:{name}", RULES), budget=budget)
    (found,) = caught.value.diagnostics
    assert found.location.file == str(RULES / "faulty.py")
    return found


@pytest.mark.parametrize(
    ("name", "code", "words", "line"),
    [
        ("acceptance_above_one", "rule-acceptance-range", "4/3", "/ draft(context)[token])"),
        ("acceptance_below_zero", "rule-acceptance-range", "-1/6", "- draft(context)[token])"),
        ("acceptance_as_a_float", "rule-inexact", "float 0.5", "chance.accept(0.5)"),
        ("no_tokens", "rule-no-tokens", "no token", "def no_tokens"),
        ("too_many_tokens", "rule-too-many-tokens", "3 tokens", "def too_many_tokens"),
        ("unknown_token", "rule-unknown-token", "nowhere", "def unknown_token"),
        ("a_list_as_a_token", "rule-unknown-token", "['a']", "def a_list_as_a_token"),
        ("a_bare_token", "rule-returned", "type Draw", "def a_bare_token"),
        ("nothing_at_all", "rule-returned", "type NoneType", "def nothing_at_all"),
        ("accepted_as_a_text", "rule-accepted-count", "'1'", "def accepted_as_a_text"),
        ("more_accepted_than_emitted", "rule-accepted-count", "2 drafts", "def more_accepted"),
        ("a_state_that_can_not_be_hashed", "rule-state", "hashed", "def a_state_that"),
        ("division_by_zero", "rule-raised", "ZeroDivisionError", 'target(context)["c"]'),
        ("late_in_a_large_tree", "rule-no-tokens", "no token", "def late_in_a_large_tree"),
    ],
)
def test_a_faulty_rule_is_an_error_at_its_line(name, code, words, line):
    found = fault_of(name)
    assert found.code == code
    assert words in found.message
    assert line in found.location.source_line
    source = (RULES / "faulty.py").read_text().splitlines()
    assert source[found.location.line - 1] == found.location.source_line


def test_an_acceptance_probability_outside_0_to_1_names_the_draws_before_it():
    found = fault_of("acceptance_above_one")
    assert found.message == "an acceptance probability of 4/3, outside [0, 1]"
    assert found.notes == ("reached in the first round", "and in this round by: draft b (1/2)")


def test_a_rule_that_returns_no_tokens_names_the_path_on_which_it_does():
    assert fault_of("no_tokens").notes == (
        "reached in the first round",
        "and in this round by: accept: no (1/2)",
    )


def test_a_path_that_asks_on_and_on_is_an_error():
    assert fault_of("asks_without_an_end", budget=Budget(max_nodes=500)).code == "rule-endless"


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("another_token_each_time", "returned (('a',)", "returned (('b',)"),
        (
            "another_question_each_time",
            "asked for a draw 'token' from Distribution({a: 1/3, b: 2/3})",
            "asked for a draw 'token' from Distribution({a: 1/2, b: 1/2})",
        ),
        (
            "fewer_questions_each_time",
            "asked for a coin 'accept' with probability 1/2",
            "returned without a further question",
        ),
        ("another_state_each_time", "returned (('a',)", "returned (('a',)"),
    ],
)
def test_a_rule_that_is_not_deterministic_is_an_error_that_shows_both_runs(name, first, second):
    found = fault_of(name)
    assert found.code == "rule-not-deterministic"
    assert found.notes[0] == "after: (no draw)" or name == "fewer_questions_each_time"
    assert found.notes[1].startswith(f"first run:  {first}")
    assert found.notes[2].startswith(f"second run: {second}")
    assert found.notes[1][12:] != found.notes[2][12:]


def test_a_residual_requested_where_it_is_undefined_is_an_error_at_its_line():
    found = fault_of("undefined_residual", TWO.replace(b"a: 1/2, b: 1/2", b"a: 1/3, b: 2/3"))
    assert found.code == "rule-raised"
    assert UndefinedResidual.__name__ in found.message
    assert "residual(target(context), draft(context))" in found.location.source_line


def test_a_residual_where_it_is_defined_is_no_error():
    rule = load_rule("faulty.py:undefined_residual", RULES)
    assert check(parse(TWO), rule).listing.total_variation == F(5, 9)


def test_a_tree_too_large_is_undecided_before_it_is_expanded():
    text = TWO.replace(b"draft_length: 1", b"draft_length: 60")
    result = check(parse(text), budget=Budget(max_nodes=20_000))
    assert isinstance(result.verdict, Undecided)
    assert "estimated" in result.verdict.reason


def test_contexts_that_no_table_tells_apart_are_one_state():
    scenario = parse(TWO.replace(b"draft_length: 1", b"draft_length: 3"))
    rounds = Rounds(scenario, load_rule("sound.py:target_only", RULES), Budget())
    assert len(rounds.laws) == 1
