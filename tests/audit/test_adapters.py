"""What the adapters find in published packages, exactly; the gallery page shows the same figures.

Each package is skipped where it is not installed in a version that its adapter knows:
``pip install --no-deps -r tests/audit/packages.txt`` installs them all.
"""

import logging
import re
import sys
from collections.abc import Sequence
from fractions import Fraction as F  # noqa: N817
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from test_docs import as_printed, printed, runs_of

from exactspec import Scenario, audit, load
from exactspec.audit import adapters as shelf
from exactspec.audit.adapters import adapted, adapters
from exactspec.audit.audited import Audited, Outcome
from exactspec.audit.law import Exploration, law_of
from exactspec.audit.program import Program
from exactspec.errors import AuditError, Fault

pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "examples/audit/tables"
GALLERY = ROOT / "docs/audit-gallery.md"
RUNS = [
    run
    for block in re.findall(
        r"^```text\n(.*?)^```$", GALLERY.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    for run in runs_of(block)
]
_COUNTS = re.compile(r"^\| (`[a-z].*?`) \|.*\| ([\d, ]+) \|$", re.MULTILINE)
PORTFOLIO = {scenario.title: scenario for scenario in audit.portfolio()}
SOME = ("rows that depend on the prefix", "zeros in the target", "an end token")
WITH_KERNELS = ("lmdeploy-triton", "sglang-chain", "sglang-chain-block", "vllm", "vllm-seeded")
NOT_RUN = (*WITH_KERNELS, "lmdeploy", "sglang-dspark", "sglang-uno")
TINY = F(1, 10**9)
"""More than what is moved by 1e-10, which some packages add to a denominator."""


@pytest.fixture(autouse=True)
def _quiet_libraries() -> None:
    logging.getLogger("transformers").setLevel(logging.ERROR)


def program(name: str) -> Program:
    """What an adapter audits; the test is skipped where its package can't be."""
    if name.endswith("-mlx"):
        pytest.importorskip("mlx_lm" if name == "dflash-mlx" else "mlx")
    try:
        return adapted(name)
    except AuditError as error:
        pytest.skip(str(error))


def audited(name: str, tables: str | Scenario, length: int | None = None) -> Audited:
    """An adapter's verdict on tables of the portfolio or of a file; of the loop where a length is given."""
    found = program(name)
    if isinstance(tables, str):
        tables = PORTFOLIO.get(tables) or load(str(TABLES / f"{tables}.yaml"))
    if found.step is not None and length is None:
        return audit.step(found.step, tables)
    loop, shown, drafts = found.loop, audit.Tables(tables), tables.draft_length
    assert loop is not None
    length = length or drafts + 1
    return audit.sequences(lambda: loop(shown, length, drafts), tables, length)


def counted_runs() -> dict[str, int]:
    """How often each lossless adapter runs on the first tables, as the gallery says."""
    counts: dict[str, int] = {}
    for names, numbers in _COUNTS.findall(GALLERY.read_text("utf-8")):
        each = re.findall(r"`(.*?)`", names)
        runs = [int(number) for number in numbers.split(", ")]
        counts |= dict(zip(each, runs if len(runs) > 1 else runs * len(each), strict=True))
    return counts


def token_law(verdict: Audited, place: int) -> dict[Outcome, F]:
    """The law of the token at a place."""
    law: dict[Outcome, F] = {}
    for outcome, mass in verdict.got.items():
        assert isinstance(outcome, tuple)
        law[outcome[place]] = law.get(outcome[place], F(0)) + mass
    return law


def is_near(law: dict[Outcome, F], row: Sequence[F]) -> bool:
    """Whether a law is a row up to what a package adds to its denominators."""
    return all(abs(law.get(token, F(0)) - mass) < TINY for token, mass in enumerate(row))


@pytest.mark.parametrize("tables", PORTFOLIO)
def test_speculative_sampling_of_transformers_is_lossless_with_error_0(tables: str) -> None:
    verdict = audited("transformers", tables)
    assert verdict.word == "lossless"
    assert (verdict.law.notes, verdict.total_variation) == ((), 0)


@pytest.mark.parametrize("tables", PORTFOLIO)
def test_generate_with_an_assistant_model_is_lossless_with_error_0(tables: str) -> None:
    verdict = audited("transformers", tables, length=3)
    if tables == SOME[0]:
        assert verdict.law.replays == counted_runs()["transformers --length 3"]
    assert verdict.word == "lossless"
    assert (verdict.law.notes, verdict.total_variation) == ((), 0)


@pytest.mark.parametrize("tables", SOME)
@pytest.mark.parametrize(
    "name",
    [
        "transformers-confidence",
        "transformers-schedule",
        "transformers-prompt-lookup",
        "flashspec",
        "flashspec-sample",
        "economize",
        "economize-batch",
        "economize-tree",
        "dflash",
        "dflash-mlx",
        "litgpt",
        "mini-infer",
        "specdec",
        "eagle-llm",
        "seqspecdecod-standard",
        "seqspecdecod-naive",
    ],
)
def test_lossless_with_error_0(name: str, tables: str) -> None:
    verdict = audited(name, tables)
    assert verdict.word == "lossless"
    if tables == SOME[0]:
        assert verdict.law.replays == counted_runs()[name]


def test_the_noise_of_lucidrains_is_bounded_away_from_0_and_nothing_else_is_off() -> None:
    verdict = audited("lucidrains", "two tokens")
    assert (verdict.word, verdict.total_variation) == ("undecided", 0)
    assert verdict.law.uncertainty < F(1, 10**18)


def test_dspark_computes_with_floats_of_its_own() -> None:
    verdict = audited("dspark-mlx", "rows that depend on the prefix")
    assert verdict.word == "undecided"
    assert 0 < verdict.total_variation < F(1, 10**15)


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("transformers", "an end token"),
        ("transformers-schedule", "two tokens"),
        ("transformers-confidence", "two tokens"),
        ("transformers-gemma4-assistant", "two tokens"),
        ("lucidrains", "two tokens"),
    ],
)
def test_a_loop_followed_once_from_each_state_has_the_law_of_all_its_runs(
    name: str, tables: str
) -> None:
    loop, scenario = program(name).loop, PORTFOLIO[tables]
    assert loop is not None
    merged, whole = (
        law_of(lambda: loop(audit.Tables(scenario), 3, 2), Exploration(merge=merge))
        for merge in (True, False)
    )
    assert merged.masses == whole.masses
    assert merged.replays <= whole.replays


def test_the_gemma_4_assistant_of_transformers_judges_its_likeliest_tokens_as_drawn_ones() -> None:
    verdict = audited("transformers-gemma4-assistant", "perfect-draft", length=3)
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 2))
    assert token_law(verdict, 1) == {2: 1}
    verdict = audited("transformers-gemma4-assistant", "even-target", length=3)
    assert token_law(verdict, 1) == {0: F(3, 4), 1: F(1, 4)}


def test_the_residual_of_rotalabs_accel_subtracts_the_draft_at_one_token() -> None:
    verdict = audited("rotalabs-accel", "residual-of-one-token")
    assert verdict.word == "lossy"
    assert is_near(token_law(verdict, 0), (F(5, 12), F(1, 4), F(1, 3)))
    verdict = audited("rotalabs-accel-core", "residual-of-one-token")
    assert is_near(token_law(verdict, 0), (F(5, 12), F(1, 4), F(1, 3)))


def test_the_residual_of_eagle_verify_subtracts_one_number_everywhere() -> None:
    verdict = audited("rotalabs-accel-eagle", "sure-draft")
    assert token_law(verdict, 0) == {0: F(5, 8), 1: F(1, 8), 2: F(1, 4)}


def test_the_bonus_token_of_rotalabs_accel_is_the_likeliest_one() -> None:
    verdict = audited("rotalabs-accel-eagle", "perfect-draft")
    assert token_law(verdict, 1) == {2: 1}
    verdict = audited("rotalabs-accel-core", "perfect-draft")
    assert is_near(token_law(verdict, 1), (F(0), F(0), F(1)))


def test_the_bonus_token_of_eagle_llm_ignores_the_temperature() -> None:
    assert audited("eagle-llm", "at-half-temperature").word == "lossless"
    verdict = audited("eagle-llm-temperature", "at-half-temperature")
    assert (verdict.word, verdict.total_variation) == ("lossy", F(2, 15))
    assert verdict.got[0, 0] == F(8, 15)
    assert verdict.got[0, 1] == F(4, 15)


def test_a_rejection_of_litgpt_with_top_p_raises_an_exception() -> None:
    assert audited("litgpt", "rare-rejection").word == "lossless"
    verdict = audited("litgpt-top-p", "rare-rejection")
    assert (verdict.word, verdict.crash) == ("lossy", F(27, 196))
    assert {raised.type for raised in verdict.law.crashes} == {"RuntimeError"}


def test_capped_hsd_step_of_sequential_speculative_decoding_follows_the_draft() -> None:
    verdict = audited("seqspecdecod-capped", "mirrored-draft")
    assert (verdict.word, verdict.total_variation) == ("lossy", F(5, 16))
    assert token_law(verdict, 0) == {0: F(1, 2), 1: F(1, 4), 2: F(1, 4)}
    assert audited("seqspecdecod-capped", "zeros in the target").impossible > 0
    assert audited("seqspecdecod-capped", "a draft that is certain").crash == F(11, 16)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.command.split()[3])
def test_a_command_of_the_gallery_prints_what_it_shows(run, exactspec, monkeypatch) -> None:
    program(run.command.split()[3])
    monkeypatch.chdir(ROOT)
    assert list(run.shown) == as_printed(run.shown, printed(run.command, exactspec))


def test_every_adapter_says_what_it_audits_and_in_which_versions() -> None:
    for adapter in adapters():
        assert adapter.about.endswith((".", "tests.")), adapter.name
        assert adapter.versions
        assert adapter.step or adapter.sequences


def test_the_adapters_that_no_test_runs_say_so_and_so_does_the_gallery() -> None:
    about = {adapter.name: adapter.about for adapter in adapters()}
    assert {name for name in about if "not run by" in about[name]} == set(NOT_RUN)
    section = GALLERY.read_text("utf-8").partition("## Adapters that the tests do not run")[2]
    assert set(re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)) == set(NOT_RUN)


def code_of(name: str) -> str:
    """The code of the error that an adapter ends in."""
    try:
        step = adapted(name).step
    except AuditError as error:
        return error.diagnostics[0].code
    assert step is not None
    with pytest.raises(Fault) as refused:
        audit.step(step, PORTFOLIO["two tokens"])
    return refused.value.diagnostic.code


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Packages that seem to be installed, and can't be imported."""
    versions = {adapter.package: adapter.versions[0] for adapter in adapters()}
    monkeypatch.setattr(shelf, "version", versions.__getitem__)
    for package in ("lmdeploy", "sglang", "vllm"):
        monkeypatch.delitem(sys.modules, package, raising=False)
        (tmp_path / f"{package}.py").write_text("import no_such_module", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("name", NOT_RUN)
def test_an_adapter_without_its_package_is_an_error(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(shelf, "version", missing)
    assert code_of(name) == "audit-adapter-missing"
    monkeypatch.setattr(shelf, "version", lambda package: "0.0.1")
    assert code_of(name) == "audit-adapter-version"


@pytest.mark.parametrize("name", WITH_KERNELS)
@pytest.mark.usefixtures("installed")
def test_an_adapter_of_kernels_needs_the_interpreter(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    assert code_of(name) == "audit-no-interpreter"


@pytest.mark.parametrize("name", NOT_RUN)
@pytest.mark.usefixtures("installed")
def test_a_package_that_can_not_be_imported_is_no_lossy_sampler(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert code_of(name) == "audit-adapter-import"
