"""The law that is wanted: the target's, a table of its own, or what the rule promises."""

from dataclasses import replace
from fractions import Fraction

import pytest

from exactspec import (
    Distribution,
    Model,
    ModelError,
    Round,
    algorithm,
    check,
    draft_tokens,
    load,
    minimum,
    parse,
    residual,
)


def _even_mix(p, q):
    return Distribution({x: (p[x] + q[x]) / 2 for x in {**dict(p.items()), **dict(q.items())}})


@algorithm(wanted=_even_mix)
def cascade(chance, target, draft, context, *, draft_length):
    """The token rule for the even mix of target and draft in the target's place."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        mix = _even_mix(p, q)
        if not chance.accept(minimum(1, mix[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(mix, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    here = context + drafted
    bonus = chance.draw(_even_mix(target(here), draft(here)), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


def test_a_cascade_is_lossless_against_its_own_law_and_lossy_against_the_target() -> None:
    model = load("examples/theory.yaml")
    assert check(replace(model, wanted="rule"), cascade).verdict.word == "lossless"
    assert check(model, cascade).verdict.word == "lossy"


def test_a_rule_without_a_promise_of_its_own_can_t_be_judged_by_it() -> None:
    with pytest.raises(ModelError, match="no-promised-law"):
        check(replace(load("examples/theory.yaml"), wanted="rule"))


MODEL = parse(
    b"""
    version: 1
    vocabulary: [a, b]
    draft_length: 1
    target: {a: 1/3, b: 2/3}
    draft: {a: 1/2, b: 1/2}
    """
)


def test_a_wanted_table_that_sees_more_than_the_target_is_still_told_apart() -> None:
    same, other = MODEL.target.rows[()], MODEL.draft.rows[()]
    wanted = Model({(): same, ("a", "b", "a"): other}, name="wanted")
    verdict = check(replace(MODEL, wanted=wanted)).verdict
    assert verdict.counterexample.tokens == ("a", "b", "a", "a")
    assert verdict.counterexample.want / verdict.counterexample.got == Fraction(3, 2)


def test_a_wanted_table_equal_to_the_target_changes_nothing() -> None:
    wanted = Model(MODEL.target.rows, name="wanted")
    assert check(replace(MODEL, wanted=wanted)).round_identity_holds


def test_a_promise_that_needs_no_draft_row_is_judged_without_a_draft() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 0
        wanted: rule
        target: {a: 1/3, b: 2/3}
        """
    )
    assert check(model, "greedy_match").verdict.word == "lossless"


@pytest.mark.parametrize(
    ("rule", "options", "message"),
    [
        ("naive_multi_draft", {"candidates": Fraction(1, 2)}, "expected a whole number"),
        ("naive_multi_draft", {"candidates": "two"}, "expected a whole number"),
        ("canonical_decomposition", {"weights": "foo"}, "expected transport or ratio"),
    ],
)
def test_an_option_of_another_kind_is_refused(rule, options, message) -> None:
    with pytest.raises(ModelError, match=message):
        check(replace(load("examples/theory.yaml"), options=options), rule)


def test_a_promised_law_sees_what_the_draft_sees_where_the_target_sees_less() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 1
        horizon: 3
        wanted: rule
        target: {a: 1/3, b: 2/3}
        draft: {"": {a: 1/2, b: 1/2}, a: {a: 1/4, b: 3/4}}
        """
    )
    result = check(model, cascade)
    assert result.verdict.word == "lossless"
    want = {output.tokens: output.want for output in result.listing}
    after_a, elsewhere = Fraction(7, 24), Fraction(5, 12)
    assert want["a", "a", "a"] == elsewhere * after_a * after_a
    assert want["b", "a", "a"] == (1 - elsewhere) * elsewhere * after_a


def test_where_the_round_identity_fails_the_first_of_the_shortest_strings_is_named() -> None:
    result = check(load("examples/theory.yaml"), "target_instead_of_residual")
    assert result.identities[0].failure == (("a",), Fraction(17, 96), Fraction(1, 4))
