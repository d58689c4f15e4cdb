"""A request's steps on the tables of a model file, and the wanted law that the file names."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from exactspec import ModelError, algorithm, check, parse

HEAD = """
version: 1
vocabulary: [a, b, c, $]
end: $
draft_length: 1
horizon: 3
target: {a: 1/2, b: 1/4, c: 1/8, $: 1/8}
draft: {a: 1/4, b: 1/4, c: 1/4, $: 1/4}
"""


def _rows(steps: str, *contexts: tuple[str, ...]) -> list[dict[str, Fraction]]:
    model = parse(f"{HEAD}transform: {{target: {steps}}}\n".encode())
    assert check(model).verdict.word == "lossless"
    return [dict(model.target.row_after(context).items()) for context in contexts]


def _law(**weights: int) -> dict[str, Fraction]:
    total = sum(weights.values())
    return {name.replace("end", "$"): Fraction(w, total) for name, w in weights.items()}


@pytest.mark.parametrize(
    ("steps", "law"),
    [
        ("[temperature: 1/2]", _law(a=16, b=4, c=1, end=1)),
        ("[top_k: 2]", _law(a=2, b=1)),
        ("[top_k: 3]", _law(a=4, b=2, c=1)),
        ("[top_p: 3/4]", _law(a=2, b=1)),
        ("[min_p: 1/2]", _law(a=2, b=1)),
        ("[top_k: 2, temperature: 1/2]", _law(a=4, b=1)),
        ("[temperature: 1/2, top_p: 4/5]", _law(a=4, b=1)),
        ("[min_tokens: 1]", _law(a=4, b=2, c=1)),
        ('[allow: {"": [b, c], a: [a]}]', _law(b=2, c=1)),
    ],
)
def test_a_step_gives_the_first_row_its_law(steps: str, law: dict[str, Fraction]) -> None:
    assert _rows(steps, ()) == [law]


def test_steps_that_look_at_the_history_see_the_emitted_tokens() -> None:
    assert _rows("[presence_penalty: 1/2]", ("a", "a")) == [_law(a=2, b=2, c=1, end=1)]
    assert _rows("[frequency_penalty: 1/2]", ("a", "a")) == [_law(a=1, b=2, c=1, end=1)]
    assert _rows("[min_tokens: 2]", ("a",), ("a", "a")) == [
        _law(a=4, b=2, c=1),
        _law(a=4, b=2, c=1, end=1),
    ]
    assert _rows('[allow: {"": [b, c], a: [a]}]', ("a",), ("b",)) == [_law(a=1), _law(b=2, c=1)]


def test_a_penalty_counts_no_token_of_the_prompt() -> None:
    model = parse(f"{HEAD}prompt: a\ntransform: {{target: [presence_penalty: 1/2]}}\n".encode())
    assert dict(model.target.row_after(("a",)).items()) == _law(a=4, b=2, c=1, end=1)
    assert check(model).verdict.word == "lossless"


def test_states_that_a_penalty_tells_apart_are_not_merged() -> None:
    model = parse(f"{HEAD}transform: {{target: [presence_penalty: 1/2]}}\n".encode())
    result = check(model)
    assert result.verdict.scope.horizon is None
    assert len(result.rounds.laws) == 2**3


def test_a_penalty_by_counts_is_decided_to_the_horizon() -> None:
    model = parse(f"{HEAD}transform: {{draft: [frequency_penalty: 1/2]}}\n".encode())
    assert check(model).verdict.scope.horizon in (None, 3)


def test_steps_apply_to_target_and_draft_separately() -> None:
    model = parse(f"{HEAD}transform: {{target: [top_k: 1], draft: [top_k: 2]}}\n".encode())
    assert dict(model.target.row_after(()).items()) == _law(a=1)
    assert dict(model.draft.row_after(()).items()) == _law(a=1, b=1)


def test_steps_that_leave_no_token_are_an_error_with_the_place() -> None:
    model = parse(f'{HEAD}transform: {{target: [top_k: 1, allow: {{"": [b]}}]}}\n'.encode())
    with pytest.raises(ModelError, match="no-token-left") as caught:
        check(model)
    assert caught.value.diagnostics[0].location.line == 7


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{target: [temperature: 2/3]}", "wrong-type"),
        ("{target: [temperature: 0]}", "wrong-type"),
        ("{target: [top_k: 0]}", "wrong-type"),
        ("{target: [top_p: 2]}", "wrong-type"),
        ("{target: [topk: 2]}", "unknown-key"),
        ("{target: {top_k: 2}}", "wrong-type"),
        ("{target: [top_k]}", "wrong-type"),
        ("{bonus: [top_k: 2]}", "unknown-key"),
        ("[top_k: 2]", "wrong-type"),
        ('{target: [allow: {"": [z]}]}', "unknown-token"),
        ("{target: [allow: a]}", "wrong-type"),
    ],
)
def test_a_step_that_is_none_is_refused(text: str, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse(f"{HEAD}transform: {text}\n".encode())
    assert {d.code for d in caught.value.diagnostics} == {code}


def test_a_file_may_name_a_table_as_the_wanted_law() -> None:
    model = parse(f"{HEAD}wanted: {{a: 1/4, b: 1/4, c: 1/4, $: 1/4}}\n".encode())
    verdict = check(model).verdict
    assert verdict.counterexample.tokens == ("a",)
    assert (verdict.counterexample.got, verdict.counterexample.want) == (
        Fraction(1, 2),
        Fraction(1, 4),
    )


def test_a_file_may_want_what_the_rule_promises(tmp_path, exactspec: Callable) -> None:
    rule = tmp_path / "rule.py"
    rule.write_text(
        "from exactspec import algorithm\n"
        "@algorithm(wanted=lambda p, q: q)\n"
        "def draft_only(chance, target, draft, context):\n"
        "    return (chance.draw(draft(context), 'draft'),)\n"
    )
    file = tmp_path / "m.yaml"
    file.write_text(f"{HEAD}wanted: rule\n")
    assert exactspec("check", "--rule", f"{rule}:draft_only", file).code == 0
    file.write_text(f"{HEAD}wanted: target\n")
    assert exactspec("check", "--rule", f"{rule}:draft_only", file).code == 1


def test_a_word_that_is_no_law_is_refused() -> None:
    with pytest.raises(ModelError, match="wrong-type"):
        parse(f"{HEAD}wanted: draft\n".encode())


def test_the_schema_knows_the_steps_that_the_loader_knows() -> None:
    schema = json.loads(Path("exactspec/model/schema.json").read_text("utf-8"))
    in_schema = [next(iter(s["properties"])) for s in schema["definitions"]["step"]["anyOf"]]
    with pytest.raises(ModelError) as caught:
        parse(f"{HEAD}transform: {{target: [nothing_like_it: 1]}}\n".encode())
    assert caught.value.diagnostics[0].hint == f"known keys: {', '.join(in_schema)}"


@pytest.mark.parametrize(
    "steps",
    [
        '[allow: {"": [b, c, $], a: [a, $], "a a": [b], ^: [a, b]}]',
        "[presence_penalty: 1/3, top_k: 3]",
        "[frequency_penalty: 1/2, temperature: 1/2]",
        "[min_tokens: 2, top_p: 3/4]",
        '[min_p: 1/4, allow: {"": [a, b, $], "b a": [$]}, presence_penalty: 1/2]',
    ],
)
@pytest.mark.parametrize("prompt", ["", "a", "b a"])
def test_the_wanted_law_is_the_product_of_the_rows_along_the_whole_history(steps, prompt) -> None:
    text = f'{HEAD}prompt: "{prompt}"\ntransform: {{target: {steps}}}\n'
    model = parse(text.replace("horizon: 3", "horizon: 4").encode())
    for output in check(model).listing:
        history, product = model.prompt, Fraction(1)
        for token in output.tokens:
            product *= model.target.row_after(history)[token]
            history = (*history, token)
        assert output.want == product


def test_a_mask_sees_the_prompt() -> None:
    model = parse(f"{HEAD}prompt: a\ntransform: {{target: [allow: {{a: [b]}}]}}\n".encode())
    assert dict(model.target.row_after(("a",)).items()) == _law(b=1)


def test_drafts_that_a_rule_draws_by_itself_are_counted() -> None:
    text = f"{HEAD}latency: {{target: 1, draft: 1}}\n".replace("horizon: 3", "horizon: 1")

    def rule(chance, target, draft, context):
        chance.draw(draft(context), "draft")
        chance.draw(draft(context), "draft")
        return (chance.draw(target(context), "target"),)

    assert check(parse(text.encode()), algorithm(rule)).run.drafted == 2
