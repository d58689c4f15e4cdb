"""``exactspec audit``: verdicts and exit codes, the report, what can't be audited, adapters."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from exactspec.audit import adapters as shelf
from exactspec.audit.audited import Audited
from exactspec.audit.program import Program
from exactspec.audit.report import Request, Trial, tried
from exactspec.audit.world import LEVELS
from exactspec.cli.options import Level
from exactspec.model.load import load

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
THEORY = ROOT / "examples/theory.yaml"
Exactspec = Callable[..., object]


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def sampler(name: str) -> str:
    return f"tests/audit/samplers.py:{name}"


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Writes a sampler of a few lines, and names it for the command."""

    def write(body: str, head: str = "", arguments: str = "block") -> str:
        file = tmp_path / "mine.py"
        lines = "\n    ".join(body.split("\n"))
        file.write_text(f"import random\n{head}\ndef mine({arguments}):\n    {lines}\n", "utf-8")
        return f"{file}:mine"

    return write


@pytest.mark.parametrize(
    ("name", "golden_file", "code"),
    [("right", "right.out", 0), ("target_instead_of_residual", "wrong.out", 1)],
)
def test_the_report_is_the_expected_one(
    name: str, golden_file: str, code: int, exactspec: Exactspec, golden: Callable
) -> None:
    ran = exactspec("audit", sampler(name))
    assert (ran.code, ran.err) == (code, "")
    golden(HERE / golden_file, ran.out)
    assert max(map(len, ran.out.split("\n"))) <= 80


def test_two_audits_print_the_same_bytes(exactspec: Exactspec) -> None:
    for form in ("text", "json"):
        runs = {
            exactspec("audit", sampler("target_instead_of_residual"), "--format", form).out
            for _ in range(2)
        }
        assert len(runs) == 1


def test_colour_is_written_where_it_is_wanted(
    exactspec: Exactspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("audit", sampler("right"), "--tables", THEORY)
    assert "\x1b" in exactspec(*command, "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in exactspec(*command).out


def test_the_json_document_has_the_figures_as_fractions(exactspec: Exactspec) -> None:
    command = ("audit", sampler("target_instead_of_residual"), "--tables", THEORY)
    ran = exactspec(*command, "--format", "json", "--rows", 1)
    document = json.loads(ran.out)
    (tables,) = document["tables"]
    assert (ran.code, document["verdict"]["word"], document["verdict"]["lossy"]) == (1, "lossy", 1)
    assert tables["file"] == str(THEORY)
    assert tables["rule"]["verdict"]["word"] == "lossless"
    assert (tables["total_variation"], tables["crash"]) == ("25/288", "0")
    assert len(tables["rows"]) == 1 < tables["deviations"]


def test_the_rule_and_the_code_are_judged_side_by_side(exactspec: Exactspec) -> None:
    ran = exactspec("audit", sampler("target_instead_of_residual"), "--tables", THEORY)
    assert "The rule token_level is lossless on these tables;\nthe code deviates at (" in ran.out
    wrong = f"{ROOT}/examples/rules/wrong.py:target_instead_of_residual"
    ran = exactspec("audit", sampler("right"), "--tables", THEORY, "--rule", wrong)
    assert ran.code == 0
    expected = (
        "The rule target_instead_of_residual is lossy on these tables;\nthe code is lossless."
    )
    assert expected in ran.out


def test_a_rule_file_that_the_tables_name_runs_only_where_that_is_allowed(
    exactspec: Exactspec,
) -> None:
    model = "examples/wrong-rules/target-instead-of-residual.yaml"
    command = ("audit", sampler("right"), "--tables", model)
    ran = exactspec(*command)
    assert ran.code == 2
    assert "error[rule-not-allowed]" in ran.err
    ran = exactspec(*command, "--allow-rules")
    assert ran.code == 0
    assert "is lossy on these tables;\nthe code is lossless." in ran.out


def test_the_draft_length_is_that_of_the_tables_or_as_asked_for(exactspec: Exactspec) -> None:
    command = ("audit", sampler("right"), "--tables", THEORY, "--format", "json")
    for options, drafts in (((), 2), (("--drafts", 1), 1), (("--drafts", 0), 0)):
        tables = json.loads(exactspec(*command, *options).out)["tables"][0]
        assert (tables["draft_length"], tables["length"]) == (drafts, drafts + 1)


def test_tables_can_be_named_several_times(exactspec: Exactspec) -> None:
    command = ("audit", sampler("right"), "--tables", "default", "--tables", THEORY)
    document = json.loads(exactspec(*command, "--format", "json").out)
    assert [tables["file"] for tables in document["tables"]] == [None] * 10 + [str(THEORY)]


def test_tables_with_a_parameter_need_a_value(exactspec: Exactspec) -> None:
    model = "examples/parameters/open-target.yaml"
    ran = exactspec("audit", sampler("right"), "--tables", model)
    assert ran.code == 2
    assert "error[parameter-open]" in ran.err
    assert exactspec("audit", sampler("right"), "--tables", model, "--at", "t=1/2").code == 0


def test_a_whole_loop_is_audited_to_a_length(exactspec: Exactspec, program: Callable) -> None:
    body = (
        "ids = ()\n"
        "while len(ids) < length and tables.end not in ids:\n"
        "    row = tables.target(tables.context + ids)\n"
        "    ids += (random.choices(range(tables.size), row)[0],)\n"
        "return ids"
    )
    name = program(body, arguments="tables, length, drafts")
    ran = exactspec("audit", name, "--length", 2, "--tables", THEORY)
    assert ran.code == 0
    assert "compared to 2 tokens" in ran.out


def test_a_budget_that_is_reached_is_undecided(exactspec: Exactspec) -> None:
    ran = exactspec("audit", sampler("right"), "--max-replays", 10)
    assert ran.code == 3
    assert "UNDECIDED for 9 of 10 pairs of tables" in ran.out
    assert "the program was run 10 times" in ran.out
    ran = exactspec("audit", sampler("right"), "--max-replays", 10, "--format", "json")
    tables = json.loads(ran.out)["tables"]
    assert {t["verdict"]["word"] for t in tables} == {"lossless", "undecided"}


def test_a_program_without_an_end_is_undecided(exactspec: Exactspec, program: Callable) -> None:
    name = program("while True:\n    pass")
    ran = exactspec("audit", name, "--tables", THEORY, "--timeout", 0.01)
    assert ran.code == 3
    assert "seconds are over" in ran.out


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_program_that_catches_everything_can_be_stopped(
    number: str, code: int, exactspec: Exactspec, program: Callable
) -> None:
    stop = f"signal.raise_signal(signal.{number})"
    body = f"try:\n    {stop}\nexcept BaseException:\n    pass\nreturn [0]"
    ran = exactspec("audit", program(body, "import signal"), "--tables", THEORY)
    assert (ran.code, ran.out) == (code, "")


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_the_second_signal_ends_a_program_that_never_does(
    number: str, code: int, tmp_path: Path
) -> None:
    stop = f"try:\n        signal.raise_signal(signal.{number})\n    except BaseException:\n        pass"
    file = tmp_path / "never.py"
    file.write_text(f"import signal\ndef step(block):\n  while True:\n    {stop}\n", "utf-8")
    command = [sys.executable, "-m", "exactspec", "audit", f"{file}:step"]
    ran = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (code, b"")


def test_floats_bound_what_they_do_not_decide(exactspec: Exactspec) -> None:
    ran = exactspec("audit", sampler("right"), "--level", "float")
    assert ran.code == 3
    assert "rounding may account for ~ 3.815e-6." in ran.out
    wrong = sampler("target_instead_of_residual")
    assert exactspec("audit", wrong, "--level", "float").code == 1


def test_a_crash_is_shown_with_its_probability_and_its_text_as_escapes(
    exactspec: Exactspec, program: Callable
) -> None:
    body = 'if random.random() < 0.25:\n    raise IndexError("\\x1b[31m red")\nreturn [0, 0, 0]'
    ran = exactspec("audit", program(body), "--tables", THEORY)
    assert ran.code == 1
    assert "crash probability           1/4 (= 0.25)" in ran.out
    assert "\n1/4  IndexError: \\x1b[31m red\n" in ran.out


def test_a_long_exception_is_folded(exactspec: Exactspec, program: Callable) -> None:
    ran = exactspec("audit", program(f"raise IndexError('{'word ' * 40}')"), "--tables", THEORY)
    assert max(map(len, ran.out.split("\n"))) <= 80


def test_what_the_program_prints_stays_out_of_the_report(
    exactspec: Exactspec, program: Callable
) -> None:
    body = "print('from the program')\nreturn random.choices(range(3), block.target_rows[0])"
    ran = exactspec("audit", program(body), "--tables", THEORY, "--format", "json")
    assert ran.code == 0
    assert json.loads(ran.out)["verdict"]["word"] == "lossless"
    assert "from the program" in ran.err


def test_long_rationals_are_shortened(exactspec: Exactspec, program: Callable) -> None:
    body = "return [int(random.random() < 1 / 3**60)] * 3"
    ran = exactspec("audit", program(body), "--tables", THEORY, "--level", "float")
    assert ran.code == 1
    assert max(map(len, ran.out.split("\n"))) <= 80


def test_seconds_are_told_on_stderr_where_asked_for(exactspec: Exactspec) -> None:
    ran = exactspec("audit", sampler("right"), "--tables", THEORY, "--time")
    assert re.fullmatch(r"exactspec: \d+\.\d seconds\n", ran.err)


UNLOADABLE = {
    "mine.py": "no function is named",
    "no_such_file.py:mine": "the file can't be read",
    "no_such_module_at_all:mine": "there is no module no_such_module_at_all",
    "samplers_broken:mine": "samplers_broken.py:2:5: error[audit-unloadable]",
    "samplers_broken.py:mine": "samplers_broken.py:2:5: error[audit-unloadable]",
    "samplers_raising:mine": "samplers_raising.py:2:1: error[audit-unloadable]",
    "samplers_raising.py:mine": "samplers_raising.py:2:1: error[audit-unloadable]",
    "samplers_exiting:mine": "raised SystemExit",
    "samplers_exiting.py:mine": "raised SystemExit",
    "samplers_good.py:meine": "did you mean mine?",
    "samplers_good:number": "number is of type int, not a function",
    "samplers_good:Sampler": "Sampler is a class, not a function",
    ".samplers_good:mine": "a module is named from its package on",
}


@pytest.mark.parametrize("reference", UNLOADABLE)
def test_a_program_that_can_not_be_loaded_is_bad_input(
    reference: str, exactspec: Exactspec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "samplers_broken": "import random\nx = = 1\n",
        "samplers_raising": "import random\nrandom.nothing\n",
        "samplers_exiting": "import sys\nsys.exit(7)\n",
        "samplers_good": "number = 1\ndef mine(block):\n    return [0]\nclass Sampler:\n    pass\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
        sys.modules.pop(name, None)
    ran = exactspec("audit", reference)
    assert ran.code == 2
    assert "error[audit-unloadable]" in ran.err
    assert UNLOADABLE[reference] in ran.err
    assert "Traceback" not in ran.err


def test_a_module_of_the_current_folder_is_found(
    exactspec: Exactspec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samplers_here.py").write_bytes((HERE / "samplers.py").read_bytes())
    before = list(sys.path)
    ran = exactspec("audit", "samplers_here:right", "--tables", THEORY, "--format", "json")
    assert ran.code == 0
    assert json.loads(ran.out)["program"]["file"] == "samplers_here.py"
    assert sys.path == before


def test_errors_are_in_the_json_document_too(exactspec: Exactspec) -> None:
    ran = exactspec("audit", "no_such_file.py:mine", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"]["word"]) == (2, "error")
    assert document["diagnostics"][0]["code"] == "audit-unloadable"
    assert document["program"] == "no_such_file.py:mine"


FAULTS = {
    "audit-no-rule": "return [int(random.gauss(0, 1))]",
    "audit-not-token-ids": "return 'abc'",
    "audit-exit": "raise SystemExit(3)",
}
NOT_TOKEN_IDS = ["return {0}", "return {0: 1}", "yield 0", "return map(int, '0')", "pass"]


@pytest.mark.parametrize("body", NOT_TOKEN_IDS)
def test_what_has_no_order_is_no_sequence_of_token_ids(
    body: str, exactspec: Exactspec, program: Callable
) -> None:
    ran = exactspec("audit", program(body), "--tables", THEORY)
    assert ran.code == 2
    assert "error[audit-not-token-ids]: the program returned " in ran.err
    assert " at 0x" not in ran.err


def test_a_coroutine_is_no_sequence_of_token_ids(exactspec: Exactspec, program: Callable) -> None:
    ran = exactspec("audit", program("return draft()", head="async def draft(): return [0]"))
    assert ran.code == 2
    assert "the program returned an object of type coroutine" in ran.err
    assert "never awaited" not in ran.err


@pytest.mark.parametrize("code", FAULTS)
def test_a_program_that_has_no_law_is_bad_input(
    code: str, exactspec: Exactspec, program: Callable
) -> None:
    ran = exactspec("audit", program(FAULTS[code]), "--tables", THEORY)
    assert ran.code == 2
    assert f"error[{code}]" in ran.err


@pytest.mark.parametrize("given", [(), (sampler("right"), "--adapter", "transformers")])
def test_one_program_must_be_named(given: tuple[str, ...], exactspec: Exactspec) -> None:
    ran = exactspec("audit", *given)
    assert ran.code == 2
    assert "error[audit-one-program]" in ran.err


@pytest.mark.parametrize("options", [(), ("--length", 2)])
def test_the_arguments_of_a_program_are_checked(
    options: tuple[object, ...], exactspec: Exactspec, program: Callable
) -> None:
    ran = exactspec("audit", program("return [0]", arguments="a, b"), *options)
    assert ran.code == 2
    assert "error[audit-arguments]" in ran.err
    assert "mine.py:3:" in ran.err


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts an adapter on the shelf."""

    def write(name: str, package: str, versions: tuple[str, ...]) -> None:
        text = f'"""Nothing."""\nPACKAGE = "{package}"\nVERSIONS = {versions}\n'
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
        monkeypatch.setattr(shelf, "__path__", [str(tmp_path)])

    return write


def test_an_adapter_that_is_not_there_is_bad_input(exactspec: Exactspec) -> None:
    ran = exactspec("audit", "--adapter", "transfomers")
    assert ran.code == 2
    assert "error[audit-adapter-unknown]: there is no adapter transfomers" in ran.err
    assert "did you mean transformers?" in ran.err


def test_an_adapter_needs_its_package(exactspec: Exactspec, adapter: Callable) -> None:
    adapter("missing", "no-such-package-for-exactspec", ("1.2",))
    ran = exactspec("audit", "--adapter", "missing")
    assert ran.code == 2
    assert "error[audit-adapter-missing]" in ran.err
    assert "hint: pip install no-such-package-for-exactspec==1.2" in ran.err


def test_an_adapter_runs_with_the_versions_that_it_knows(
    exactspec: Exactspec, adapter: Callable
) -> None:
    adapter("aged", "rich", ("0.1", "0.2"))
    ran = exactspec("audit", "--adapter", "aged")
    assert ran.code == 2
    assert "error[audit-adapter-version]" in ran.err
    assert "it was tried with 0.1, 0.2" in ran.err


@pytest.mark.parametrize(
    ("code", "installed", "name", "options"),
    [
        ("audit-adapter-missing", None, "transformers", ()),
        ("audit-adapter-version", "4.40.0", "transformers", ()),
        ("audit-no-loop", "0.3.1", "flashspec", ("--length", 2)),
    ],
)
def test_the_page_on_errors_shows_what_an_adapter_says(
    code: str,
    installed: str | None,
    name: str,
    options: tuple[object, ...],
    exactspec: Exactspec,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def version(package: str) -> str:
        if installed is None:
            raise PackageNotFoundError
        return installed

    monkeypatch.setattr(shelf, "version", version)
    ran = exactspec("audit", "--adapter", name, *options)
    assert ran.code == 2
    page = (ROOT / "docs/errors.md").read_text("utf-8")
    of_the_code = page.partition(f"### `{code}`")[2].partition("\n### ")[0]
    shown = of_the_code.partition("```\n")[2].partition("```")[0].splitlines()
    assert set(shown) <= set(ran.err.splitlines())


LOOP = """\
\"\"\"rich: sequences drawn from the target.\"\"\"
from importlib.metadata import version
PACKAGE = "rich"
VERSIONS = (version("rich"),)
def sequences(tables, length, drafts):
    import random
    ids = ()
    while len(ids) < length and tables.end not in ids:
        ids += (random.choices(range(tables.size), tables.target(tables.context + ids))[0],)
    return ids
"""
STEP = """\
\"\"\"rich: a block drawn from the target.\"\"\"
from importlib.metadata import version
PACKAGE = "rich"
VERSIONS = (version("rich"),)
def step(block):
    import random
    return random.choices(range(block.vocabulary_size), block.target_rows[0])
"""


@pytest.fixture
def two_adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_trial_loop.py").write_text(LOOP, "utf-8")
    (tmp_path / "a_trial_step.py").write_text(STEP, "utf-8")
    (tmp_path / "a_trial_helper.py").write_text('"""No adapter."""\n', "utf-8")
    monkeypatch.setattr(shelf, "__path__", [str(tmp_path)])


@pytest.mark.usefixtures("two_adapters")
def test_adapters_are_audited_without_a_function(exactspec: Exactspec) -> None:
    for name, audits in (("a-trial-loop", "loop"), ("a-trial-step", "step")):
        ran = exactspec("audit", "--adapter", name, "--tables", THEORY, "--format", "json")
        document = json.loads(ran.out)
        assert (ran.code, document["audits"]) == (0, audits)
        assert document["program"]["package"].startswith("rich ")
    ran = exactspec("audit", "--adapter", "a-trial-step", "--length", 2)
    assert ran.code == 2
    assert "error[audit-no-loop]" in ran.err


@pytest.mark.usefixtures("two_adapters")
def test_adapters_are_listed(exactspec: Exactspec) -> None:
    ran = exactspec("audit", "--list-adapters")
    assert ran.code == 0
    assert "a-trial-loop\n  rich: sequences drawn from the target.\n  rich " in ran.out
    listed = json.loads(exactspec("audit", "--list-adapters", "--format", "json").out)["adapters"]
    assert [(one["name"], one["step"], one["loop"]) for one in listed] == [
        ("a-trial-loop", False, True),
        ("a-trial-step", True, False),
    ]


def test_what_is_shipped_can_be_listed(exactspec: Exactspec) -> None:
    ran = exactspec("audit", "--list-adapters")
    assert ran.code == 0
    assert "transformers\n" in ran.out


def test_adapters_are_listed_without_their_packages() -> None:
    program = "import sys\nfrom exactspec.audit.adapters import adapters\nassert adapters()\n"
    program += "assert not {'torch', 'numpy', 'transformers'} & set(sys.modules)\n"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_levels_of_the_command_are_those_of_the_audit() -> None:
    assert tuple(Level) == LEVELS


def test_a_trial_counts_the_runs_for_a_person_who_waits() -> None:
    seen: list[int] = []
    program = Program("mine", lambda block: [0, 0, 0], None)
    trial = tried(program, load(str(THEORY)), Request(drafts=1), seen.append)
    assert isinstance(trial, Trial)
    assert isinstance(trial.found, Audited)
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) >= trial.found.law.replays
