"""What a rule could tell apart that must not be merged, cached or taken for something else."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import pytest

from exactspec import (
    Broken,
    Distribution,
    ModelError,
    Round,
    RuleError,
    algorithm,
    check,
    draft_tokens,
    parse,
    residual,
)

HALVES = b"""
version: 1
vocabulary: [a, b]
draft_length: 0
horizon: 2
target: {^: {a: 1/2, b: 1/2}, "": {a: 1}}
"""
THIRDS = b"""
version: 1
vocabulary: [a, b]
draft_length: 1
horizon: 2
target: {a: 1/3, b: 2/3}
draft: {a: 1/2, b: 1/2}
"""


def _law(rule, text=THIRDS, **changes):
    result = check(replace(parse(text), **changes), algorithm(rule))
    return {output.tokens: output.got for output in result.listing}, result.verdict.word


def test_laws_that_differ_in_order_only_are_different_states() -> None:
    def rule(chance, target, draft, context, *, state=None):
        if state is not None:
            return (next(iter(state)),)
        p = target(context)
        row = dict(p.items())
        if not chance.accept(Fraction(1, 2)):
            row = dict(reversed(row.items()))
        return Round((chance.draw(p),), state=Distribution(row))

    law, word = _law(rule, HALVES)
    assert (law["a", "a"], word) == (Fraction(1, 4), "lossy")


def test_the_residual_keeps_the_order_of_the_row_that_it_is_asked_for() -> None:
    p = Distribution({"b": Fraction(1, 2), "c": Fraction(1, 2)})
    backwards = Distribution(dict(reversed(p.items())))
    q = Distribution({"a": 1})
    assert list(residual(p, q)) == ["b", "c"]
    assert list(residual(backwards, q)) == ["c", "b"]
    assert p != backwards


def test_a_drawn_truth_value_is_one() -> None:
    def rule(chance, target, draft, context):
        by_draft = chance.draw(Distribution({True: Fraction(1, 2), False: Fraction(1, 2)}), "which")
        return (chance.draw(draft(context) if by_draft is True else target(context)),)

    assert _law(rule)[1] == "lossy"


def test_a_drawn_broken_outcome_and_pair_are_what_they_are() -> None:
    def rule(chance, target, draft, context):
        drawn = chance.draw(
            Distribution({Broken("nan"): Fraction(1, 2), "a": Fraction(1, 2)}), "kernel"
        )
        if isinstance(drawn, Broken):
            return (drawn,)
        pair = chance.draw(
            Distribution({("a", 1): Fraction(1, 2), ("b", 2): Fraction(1, 2)}), "pair"
        )
        return (pair[0],)

    law, _ = _law(rule, horizon=1)
    assert law == {("a",): Fraction(1, 4), ("b",): Fraction(1, 4), (Broken("nan"),): Fraction(1, 2)}


def test_nothing_follows_a_broken_outcome_inside_a_block() -> None:
    def rule(chance, target, draft, context):
        return Round((Broken("x"), chance.draw(target(context))), accepted=2)

    law, _ = _law(rule)
    assert law == {
        **{tokens: Fraction(0) for tokens in law if tokens != (Broken("x"),)},
        (Broken("x"),): Fraction(1),
    }


def test_a_drawn_token_may_be_an_outcome_of_a_law() -> None:
    def rule(chance, target, draft, context):
        token = chance.draw(target(context), "first")
        return (chance.draw(Distribution.one_hot(token), "again"),)

    assert _law(rule)[1] == "lossless"


class Carry(NamedTuple):
    token: str


@dataclass(frozen=True)
class Frozen:
    token: str


@pytest.mark.parametrize("kind", [Carry, Frozen])
def test_a_draw_is_carried_over_in_a_named_tuple_or_a_dataclass(kind) -> None:
    def rule(chance, target, draft, context, *, state=None):
        first = chance.draw(target(context)) if state is None else state.token
        emitted = (first,)
        return Round(emitted, state=kind(chance.draw(target(context + emitted))))

    assert _law(rule)[1] == "lossless"


@pytest.mark.parametrize("label", [3, None, ("d", 1), ["d"]])
def test_a_label_is_a_text(label) -> None:
    def rule(chance, target, draft, context):
        return (chance.draw(target(context), label),)

    with pytest.raises(RuleError, match="rule-label"):
        _law(rule)


@pytest.mark.parametrize("steps", [0, -3, Fraction(5, 2), True])
def test_a_grid_has_a_whole_number_of_steps(steps) -> None:
    def rule(chance, target, draft, context):
        return ("a",) if chance.grid(steps) < Fraction(1, 2) else ("b",)

    with pytest.raises(RuleError, match="rule-grid"):
        _law(rule)


def test_a_copy_of_a_random_number_is_the_same_number() -> None:
    from copy import copy, deepcopy

    def rule(chance, target, draft, context):
        u = chance.uniform()
        both = u < Fraction(1, 3) and copy(u) < Fraction(1, 3) and deepcopy(u) < Fraction(1, 3)
        return ("a",) if both else ("b",)

    assert _law(rule)[1] == "lossless"


def test_drafts_of_two_tables_are_counted_by_their_own() -> None:
    text = b"""
version: 1
vocabulary: [a, $]
end: $
draft_length: 3
horizon: 2
latency: {target: 1, draft: 0}
target: {a: 1/2, $: 1/2}
draft: {a: 1}
"""

    def rule(chance, target, draft, context, *, draft_length):
        draft_tokens(chance, draft, context, draft_length)
        draft_tokens(chance, target, context, draft_length)
        return (chance.draw(target(context)),)

    assert check(parse(text), algorithm(rule)).run.drafted == Fraction(57, 8)


def test_steps_that_leave_no_token_beyond_the_horizon_end_the_claim_there() -> None:
    text = b"""
version: 1
vocabulary: [a, b]
draft_length: 0
horizon: 2
transform: {target: [presence_penalty: 0]}
target: {a: 1/3, b: 2/3}
"""
    verdict = check(parse(text)).verdict
    assert (verdict.word, verdict.scope.horizon) == ("lossless", 2)


def test_a_mask_that_allows_nothing_and_a_second_one_are_refused() -> None:
    head = b"version: 1\nvocabulary: [a, b]\ndraft_length: 0\ntarget: {a: 1/3, b: 2/3}\n"
    for mask, code in ((b"{a: []}", "wrong-type"), (b"{a: [a], [a]: [b]}", "duplicate-context")):
        with pytest.raises(ModelError, match=code):
            parse(head + b"transform: {target: [allow: " + mask + b"]}\n")


def test_a_truth_value_as_an_option_is_0_or_1() -> None:
    def rule(chance, target, draft, context, *, bonus: bool = True):
        return (chance.draw(target(context) if bonus else draft(context)),)

    assert _law(rule, options={"bonus": 0})[1] == "lossy"
    assert _law(rule, options={"bonus": 1})[1] == "lossless"
    with pytest.raises(ModelError, match="option-type"):
        _law(rule, options={"bonus": "false"})
