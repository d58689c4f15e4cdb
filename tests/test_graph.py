"""The law recomputed from the networkx graphs alone, and nothing lost where a tree is printed."""

import sys
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_against_reference import LOSSY, SOUND, cases, engine_rule, examples

from exactspec import Budget, RuleError, check, load, parse
from exactspec.check.verdict import Lossless
from exactspec.errors import BudgetReached
from exactspec.expand.automaton import Emitted, Wanted
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import STOPPED
from exactspec.expand.tree import SequencePaths, round_tree
from exactspec.render.tree import FoldedTree, tree_lines

EXAMPLES = Path(__file__).parent.parent / "examples"
ONE = Fraction(1)
MANY = 100_000
RULES = ("token_level:token_level", *SOUND[1:], *LOSSY)


def rounds_of(case, name):
    try:
        return Rounds(case.scenario, engine_rule(name), Budget())
    except RuleError:
        return None


def leaves_of(tree):
    """(emitted tokens, state behind them, accepted, product of the edges) of each leaf."""
    mass = {0: ONE}
    for parent, child in nx.bfs_edges(tree, 0):
        mass[child] = mass[parent] * tree.edges[parent, child]["probability"]
    return [
        (tree.nodes[n]["emitted"], tree.nodes[n]["state"], tree.nodes[n]["accepted"], mass[n])
        for n in tree
        if tree.out_degree(n) == 0
    ]


def law_of_the_graphs(rounds, horizon):
    """Rounds' trees one behind another, from the start to the horizon."""
    leaves = {state: leaves_of(round_tree(rounds, state, MANY)) for state in rounds.laws}
    law = {}
    waiting = {((), rounds.start): ONE}
    while waiting:
        (before, state), mass = waiting.popitem()
        for block, behind, _, share in leaves[state]:
            emitted = (*before, *block)
            if behind is STOPPED or len(emitted) >= horizon:
                output = emitted[:horizon]
                law[output] = law.get(output, 0) + mass * share
            else:
                here = emitted, behind
                waiting[here] = waiting.get(here, 0) + mass * share
    return law


@examples(150)
@given(cases(most_work=150), st.sampled_from(RULES))
def test_the_law_of_the_graphs_is_the_law_that_was_judged(case, name):
    rounds = rounds_of(case, name)
    if rounds is None:
        return
    for state, law in rounds.laws.items():
        from_graph, judged = {}, {}
        for tokens, behind, accepted, mass in leaves_of(round_tree(rounds, state, MANY)):
            end = tokens, behind, accepted
            from_graph[end] = from_graph.get(end, 0) + mass
        for outcome, mass in law.outcomes.items():
            for last, share in [((), ONE)] if outcome.last is None else outcome.last.items():
                tokens = (*outcome.tokens, last) if last else outcome.tokens
                end = tokens, rounds.after(state, tokens, outcome.carried), outcome.accepted
                judged[end] = judged.get(end, 0) + mass * share
        assert from_graph == judged


@examples(150)
@given(cases(most_work=150), st.sampled_from(RULES))
def test_rounds_of_graphs_up_to_the_horizon_give_the_listing(case, name):
    try:
        result = check(case.scenario, engine_rule(name))
    except RuleError:
        return
    listed = {output.tokens: output.got for output in result.listing if output.got}
    assert law_of_the_graphs(result.rounds, case.horizon) == listed


@examples(150)
@given(cases(most_work=150), st.sampled_from(RULES))
def test_every_node_and_edge_has_kind_token_and_probability(case, name):
    rounds = rounds_of(case, name)
    for state in rounds.laws if rounds else ():
        tree = round_tree(rounds, state, MANY)
        assert nx.is_arborescence(tree)
        assert rounds.laws[state].nodes == tree.number_of_nodes()
        assert rounds.laws[state].paths == sum(tree.out_degree(n) == 0 for n in tree)
        for parent, child in tree.edges:
            look, edge = tree.nodes[child], tree.edges[parent, child]
            assert edge == {key: look[key] for key in ("kind", "token", "probability")}
            assert look["mass"] == tree.nodes[parent]["mass"] * look["probability"]
            assert 0 < look["probability"] <= 1
            assert (look["token"] is None) == (look["kind"] in ("accept", "reject"))
        for node in tree:
            children = list(tree.successors(node))
            assert ("emitted" in tree.nodes[node]) == (not children)
            assert not children or sum(tree.nodes[c]["probability"] for c in children) == 1
        assert sum(tree.nodes[n]["mass"] for n in tree if tree.out_degree(n) == 0) == 1


@examples(100)
@given(cases(most_work=150), st.sampled_from(RULES))
def test_the_paths_of_each_output_sum_to_what_the_listing_says(case, name):
    try:
        result = check(case.scenario, engine_rule(name))
    except RuleError:
        return
    paths = SequencePaths(result.rounds, MANY)
    for output in result.listing:
        ended = len(output.tokens) < case.horizon
        ways = list(paths.emitting(output.tokens, ended=ended))
        assert sum(way.mass for way in ways) == output.got
        assert all(way.mass > 0 for way in ways)


@examples(100)
@given(cases(most_work=150), st.sampled_from(RULES))
def test_paths_of_whole_sequences_sum_to_the_probability_of_ending_there(case, name):
    try:
        result = check(case.scenario, engine_rule(name))
    except RuleError:
        return
    emitted = Emitted(result.rounds)
    paths = SequencePaths(result.rounds, MANY)
    for output in result.listing:
        going_on = sum(
            emitted.prefix_probability((*output.tokens, token))
            for token in case.scenario.vocabulary
        )
        ended = emitted.prefix_probability(output.tokens) - going_on
        if result.verdict.scope.horizon is None:
            assert sum(way.mass for way in paths.emitting(output.tokens, ended=True)) == ended


@examples(150)
@given(cases(most_work=150), st.sampled_from(RULES))
def test_the_moves_of_every_node_of_both_automata_sum_to_1(case, name):
    rounds = rounds_of(case, name)
    if rounds is None or rounds.incomplete:
        return
    for automaton in (Emitted(rounds), Wanted(case.scenario)):
        waiting, found = [automaton.start], {automaton.start}
        while waiting:
            moves = automaton.moves(waiting.pop())
            shares = [share for row in moves.values() for share in row.values()]
            assert not moves or sum(shares) == 1
            assert all(share > 0 for share in shares)
            fresh = {node for row in moves.values() for node in row} - found
            found |= fresh
            waiting.extend(fresh)


def test_a_tree_beyond_its_budget_is_refused():
    rounds = check(load(str(EXAMPLES / "theory.yaml"))).rounds
    with pytest.raises(BudgetReached):
        round_tree(rounds, rounds.start, 10)


def chain(length):
    """A round of one path: one-hot rows that agree, and a draft of so many tokens."""
    text = f"""
version: 1
vocabulary: [a, b]
draft_length: {length}
horizon: 2
target: {{"": {{a: 1}}, a: {{b: 1}}}}
draft: {{"": {{a: 1}}, a: {{b: 1}}}}
"""
    return check(parse(text.encode()))


def test_a_chain_of_1000_levels_is_decided_drawn_and_searched_with_the_default_stack():
    assert sys.getrecursionlimit() == 1000
    result = chain(1000)
    assert isinstance(result.verdict, Lossless)
    tree = round_tree(result.rounds, result.rounds.start, MANY)
    assert tree.number_of_nodes() == 2002
    assert nx.dag_longest_path_length(tree, weight=None) == 2001
    (leaf,) = [n for n in tree if tree.out_degree(n) == 0]
    assert tree.nodes[leaf]["emitted"] == ("a", "b") * 500 + ("a",)
    (way,) = SequencePaths(result.rounds, MANY).emitting(("a", "b") * 600, ended=False)
    assert way.mass == 1
    for depth in (None, 3, 5000):
        folded = FoldedTree(tree, 60, depth, 80)
        assert folded.shown + folded.folded == 2002
        assert len(list(tree_lines(folded, "the round"))) == len(folded.lines) + bool(folded.folded)


def some_trees():
    """Trees of many shapes: bushy, deep, wide, one node."""
    for name, text in {
        "theory": (EXAMPLES / "theory.yaml").read_text(),
        "deep": "{version: 1, vocabulary: [a, b], draft_length: 5, target: {a: 1/3, b: 2/3},"
        " draft: {a: 1/2, b: 1/2}}",
        "wide": "{version: 1, vocabulary: [a, b, c, d, e, f, g, h], draft_length: 1,"
        " target: {a: 1/8, b: 1/8, c: 1/8, d: 1/8, e: 1/8, f: 1/8, g: 1/8, h: 1/8},"
        " draft: {a: 1/2, b: 1/4, c: 1/8, d: 1/8}}",
        "root": "{version: 1, vocabulary: [a], draft_length: 0, target: {a: 1}}",
    }.items():
        rounds = check(parse(text.encode())).rounds
        yield pytest.param(round_tree(rounds, rounds.start, MANY), id=name)


TREES = list(some_trees())


@pytest.mark.parametrize("tree", TREES)
def test_a_folded_tree_shows_or_counts_every_node(tree):
    for most_lines in (1, 2, 3, 7, 20, 50, 1000):
        for depth in (None, 0, 1, 2, 5, 100):
            for width in (1, 40, 80, 140):
                folded = FoldedTree(tree, most_lines, depth, width)
                shown = [line.node for line in folded.lines if line.node is not None]
                assert len(shown) == len(set(shown)) == folded.shown
                assert folded.shown + folded.folded == tree.number_of_nodes()
                assert all(line.folded for line in folded.lines if line.node is None)


@pytest.mark.parametrize("tree", TREES)
def test_the_masses_of_leaves_shown_and_of_nodes_folded_sum_to_1(tree):
    for most_lines in (1, 3, 20, 1000):
        for depth in (None, 0, 1, 3, 100):
            folded = FoldedTree(tree, most_lines, depth, 80)
            total = sum(
                line.mass
                for line in folded.lines
                if line.node is None or tree.out_degree(line.node) == 0
            )
            assert total == 1


@pytest.mark.parametrize("tree", TREES)
def test_a_tree_that_fits_is_shown_whole(tree):
    folded = FoldedTree(tree, MANY, 100, 400)
    assert [line.node for line in folded.lines] == list(tree)
    assert folded.folded == 0
