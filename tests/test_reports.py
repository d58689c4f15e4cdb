"""Public reports as toys: each run has the law, the distance and the verdict that its record states.

The records are in ``corpus/reports.yaml``; the rules and models in ``examples/reports``. A law is
never only written down: the reference enumerates the same rule on the toy and on generated tables.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import reference
import yaml

from exactspec import Distribution, Model, Result, Scenario, check, load
from exactspec.text import fraction_text

HERE = Path(__file__).parent
ROOT = HERE.parent
REPORTS = ROOT / "examples/reports"
OVERVIEW = REPORTS / "README.md"
RECORDS: dict[str, dict[str, dict[str, str]]] = yaml.load(
    (HERE / "corpus/reports.yaml").read_text("utf-8"), yaml.BaseLoader
)
RUNS = [f"{report}/{run}" for report, runs in RECORDS.items() for run in runs]
TABLES = 2
_TABLE = re.compile(r"(<!-- table: (b\d\d) to (b\d\d) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def model_of(run: str) -> Path:
    return REPORTS / f"{run}.yaml"


def record_of(run: str) -> dict[str, str]:
    report, _, name = run.partition("/")
    return RECORDS[report][name]


@cache
def result_of(run: str) -> Result:
    return check(load(str(model_of(run))), allow_rules=True)


def law_in(text: str) -> dict[str, Fraction]:
    """The law that ``AB 1/4, B 3/4`` states: sequences of tokens of one letter, or ``<nan>``."""
    words = (entry.rsplit(" ", 1) for entry in text.split(", "))
    return {output: Fraction(mass) for output, mass in words}


def listed(result: Result, column: str) -> dict[str, Fraction]:
    assert result.listing is not None
    masses = {"".join(map(str, o.tokens)): getattr(o, column) for o in result.listing}
    return {output: mass for output, mass in masses.items() if mass}


@pytest.mark.parametrize("run", RUNS)
def test_a_run_has_the_law_the_distance_and_the_verdict_of_its_record(run: str) -> None:
    record, result = record_of(run), result_of(run)
    assert result.listing is not None
    assert listed(result, "got") == law_in(record.get("law", record["wanted"]))
    assert listed(result, "want") == law_in(record["wanted"])
    assert result.listing.total_variation == Fraction(record.get("tv", "0"))
    assert result.verdict.word == ("lossy" if "tv" in record else "lossless")
    assert result.scenario.expect == result.verdict.word


@pytest.mark.parametrize("run", [run for run in RUNS if "accepted" in record_of(run)])
def test_a_run_accepts_as_many_drafts_as_its_record_says(run: str) -> None:
    assert result_of(run).round_figures[0].mean_accepted == Fraction(record_of(run)["accepted"])


def reference_rule(result: Result) -> reference.Rule:
    if result.rule.file is not None:
        return reference.rules_in(Path(result.rule.file))[result.rule.name]
    file = ROOT / "exactspec/algorithms" / f"{result.rule.name}.py"
    return reference.rules_in(file)[result.rule.name]


def law_by_the_reference(result: Result, scenario: Scenario) -> dict[str, Fraction]:
    horizon = scenario.horizon
    assert horizon is not None
    run = reference.run(reference_rule(result), reference.setting_of(scenario), horizon)
    return {"".join(map(str, output)): mass for output, mass in run.law.items() if mass}


@pytest.mark.parametrize("run", RUNS)
def test_the_reference_finds_the_same_law_on_the_toy(run: str) -> None:
    result = result_of(run)
    if "transform:" in model_of(run).read_text("utf-8"):
        pytest.skip("the reference knows no steps of a model file; generated tables have none")
    assert law_by_the_reference(result, result.scenario) == listed(result, "got")


def generated(scenario: Scenario, seed: str) -> Scenario:
    """The same model with other rows: every token has a probability, and what is wanted is the target's."""
    random = Random(seed)

    def table(model: Model) -> Model:
        weights = {key: [random.randint(1, 9) for _ in scenario.vocabulary] for key in model.rows}
        rows = {
            key: Distribution.normalised(dict(zip(scenario.vocabulary, row, strict=True)))
            for key, row in weights.items()
        }
        return Model(rows, name=model.name, end=model.end)

    target, draft = table(scenario.target), table(scenario.draft)
    return replace(scenario, target=target, draft=draft, wanted="target", expect=None)


@pytest.mark.parametrize("run", RUNS)
def test_the_reference_finds_the_same_law_on_generated_tables(run: str) -> None:
    result = result_of(run)
    for number in range(TABLES):
        scenario = generated(result.scenario, f"{run} {number}")
        law = listed(check(scenario, result.rule), "got")
        assert law == law_by_the_reference(result, scenario)
        assert sum(law.values()) == 1


def test_every_model_of_the_reports_has_a_record() -> None:
    models = {m.relative_to(REPORTS).with_suffix("").as_posix() for m in REPORTS.rglob("*.yaml")}
    assert models == set(RUNS)


def test_all_63_reports_with_a_toy_are_there() -> None:
    assert len(RECORDS) == 63
    assert {path.name for path in REPORTS.iterdir() if path.is_dir()} == set(RECORDS)


@pytest.mark.parametrize("report", RECORDS)
def test_every_rule_of_a_report_is_run(report: str) -> None:
    written = set(reference.rules_in(REPORTS / report / "rules.py"))
    assert written == {
        result_of(f"{report}/{run}").rule.name
        for run in RECORDS[report]
        if result_of(f"{report}/{run}").rule.file is not None
    }


@pytest.mark.parametrize("report", RECORDS)
def test_a_rule_with_its_helpers_is_below_60_lines(report: str) -> None:
    assert len((REPORTS / report / "rules.py").read_text("utf-8").splitlines()) < 70


def test_one_command_judges_all_of_them(
    exactspec: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    models = sorted(m.relative_to(ROOT).as_posix() for m in REPORTS.rglob("*.yaml"))
    ran = exactspec("check", "--allow-rules", "-q", *models)
    assert ran.code == 0
    assert ran.out.count(", as expected") == len(RUNS)
    assert ran.out.splitlines()[-1] in OVERVIEW.read_text("utf-8")


def about(report: str) -> tuple[str, str, str]:
    """Where a report is, its status and its fault, from the first lines of its rules."""
    source = (REPORTS / report / "rules.py").read_text("utf-8")
    first, fault, *_ = source.split('"""')[1].split("\n\n")
    _, place, status = " ".join(first.split()).split(" · ")
    return place, status, " ".join(fault.split()).replace("|", "\\|")


def overview_rows(report: str) -> str:
    place, status, fault = about(report)
    number = report.partition("_")[0].upper()
    rows = []
    for run in RECORDS[report]:
        result = result_of(f"{report}/{run}")
        assert result.listing is not None
        command = f"`exactspec check --allow-rules examples/reports/{report}/{run}.yaml`"
        distance = fraction_text(result.listing.total_variation)
        what = f"**[{number}]({report}/rules.py)** {place}; {status}", fault
        cells = (*(("", "") if rows else what), command, str(result.verdict.word), distance)
        rows.append(f"| {' | '.join(cells)} |\n")
    return "".join(rows)


def overview_table(first: str, last: str) -> str:
    names = ("report; status", "fault", "command", "verdict", "TV")
    head = f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n"
    inside = (report for report in RECORDS if first <= report[:3] <= last)
    return head + "".join(map(overview_rows, inside))


def test_the_overview_says_what_runs_say(request: pytest.FixtureRequest) -> None:
    written = OVERVIEW.read_text("utf-8")
    current = _TABLE.sub(lambda m: m[1] + overview_table(m[2], m[3]) + m[5], written)
    if request.config.getoption("--overwrite-golden"):
        OVERVIEW.write_text(current, "utf-8")
    else:
        assert written == current, "run: make golden"
    assert all(f"]({report}/rules.py)" in current for report in RECORDS)
