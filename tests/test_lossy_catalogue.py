"""The catalogue's lossy rules and mistakes: lossy on the common toy, with the figures they are known for."""

from dataclasses import replace
from fractions import Fraction
from math import prod

import pytest

from exactspec import Distribution, Model, check, load, parse, total_variation
from exactspec.algorithms import CATALOGUE, LOSSY, MISTAKES
from exactspec.algorithms.mistakes.staged_with_small_q import staged_with_small_q_by
from exactspec.text import decimal_text

TOY = load("examples/theory.yaml")
# Expected accepted drafts of the first round, expected target calls and total variation to horizon 4.
LOSSY_FIGURES = {
    "lenience": (Fraction(23, 15), "1.4931", "0.2721"),
    "lenience_with_plain_residual": (Fraction(23, 15), "1.4914", "0.2704"),
    "typical_acceptance": (Fraction(7, 4), "1.2465", "0.4228"),
    "threshold_acc": (Fraction(121, 81), "1.3772", "0.3518"),
    "threshold_single": (Fraction(7, 6), "1.5394", "0.2951"),
    "relaxed_acceptance": (Fraction(2), "1", "0.9306"),
    "fuzzy": (Fraction(167, 120), "1.7319", "0.2083"),
    "judge": (Fraction(167, 120), "1.7319", "0.2083"),
    "synthetic_acceptance": (Fraction(427, 400), "1.6022", "0.2456"),
    "no_coin": (Fraction(33, 80), "2.0646", "0.5492"),
}
MISTAKE_FIGURES = {
    "target_instead_of_residual": (Fraction(259, 240), "1.6815", "0.1183"),
    "argmax_draft_with_soft_q": (Fraction(5, 6), "2.2722", "0.3698"),
    "processed_draft_with_raw_q": (Fraction(20, 21), "1.7528", "0.1842"),
    "second_sample": (Fraction(9, 20), "2.1911", "0.1065"),
    "one_uniform_for_all_positions": (Fraction(401, 360), "1.6906", "0.0481"),
    "block_with_token_residual": (Fraction(827, 720), "1.6995", "0.0116"),
    "block_with_w_for_every_coin": (Fraction(2681, 2160), "1.7117", "0.0939"),
    "block_that_stops_at_the_first_no": (Fraction(587, 720), "1.8374", "0.1949"),
    "draft_noise_reused": (Fraction(259, 240), "1.7753", "0.0289"),
    "unconfident_draft_dropped": (Fraction(35, 72), "2.5092", "0.1658"),
    "improbable_draft_dropped": (Fraction(0), "2.4741", "0.0851"),
    "redrawn_until_confident_with_raw_q": (Fraction(5, 6), "2.1328", "0.263"),
    "admitted_by_the_next_position": (Fraction(14, 15), "1.7991", "0.0919"),
    "likelier_of_two_with_plain_q": (Fraction(13157, 14400), "1.983", "0.2063"),
    "duplicates_without_residual_update": (Fraction(8063, 6400), "1.5949", "0.034"),
    "target_coin_with_duplicates": (Fraction(1677, 1600), "1.806", "0.1476"),
    "top_k_tree_with_soft_q": (Fraction(5, 3), "1.4167", "0.441"),
}
FIGURES = LOSSY_FIGURES | MISTAKE_FIGURES


def _figures(result):
    calls, distance = result.run.calls, result.listing.total_variation
    return (
        result.round_figures[0].mean_accepted,
        *(decimal_text(figure).lstrip("=~ ") for figure in (calls, distance)),
    )


def test_every_lossy_rule_and_every_mistake_has_figures() -> None:
    assert set(LOSSY) == set(LOSSY_FIGURES)
    assert set(MISTAKES) == {*MISTAKE_FIGURES, "staged_with_small_q"}


@pytest.mark.parametrize("name", FIGURES)
def test_a_rule_is_lossy_with_its_known_figures_on_the_common_toy(name) -> None:
    result = check(TOY, name)
    assert result.verdict.word == "lossy"
    assert not result.round_identity_holds
    assert _figures(result) == FIGURES[name]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_says_where_it_was_seen_and_what_it_violates(name) -> None:
    assert CATALOGUE[name].seen_in
    assert "The right rule" in CATALOGUE[name].function.__doc__
    assert "violates" in CATALOGUE[name].function.__doc__


@pytest.mark.parametrize("name", LOSSY)
def test_a_lossy_rule_says_what_it_violates_and_which_bound_is_known(name) -> None:
    text = " ".join(CATALOGUE[name].function.__doc__.split())
    assert "differs from" in text
    assert "violates" in text
    assert "Known bound" in text or "No bound on the law is known" in text


def test_relaxed_acceptance_never_emits_what_greedy_decoding_would() -> None:
    result = check(replace(TOY, wanted="rule"), "relaxed_acceptance")
    assert result.verdict.word == "lossy"
    assert _figures(result) == (2, "1", "1")


def test_a_staged_draft_verified_with_the_small_drafter_s_law() -> None:
    third = Fraction(1, 3)
    small = Model(
        {
            (None,): Distribution({"a": third, "b": third, "$": third}),
            ("a",): Distribution({"a": Fraction(1, 4), "b": Fraction(1, 2), "$": Fraction(1, 4)}),
            ("b",): Distribution({"a": Fraction(1, 5), "b": Fraction(2, 5), "$": Fraction(2, 5)}),
        },
        end="$",
    )
    result = check(TOY, staged_with_small_q_by(lambda draft: small))
    assert result.verdict.word == "lossy"
    assert _figures(result) == (Fraction(3557, 2880), "1.6994", "0.2774")
    by_default = check(TOY, "staged_with_small_q")
    assert by_default.verdict.word == "lossy"
    assert _figures(by_default) == (Fraction(12770447, 10383120), "1.681", "0.129")


@pytest.mark.parametrize(
    ("name", "strictest"),
    [
        ("lenience", {"lenience": 1}),
        ("lenience_with_plain_residual", {"lenience": 1}),
        ("threshold_acc", {"acc": 1}),
        ("threshold_single", {"single": 1}),
        ("fuzzy", {"threshold": 0}),
        ("judge", {"fine": ()}),
        ("unconfident_draft_dropped", {"threshold": 0}),
        ("improbable_draft_dropped", {"threshold": 0}),
        ("redrawn_until_confident_with_raw_q", {"threshold": 0}),
        ("admitted_by_the_next_position", {"threshold": 0}),
        ("processed_draft_with_raw_q", {"kept": 3}),
        ("duplicates_without_residual_update", {"candidates": 1}),
        ("target_coin_with_duplicates", {"candidates": 1}),
    ],
)
def test_a_rule_whose_option_leaves_nothing_of_its_fault_is_lossless(name, strictest) -> None:
    assert check(replace(TOY, options=strictest), name).verdict.word == "lossless"


def test_relaxed_acceptance_without_slack_is_greedy_decoding() -> None:
    strict = replace(TOY, options={"delta": 0}, wanted="rule")
    assert check(strict, "relaxed_acceptance").verdict.word == "lossless"


def _first_tokens(name):
    return [row for facts in check(TOY, name).contexts for row in facts.first_tokens]


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("lenience", Fraction(1, 2)),
        ("lenience_with_plain_residual", Fraction(1, 2)),
        ("threshold_acc", Fraction(3, 4)),
    ],
)
def test_no_context_gives_a_token_more_than_the_known_bound(name, share) -> None:
    rows = _first_tokens(name)
    assert all(row.emitted <= row.target / share for row in rows)
    assert any(row.emitted > row.target for row in rows)


def test_fuzzy_decoding_stays_within_its_threshold_in_every_context() -> None:
    for facts in check(TOY, "fuzzy").contexts:
        emitted, target = (
            Distribution({row.token: getattr(row, column) for row in facts.first_tokens})
            for column in ("emitted", "target")
        )
        assert total_variation(emitted, target) <= Fraction(1, 4)


def test_without_a_coin_a_token_that_the_draft_overrates_is_never_emitted_first() -> None:
    rows = _first_tokens("no_coin")
    assert all(row.emitted == 0 for row in rows if row.target < row.draft)


def test_one_uniform_for_all_positions_gives_the_first_token_its_law_and_fails_after_it() -> None:
    result = check(TOY, "one_uniform_for_all_positions")
    first = [row for facts in result.contexts for row in facts.first_tokens]
    assert all(row.emitted == row.target for row in first)
    assert not result.identities[0].holds
    assert len(result.verdict.counterexample.tokens) == 2


LEAKS = parse(
    b"""
    version: 1
    vocabulary: [a, b, c]
    draft_length: 2
    horizon: 3
    target: {a: 1/2, c: 1/2}
    draft: {a: 1/4, b: 1/2, c: 1/4}
    """
)


@pytest.mark.parametrize(
    ("name", "options", "leaks"),
    [
        ("lenience", {}, False),
        ("lenience_with_plain_residual", {}, False),
        ("typical_acceptance", {}, False),
        ("threshold_acc", {}, False),
        ("threshold_single", {}, False),
        ("relaxed_acceptance", {"delta": Fraction(1, 3)}, False),
        ("relaxed_acceptance", {"delta": Fraction(1, 2)}, True),
        ("relaxed_acceptance", {"delta": Fraction(1, 2), "among": 2}, False),
        ("fuzzy", {"threshold": Fraction(1, 2)}, True),
        ("judge", {}, True),
        ("synthetic_acceptance", {}, True),
        ("no_coin", {}, False),
    ],
)
def test_which_lossy_rules_emit_what_the_target_never_does(name, options, leaks) -> None:
    listing = check(replace(LEAKS, options=options), name).listing
    assert bool(listing.impossible) == leaks


def test_a_synthetic_rejection_has_no_residual_where_the_rows_are_equal() -> None:
    equal = replace(LEAKS, draft=Model(LEAKS.target.rows, name="draft"))
    law = {output.tokens: output.got for output in check(equal, "synthetic_acceptance").listing}
    broken = [got for tokens, got in law.items() if tokens[-1] == "<0/0>" or len(tokens) < 3]
    assert sum(broken) == 1 - Fraction(7, 10) ** 2


TWO_TOKENS = parse(
    b"""
    version: 1
    vocabulary: [a, b]
    draft_length: 2
    target: {^: {a: 1/3, b: 2/3}, a: {a: 1/4, b: 3/4}, b: {a: 4/5, b: 1/5}}
    draft: {^: {a: 2/3, b: 1/3}, a: {a: 1/2, b: 1/2}, b: {a: 1/5, b: 4/5}}
    """
)
EVEN_DRAFT = parse(
    b"""
    version: 1
    vocabulary: [a, b, c]
    draft_length: 2
    target: {^: {a: 1/2, b: 1/3, c: 1/6}, a: {a: 1/4, b: 1/4, c: 1/2}, "": {a: 1/2, b: 1/2}}
    draft: {a: 1/3, b: 1/3, c: 1/3}
    """
)


@pytest.mark.parametrize(
    ("name", "unlucky"),
    [
        ("block_with_token_residual", TWO_TOKENS),
        ("duplicates_without_residual_update", TWO_TOKENS),
        ("draft_noise_reused", TWO_TOKENS),
        ("draft_noise_reused", EVEN_DRAFT),
    ],
)
def test_a_mistake_passes_on_tables_that_don_t_show_it(name, unlucky) -> None:
    assert check(unlucky, "token_level").round_figures[0].mean_accepted < 2
    assert check(unlucky, name).verdict.word == "lossless"
    assert check(TOY, name).verdict.word == "lossy"


def _first_token_law(name, p, q, **options):
    """The law of the first token where the rows are the same in every context."""
    rows = ({(): Distribution(dict(zip("abc", law, strict=False)))} for law in (p, q))
    target, draft = map(Model, rows)
    model = replace(LEAKS, target=target, draft=draft, draft_length=1, horizon=1, options=options)
    got = {output.tokens: output.got for output in check(model, name).listing}
    return tuple(got.get((token,), 0) for token in "abc")


def _over(denominator, *numerators):
    return tuple(Fraction(n, denominator) for n in numerators)


@pytest.mark.parametrize(
    ("name", "p", "q", "law"),
    [
        ("target_instead_of_residual", _over(6, 3, 2, 1), _over(6, 1, 2, 3), _over(9, 3, 4, 2)),
        ("argmax_draft_with_soft_q", _over(10, 3, 5, 2), _over(20, 8, 7, 5), _over(4, 3, 1, 0)),
        ("processed_draft_with_raw_q", _over(2, 1, 1, 0), _over(10, 5, 3, 2), _over(8, 5, 3, 0)),
        ("draft_noise_reused", _over(10, 1, 6, 3), _over(4, 2, 1, 1), _over(100, 10, 63, 27)),
        ("draft_noise_reused", _over(10, 1, 6, 3), _over(10, 7, 1, 2), _over(190, 19, 123, 48)),
        ("draft_noise_reused", _over(10, 1, 6, 3), _over(10, 6, 3, 1), _over(110, 11, 63, 36)),
        ("draft_noise_reused", _over(10, 1, 6, 3), _over(3, 1, 1, 1), _over(10, 1, 6, 3)),
        ("draft_noise_reused", _over(5, 3, 2, 0), _over(3, 1, 1, 1), _over(30, 19, 11, 0)),
        ("top_k_tree_with_soft_q", _over(10, 3, 3, 4), _over(10, 5, 3, 2), _over(5, 3, 0, 2)),
    ],
)
def test_a_mistake_gives_the_law_that_is_known_of_it(name, p, q, law) -> None:
    assert _first_token_law(name, p, q) == law


def test_one_uniform_for_two_positions_gives_the_law_of_its_public_report() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 2
        horizon: 2
        target: {a: 1/2, b: 1/2}
        draft: {a: 3/4, b: 1/4}
        """
    )
    listing = check(model, "one_uniform_for_all_positions").listing
    law = {"".join(output.tokens): output.got for output in listing}
    assert law == dict(zip(("aa", "ab", "ba", "bb"), _over(8, 3, 1, 2, 2), strict=True))


def test_admission_by_the_next_position_gives_the_law_of_its_paper() -> None:
    model = parse(
        b"""
        version: 1
        vocabulary: [a, b]
        draft_length: 2
        horizon: 1
        target: {a: 7/10, b: 3/10}
        draft: {a: {a: 1}, "": {a: 1/2, b: 1/2}}
        options: {threshold: 3/4}
        """
    )
    law = {
        output.tokens: output.got
        for output in check(model, "admitted_by_the_next_position").listing
    }
    assert law == {("a",): Fraction(17, 20), ("b",): Fraction(3, 20)}


@pytest.mark.parametrize(("delta", "accepted"), [(1, 0), (Fraction(10**9 - 1, 10**9), 2)])
def test_an_entropy_threshold_is_compared_exactly(delta, accepted) -> None:
    """exp(-H) of an even row is its probability: at δ = 1 nothing lies above it, just below all does."""
    model = replace(
        EVEN_DRAFT, target=Model(EVEN_DRAFT.draft.rows), options={"epsilon": 1, "delta": delta}
    )
    result = check(model, "typical_acceptance")
    assert result.round_figures[0].mean_accepted == accepted


def test_an_entropy_threshold_agrees_with_its_definition_on_uneven_rows() -> None:
    p = _over(6, 1, 2, 3)
    least = prod(weight ** int(6 * weight) for weight in p)
    for weight, is_accepted in zip(p, (False, False, True), strict=True):
        assert (weight**6 > least) == is_accepted
    model = replace(LEAKS, target=Model({(): Distribution(dict(zip("abc", p, strict=True)))}))
    model = replace(model, draft=Model(model.target.rows), options={"epsilon": 1, "delta": 1})
    (facts,) = check(model, "typical_acceptance").contexts
    assert [row.accepted for row in facts.first_tokens] == [0, 0, Fraction(1, 2)]
