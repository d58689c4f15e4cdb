"""Generated tables: the engine's laws and figures equal those of the reference, law for law."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import reference
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import exactspec
from exactspec import Algorithm, Distribution, Model, RuleError, Scenario, check
from exactspec.algorithms.load import load_rule
from exactspec.check.difference import compare_automata
from exactspec.check.listing import Listing
from exactspec.check.verdict import Lossless, Lossy
from exactspec.expand.automaton import Emitted, Wanted
from exactspec.expand.budget import Budget
from exactspec.expand.rounds import Rounds

HERE = Path(__file__).parent
ROOT = HERE.parent
TOKEN_RULE = ROOT / "exactspec" / "algorithms" / "token_level.py"
FILES = {
    "sound": HERE / "rules" / "sound.py",
    "lossy": HERE / "rules" / "lossy.py",
    "wrong": ROOT / "examples" / "rules" / "wrong.py",
    "carry_over": ROOT / "examples" / "rules" / "carry_over.py",
    "token_level": TOKEN_RULE,
}
SOUND = (
    "token_level:token_level",
    "carry_over:one_ahead",
    "sound:target_only",
    "sound:drafts_by_turns",
    "sound:no_draft_behind_the_last_token",
    "sound:no_draft_when_long",
    "sound:two_candidates",
    "sound:unlooked_state",
    "sound:toss_kept_in_a_set",
    "sound:coins_by_one_number",
)
LOSSY = (
    "wrong:target_instead_of_residual",
    "wrong:row_of_the_wrong_position",
    "wrong:bonus_after_an_accepted_end",
    "wrong:wrong_when_the_context_is_long",
    "wrong:one_uniform_for_every_coin",
    "wrong:residual_of_the_first_position",
    *(f"lossy:{name}" for name in reference.rules_in(FILES["lossy"])),
)
_TOKENS = ("a", "b", "c", "$")


@dataclass(frozen=True)
class Case:
    """One generated model, for the engine and for the reference."""

    scenario: Scenario
    setting: reference.Setting
    horizon: int


def engine_rule(name: str) -> Any:
    file, _, function = name.partition(":")
    return load_rule(f"{FILES[file].name}:{function}", FILES[file].parent)


def reference_rule(name: str) -> reference.Rule:
    file, _, function = name.partition(":")
    return reference.rules_in(FILES[file])[function]


@st.composite
def rows(draw: st.DrawFn, vocabulary: tuple[str, ...]) -> dict[str, Fraction]:
    weights = draw(
        st.lists(
            st.sampled_from((0, 0, 1, 1, 2, 3)),
            min_size=len(vocabulary),
            max_size=len(vocabulary),
        ).filter(any)
    )
    return {t: Fraction(w, sum(weights)) for t, w in zip(vocabulary, weights, strict=True) if w}


def keys_of(shape: str, vocabulary: tuple[str, ...], prompt: tuple[str, ...]) -> list[Any]:
    if shape == "order 0":
        return [()]
    if shape == "order 1":
        return [(None,), *((token,) for token in vocabulary)]
    if shape == "order 2, in part":
        return [(), vocabulary[:1], (vocabulary[0], vocabulary[-1]), (None, *prompt)]
    histories = [(None, *prompt)]
    histories += [(*histories[0], token) for token in vocabulary]
    histories += [(*key, token) for key in histories[1:] for token in vocabulary]
    return [(), *histories]


@st.composite
def cases(draw: st.DrawFn, most_work: int = 200) -> Case:
    vocabulary = _TOKENS[4 - draw(st.integers(1, 4)) :]
    end = "$" if draw(st.booleans()) else None
    draft_length = draw(st.integers(0, 3))
    free = tuple(token for token in vocabulary if token != end)
    prompt = draw(st.sampled_from(((), (), free[:1])))
    shapes = st.sampled_from(("order 0", "order 1", "order 2, in part", "full history"))
    target_keys = keys_of(draw(shapes), vocabulary, prompt)
    draft_keys = keys_of(draw(shapes), vocabulary, prompt)
    one_row = rows(vocabulary)
    target = {key: draw(one_row) for key in target_keys}
    equal = draw(st.sampled_from(("all", "some", "none", "none")))
    draft = {
        key: target[key]
        if key in target and (equal == "all" or (equal == "some" and draw(st.booleans())))
        else draw(one_row)
        for key in draft_keys
    }
    horizon = 1
    while horizon < 4 and len(vocabulary) ** (draft_length + horizon) < most_work:
        horizon += 1
    max_tokens = draw(st.sampled_from((None, None, None, 1, 2, 3)))
    cut = draw(st.sampled_from((False, False, True)))
    scenario = Scenario(
        target=Model({k: Distribution(r) for k, r in target.items()}, name="target", end=end),
        draft=Model({k: Distribution(r) for k, r in draft.items()}, name="draft", end=end),
        vocabulary=vocabulary,
        draft_length=draft_length,
        horizon=horizon,
        end=end,
        prompt=prompt,
        max_tokens=max_tokens,
        cut_after_end=cut,
    )
    return Case(scenario, reference.setting_of(scenario), horizon)


def examples(count: int) -> Any:
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def judged_alike(name: str, case: Case) -> None:
    """One rule, one model: all that the engine says about laws is what the reference finds."""
    rule = reference_rule(name)
    try:
        result = check(case.scenario, engine_rule(name))
    except RuleError as error:
        must_be_a_fault(error, rule, case)
        return
    run = reference.run(rule, case.setting, case.horizon)
    want = reference.target_law(case.setting, case.horizon)
    assert result.listing is not None
    assert {named(o): o.got for o in result.listing if o.got} == run.law
    assert {named(o): o.want for o in result.listing if o.want} == want
    assert {named(o) for o in result.listing} == {*run.law, *want}
    differing = {named(o): (o.got, o.want) for o in result.listing.wrong}
    assert differing == reference.differing(run.law, want)
    assert result.listing.total_variation == reference.total_variation(run.law, want)
    assert result.run is not None
    assert result.run.calls == run.calls
    assert result.run.tokens == run.tokens
    verdict_is_right(result.verdict, rule, case)
    if result.round_identity_holds:
        assert isinstance(result.verdict, Lossless)


def named(output: Any) -> tuple[str, ...]:
    """An output by its names, which are all that the reference has of a broken outcome."""
    return tuple(map(str, output.tokens))


def must_be_a_fault(error: RuleError, rule: reference.Rule, case: Case) -> None:
    """The reference meets a fault as well in the round behind the blocks that the error names."""
    (found,) = error.diagnostics
    blocks = found.notes[0].removeprefix("reached by the emitted blocks: ")
    first = blocks == "reached in the first round"
    emitted = () if first else tuple(blocks.replace("|", " ").split())
    with pytest.raises((AssertionError, ArithmeticError)):
        reference.ends_of_round(rule, case.setting, emitted, None)


def verdict_is_right(verdict: Any, rule: reference.Rule, case: Case) -> None:
    """A lossless verdict at the horizon and behind it; a counterexample at its own length."""
    if isinstance(verdict, Lossless):
        small = len(case.scenario.vocabulary) ** (case.scenario.draft_length + case.horizon) < 100
        more = 2 if small and verdict.scope.horizon is None else 0
        law = reference.run(rule, case.setting, case.horizon + more).law
        assert law == reference.target_law(case.setting, case.horizon + more)
        return
    assert isinstance(verdict, Lossy)
    tokens = named(verdict.counterexample)
    if len(tokens) <= case.horizon + 1:
        got = reference.run(rule, case.setting, len(tokens)).law
        want = reference.target_law(case.setting, len(tokens))
        assert verdict.counterexample.got == sum(p for x, p in got.items() if x == tokens)
        assert verdict.counterexample.want == want.get(tokens, 0)
        assert verdict.counterexample.got != verdict.counterexample.want
        shorter = len(tokens) - 1
        law = reference.run(rule, case.setting, shorter).law if shorter else {}
        assert not shorter or law == reference.target_law(case.setting, shorter)


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_rule_has_the_law_of_the_reference(name):
    @examples(40)
    @given(cases())
    def compare(case):
        judged_alike(name, case)

    compare()


@pytest.mark.parametrize("name", LOSSY)
def test_a_lossy_rule_has_the_law_of_the_reference(name):
    @examples(20)
    @given(cases())
    def compare(case):
        judged_alike(name, case)

    compare()


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_rule_is_lossless_on_every_table(name):
    @examples(60)
    @given(cases())
    def is_lossless(case):
        assert isinstance(check(case.scenario, engine_rule(name)).verdict, Lossless)

    is_lossless()


@pytest.mark.parametrize("name", LOSSY)
def test_every_lossy_rule_is_lossy_or_an_error_on_some_table(name):
    caught = []

    @examples(60)
    @given(cases())
    def look(case):
        if not caught:
            try:
                verdict = check(case.scenario, engine_rule(name)).verdict
            except RuleError as error:
                caught.append(error)
                return
            if isinstance(verdict, Lossy):
                caught.append(verdict.counterexample)

    look()
    assert caught


@st.composite
def machines(draw: st.DrawFn) -> dict[int, dict[int, Any]]:
    """A rule as a table: state -> block -> (weight, where each token comes from, next state)."""
    states = draw(st.integers(1, 3))
    source = st.sampled_from(("target", "target", "target", "target", "draft", "$"))
    block = st.tuples(
        st.integers(1, 3),
        st.lists(source, min_size=1, max_size=4),
        st.integers(0, states - 1),
    )
    blocks = st.lists(block, min_size=1, max_size=3)
    return {state: dict(enumerate(draw(blocks))) for state in range(states)}


def rule_of(machine: dict[int, dict[int, Any]], helpers: Any) -> Any:
    """The rule that a machine stands for, written with the engine's helpers or the reference's."""

    def by_the_table(chance, target, draft, context, *, draft_length, state=None):
        blocks = machine[state or 0]
        total = sum(weight for weight, _, _ in blocks.values())
        weights = {number: Fraction(block[0], total) for number, block in blocks.items()}
        _, sources, following = blocks[chance.draw(helpers.Distribution(weights), "block")]
        tokens = ()
        for source in sources[: draft_length + 1]:
            if source == "$":
                tokens = (*tokens, "$")
            else:
                row = {"target": target, "draft": draft}[source](context + tokens)
                tokens = (*tokens, chance.draw(row, source))
            if target.end is not None and target.ends(tokens):
                break
        return helpers.Round(tokens, state=following)

    return by_the_table


@examples(250)
@given(cases(), machines())
def test_a_generated_rule_has_the_law_and_the_verdict_of_the_reference(case, machine):
    rule = rule_of(machine, reference.HELPERS)
    result = check(case.scenario, Algorithm("generated", rule_of(machine, exactspec)))
    run = reference.run(rule, case.setting, case.horizon)
    assert {o.tokens: o.got for o in result.listing if o.got} == run.law
    assert result.run.calls == run.calls
    verdict_is_right(result.verdict, rule, case)


@examples(40)
@given(cases(), st.sampled_from((*SOUND, *LOSSY)))
def test_the_automata_differ_up_to_a_length_iff_the_listing_to_it_does(case, name):
    try:
        rounds = Rounds(case.scenario, engine_rule(name), Budget())
    except RuleError:
        return
    emitted, wanted = Emitted(rounds), Wanted(case.scenario)
    vocabulary = case.scenario.vocabulary
    for length in range(1, case.horizon + 1):
        compared = compare_automata(emitted, wanted, vocabulary, length)
        listing = Listing(emitted, wanted, vocabulary, length, 10_000)
        assert (compared.shortest is not None) == bool(listing.wrong)


@examples(40)
@given(cases(), st.sampled_from(SOUND[:1] + LOSSY))
def test_the_accepted_and_emitted_counts_of_each_round_are_those_of_the_reference(case, name):
    rule = reference_rule(name)
    try:
        result = check(case.scenario, engine_rule(name))
    except RuleError:
        return
    for figures in result.round_figures:
        emitted = figures.state.context[len(case.scenario.prompt) :]
        if len(emitted) > case.horizon:
            continue
        counts, accepted = {}, {}
        ends = reference.ends_of_round(rule, case.setting, emitted, figures.state.carried)
        for end in ends:
            counts[len(end.tokens)] = counts.get(len(end.tokens), 0) + end.mass
            accepted[end.accepted] = accepted.get(end.accepted, 0) + end.mass
        assert figures.emitted == counts
        assert figures.accepted == (None if None in accepted else accepted)


@examples(60)
@given(cases())
def test_beta_is_the_same_by_coins_residual_mass_and_total_variation(case):
    for facts in check(case.scenario, engine_rule("token_level:token_level")).contexts:
        if facts.rejection is not None:
            assert facts.rejection == facts.residual_mass == facts.total_variation
            assert facts.acceptance == 1 - facts.rejection


def test_probabilities_with_huge_denominators_are_listed_exactly():
    tiny = Fraction(1, 3**200)
    target = {"a": tiny, "b": 1 - tiny}
    draft = {"a": 1 - 2 * tiny / 7, "b": 2 * tiny / 7}
    scenario = Scenario(
        target=Model({(): Distribution(target)}),
        draft=Model({(): Distribution(draft)}, name="draft"),
        vocabulary=("a", "b"),
        draft_length=2,
        horizon=3,
    )
    for name in ("token_level:token_level", "wrong:target_instead_of_residual"):
        judged_alike(name, Case(scenario, reference.setting_of(scenario), 3))
