"""The examples show what their pages say: verdicts, figures, and the overview table."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from exactspec import RuleError, check, load
from exactspec.check.check import Result
from exactspec.check.verdict import Lossless, Lossy, Undecided
from exactspec.text import fraction_text

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
OVERVIEW = EXAMPLES / "README.md"
OF_THEIR_OWN = (EXAMPLES / "reports", EXAMPLES / "parameters")
MODELS = sorted(m for m in EXAMPLES.rglob("*.yaml") if not {*OF_THEIR_OWN} & {*m.parents})
CORPUS = sorted((ROOT / "tests/corpus").glob("loss*/*.yaml"))
_TABLE = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


@cache
def result_of(model: Path) -> Result:
    return check(load(str(model)), allow_rules=True)


def name_of(model: Path) -> str:
    return model.relative_to(EXAMPLES).as_posix()


def ran_rules(model: Path) -> bool:
    return result_of(model).rule.file is not None


def verdict_of(result: Result) -> str:
    if isinstance(result.verdict, Undecided):
        return "undecided"
    return f"{result.verdict.word} {result.verdict.scope}"


def overview_row(model: Path) -> str:
    result = result_of(model)
    listing = result.listing
    distance = "-" if listing is None else fraction_text(listing.total_variation)
    horizon = "-" if listing is None else listing.horizon
    options = " --allow-rules" if ran_rules(model) else ""
    shows = model.read_text("utf-8").splitlines()[0].removeprefix("# ")
    cells = (
        f"[{model.stem}]({name_of(model)})",
        shows,
        f"`exactspec check{options} examples/{name_of(model)}`",
        verdict_of(result),
        f"{distance} at {horizon}",
        str(result.round_figures[0].paths),
    )
    return f"| {' | '.join(cells)} |\n"


def overview_table(folder: str) -> str:
    names = ("example", "what it shows", "command", "verdict", "TV at horizon", "paths")
    head = f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n"
    return head + "".join(overview_row(m) for m in MODELS if m.parent == EXAMPLES / folder)


def test_the_overview_tables_say_what_runs_say(request: pytest.FixtureRequest) -> None:
    written = OVERVIEW.read_text("utf-8")
    current = _TABLE.sub(lambda m: m[1] + overview_table(m[2]) + m[4], written)
    if request.config.getoption("--overwrite-golden"):
        OVERVIEW.write_text(current, "utf-8")
    else:
        assert written == current, "run: make golden"
    folders = {match[2] for match in _TABLE.finditer(written)}
    assert folders == {m.parent.relative_to(EXAMPLES).as_posix() for m in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=name_of)
def test_an_example_begins_with_two_lines_on_what_it_shows(model: Path) -> None:
    first, second, third, *_ = model.read_text("utf-8").splitlines()
    assert first.startswith("# ")
    assert second.startswith("# ")
    assert third == "version: 1"


@pytest.mark.parametrize("model", MODELS, ids=name_of)
def test_an_example_has_the_verdict_that_it_claims(model: Path) -> None:
    result = result_of(model)
    claimed = result.scenario.expect or "lossless"
    assert result.verdict.word == claimed
    assert isinstance(result.verdict, Lossless | Lossy)


@pytest.mark.parametrize("model", sorted((EXAMPLES / "wrong-rules").iterdir()), ids=name_of)
def test_each_wrong_rule_is_a_negative_control_that_is_caught(model: Path) -> None:
    result = result_of(model)
    assert result.scenario.expect == "lossy"
    assert isinstance(result.verdict, Lossy)
    counterexample = result.verdict.counterexample
    assert counterexample.paths is not None
    assert sum(path.mass for path in counterexample.paths) == counterexample.got


def functions_of(rules: Path) -> list[str]:
    return re.findall(r"^@algorithm.*\ndef (\w+)", rules.read_text("utf-8"), re.MULTILINE)


def test_each_wrong_rule_has_a_model_that_names_it() -> None:
    named = {result_of(model).rule.name for model in MODELS if model.parent.name == "wrong-rules"}
    assert named == set(functions_of(EXAMPLES / "rules/wrong.py"))


@pytest.mark.parametrize("rule", functions_of(EXAMPLES / "rules/faulty.py"))
def test_each_faulty_rule_is_an_error_with_a_place_in_its_file(rule: str) -> None:
    model = load(str(EXAMPLES / "edge-cases/equal-rows-somewhere.yaml"))
    with pytest.raises(RuleError) as caught:
        check(model, f"{EXAMPLES / 'rules/faulty.py'}:{rule}")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.location is not None
    assert diagnostic.location.file == str(EXAMPLES / "rules/faulty.py")


def test_the_worked_example_reaches_every_kind_of_step() -> None:
    figures = result_of(EXAMPLES / "theory.yaml").round_figures[0]
    assert set(figures.reached) == {"draft", "accept", "reject", "residual", "bonus"}


def test_the_rule_that_carries_a_token_over_is_lossless_without_the_round_identity() -> None:
    result = result_of(EXAMPLES / "edge-cases/carried-state.yaml")
    assert isinstance(result.verdict, Lossless)
    assert not result.round_identity_holds


def test_a_fault_beyond_the_horizon_of_the_file_is_found() -> None:
    verdict = result_of(EXAMPLES / "wrong-rules/bonus-from-the-row-before.yaml").verdict
    assert isinstance(verdict, Lossy)
    assert verdict.lossless_to == 2
    assert len(verdict.counterexample.tokens) == 3


@pytest.mark.parametrize("model", MODELS, ids=name_of)
def test_each_edge_case_is_shown_in_the_docs_with_its_output(model: Path) -> None:
    shown = (ROOT / "docs/edge-cases.md").read_text("utf-8")
    assert model.parent.name != "edge-cases" or f"examples/{name_of(model)}" in shown


@pytest.mark.parametrize("rule", functions_of(EXAMPLES / "rules/faulty.py"))
def test_each_faulty_rule_is_shown_in_the_docs_with_its_message(rule: str) -> None:
    assert f"rules/faulty.py:{rule} " in (ROOT / "docs/edge-cases.md").read_text("utf-8")


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_model_of_the_corpus_has_its_folder_as_verdict_and_this_report(
    file: Path, exactspec: Callable, golden: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    ran = exactspec("check", file.name, "--allow-rules")
    assert check(load(file.name), allow_rules=True).verdict.word == file.parent.name
    golden(file.with_suffix(".out"), ran.err + ran.out + f"exit code {ran.code}\n")
