"""How the program behaves as a process: every ending has its own exit code, every report is whole."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from exactspec.errors import ExitCode
from exactspec.render.output import use_colour, width_of

ROOT = Path(__file__).parent.parent
EXACTSPEC = [sys.executable, "-m", "exactspec"]
PARAMETERS = "chance, target, draft, context, *, draft_length"
MODEL = """\
version: 1
vocabulary: [a, b]
draft_length: 2
horizon: 3
target: {a: 1/3, b: 2/3}
draft: {a: 1/2, b: 1/2}
"""
WRONG = f"""\
def wrong({PARAMETERS}):
    return (chance.draw(draft(context), "unverified"),)
"""
SLOW = f"""\
import sys, time
def slow({PARAMETERS}):
    print("started", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a model and three rules in it."""
    monkeypatch.chdir(tmp_path)
    files = {
        "m.yaml": MODEL,
        "lossy.yaml": MODEL + "algorithm: wrong.py:wrong\n",
        "bad.yaml": MODEL.replace("1/3", "1/4"),
        "wrong.py": WRONG,
        "slow.py": SLOW,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **changes}


def start(*arguments: str, out: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """A running program that Ctrl-C reaches, also where the tests run in a shell's background."""
    return subprocess.Popen(
        [*EXACTSPEC, *arguments],
        stdout=out,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def run(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*EXACTSPEC, *arguments],
        input=stdin,
        capture_output=True,
        env=dict(env) if env is not None else environment(),
        cwd=cwd,
        timeout=60,
        check=False,
    )


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )


# Exit codes


def test_a_crash_is_no_verdict(folder: Path) -> None:
    """Neither in the file that crashed, nor outside of all files."""
    code = """
        import sys, exactspec.cli, exactspec.cli.checking as checking

        def crash(*_, **__):
            raise ValueError("boom")

        setattr(checking, sys.argv[1], crash)
        sys.argv[1:] = ["check", "m.yaml"]
        exactspec.cli.main()
    """
    for name, place in (("check", "m.yaml: "), ("report", "")):
        ran = python(code, name)
        assert (ran.returncode, ran.stdout) == (4, "")
        assert ran.stderr == (
            f"{place}error[internal-error]: ValueError inside exactspec; nothing is proved "
            "(EXACTSPEC_DEBUG=1 shows the traceback)\n"
        )


def test_a_crash_shows_its_traceback_on_request(
    folder: Path, exactspec: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other files are judged all the same."""
    from exactspec.cli import checking

    whole = checking.check

    def crash(scenario: object, *arguments: object, **options: object) -> object:
        if scenario.file == "lossy.yaml":  # type: ignore[attr-defined]
            raise AssertionError("boom")
        return whole(scenario, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "check", crash)
    monkeypatch.setenv("EXACTSPEC_DEBUG", "1")
    ran = exactspec("check", "-q", "m.yaml", "lossy.yaml", "bad.yaml")
    assert ran.code == 4
    assert "Traceback" in ran.err
    assert "AssertionError: boom" in ran.err
    assert "LOSSLESS m.yaml" in ran.out
    assert "ERROR lossy.yaml" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("check", "--help"),
        ("--version",),
        ("schema",),
        ("check", "m.yaml"),
        ("check", "--format", "json", "m.yaml"),
        ("check", "--rule", "wrong.py:wrong", "-q", "m.yaml"),
        ("check", "--rows", "100000", "--lines", "10000", "long.yaml"),
    ],
    ids=" ".join,
)
def test_a_full_disk_and_a_closed_pipe_have_codes_of_their_own(
    arguments: tuple[str, ...], folder: Path
) -> None:
    """Whatever is printed, short or long, and never 0 or 1."""
    (folder / "long.yaml").write_text(MODEL.replace("horizon: 3", "horizon: 11"))
    with open("/dev/full", "wb") as full:
        on_full = start(*arguments, out=full.fileno())
    read_end, write_end = os.pipe()
    os.close(read_end)
    on_closed = start(*arguments, out=write_end)
    os.close(write_end)
    assert on_full.communicate()[1] == (
        b"exactspec: output could not be written: No space left on device\n"
    )
    assert on_full.returncode == 74
    assert on_closed.communicate()[1] == b""
    assert on_closed.returncode == 141


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_stops_after_a_line_ends_the_program_in_silence(
    unbuffered: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    (folder / "long.yaml").write_text(MODEL.replace("horizon: 3", "horizon: 12"))
    program = start("check", "--rows", "100000", "long.yaml")
    assert program.stdout is not None
    assert program.stdout.readline()
    program.stdout.close()
    assert program.stderr is not None
    assert program.stderr.read() == b""
    program.stderr.close()
    assert program.wait(60) == 141


def test_closed_streams_are_no_crash(folder: Path) -> None:
    command = f"{sys.executable} -m exactspec check m.yaml"
    endings = {">&-": 74, "2>&- >/dev/null": 0, "- <&-": 2}
    for closed, code in endings.items():
        ran = subprocess.run(
            ["sh", "-c", f"{command} {closed}"], capture_output=True, check=False, env=environment()
        )
        assert ran.returncode == code, closed
        assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, b"interrupted"), (signal.SIGTERM, 143, b"terminated")],
)
def test_an_interrupted_check_has_its_code_and_leaves_no_file(
    number: signal.Signals, code: int, word: bytes, folder: Path
) -> None:
    (folder / "out.txt").write_text("older")
    before = sorted(os.listdir())
    program = start("check", "--rule", "slow.py:slow", "--output", "out.txt", "m.yaml")
    assert program.stderr is not None
    assert program.stderr.readline() == b"started\n"
    program.send_signal(number)
    assert program.communicate()[1] == b"exactspec: " + word + b"\n"
    assert program.returncode == code
    assert sorted(os.listdir()) == before
    assert (folder / "out.txt").read_text() == "older"


def test_codes_come_from_one_list() -> None:
    """The help and the list name the same codes, and no number stands elsewhere."""
    from exactspec.cli.guard import EXIT_CODES

    assert {int(n) for n in re.findall(r"\b\d+\b", EXIT_CODES)} == {int(code) for code in ExitCode}
    for path in (ROOT / "exactspec/cli").glob("*.py"):
        assert not re.search(r"(sys\.exit|typer\.Exit|os\._exit)\(\d", path.read_text("utf-8"))


def test_the_code_over_several_files_is_the_gravest(folder: Path, exactspec: Callable) -> None:
    """The first of 4, 2, 1, 3, 0; 4 has its own test above."""
    (folder / "undecided.yaml").write_text(
        MODEL.replace("horizon: 3\n", "") + "algorithm: l.py:l\n"
    )
    (folder / "l.py").write_text(
        f"def l({PARAMETERS}):\n    len(context)\n    return (chance.draw(target(context)),)\n"
    )
    kinds = {"m.yaml": 0, "undecided.yaml": 3, "lossy.yaml": 1, "bad.yaml": 2}
    for file, code in kinds.items():
        assert exactspec("check", "-q", "--allow-rules", file).code == code, file
    for graver in range(1, 4):
        files = list(kinds)[: graver + 1]
        code = kinds[files[-1]]
        for order in (files, files[::-1]):
            assert exactspec("check", "-q", "--allow-rules", *order).code == code


def test_exit_zero_turns_lossy_and_nothing_else_into_0(folder: Path, exactspec: Callable) -> None:
    options = ("check", "-q", "--exit-zero", "--allow-rules")
    assert exactspec(*options, "lossy.yaml").code == 0
    assert exactspec(*options, "lossy.yaml", "m.yaml").code == 0
    assert exactspec(*options, "bad.yaml").code == 2
    assert exactspec(*options, "lossy.yaml", "bad.yaml").code == 2
    assert exactspec(*options, "--max-nodes", "9", "m.yaml").code == 3


@pytest.mark.parametrize(
    ("expect", "rule", "code"),
    [
        ("lossless", "token_level", 0),
        ("lossy", "token_level", 1),
        ("undecided", "token_level", 1),
        ("lossless", "wrong.py:wrong", 1),
        ("lossy", "wrong.py:wrong", 0),
    ],
)
def test_an_expected_verdict_decides_the_code(
    expect: str, rule: str, code: int, folder: Path, exactspec: Callable
) -> None:
    (folder / "e.yaml").write_text(MODEL + f"expect: {expect}\nalgorithm: {rule}\n")
    ran = exactspec("check", "-q", "--allow-rules", "e.yaml")
    assert ran.code == code
    assert ran.out.rstrip().endswith("as expected")
    assert ran.out.rstrip().endswith("NOT as expected") == (code == 1)


@pytest.mark.parametrize("arguments", [(), ("--format", "json"), ("-q",), ("--exit-zero",)])
def test_nothing_to_check_is_no_success(arguments: tuple[str, ...], exactspec: Callable) -> None:
    ran = exactspec("check", *arguments)
    assert ran.code == 2
    assert "nothing was checked" in ran.err
    if "json" in arguments:
        assert json.loads(ran.out)["results"] == []


def test_a_folder_without_models_is_no_success(folder: Path, exactspec: Callable) -> None:
    assert exactspec("check", ".").code == 2


@pytest.mark.parametrize(
    "arguments", [("chekc",), ("check", "--nope"), ("check", "--rows", "x"), ()]
)
def test_a_wrong_command_line_is_2(arguments: tuple[str, ...], exactspec: Callable) -> None:
    ran = exactspec(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert "Usage" in ran.err


# Files


def test_a_report_replaces_a_link_and_never_follows_it(folder: Path, exactspec: Callable) -> None:
    (folder / "victim").write_text("precious")
    (folder / "report.txt").symlink_to("victim")
    ran = exactspec("check", "-q", "--output", "report.txt", "m.yaml")
    assert (ran.code, ran.out) == (0, "")
    assert (folder / "victim").read_text() == "precious"
    assert not (folder / "report.txt").is_symlink()
    assert (folder / "report.txt").read_text() == "LOSSLESS m.yaml: at every horizon\n"


@pytest.mark.parametrize("target", ["/dev/null", "/dev/full", ".", "nowhere/report.txt"])
def test_a_report_that_can_not_be_a_file_is_74(
    target: str, folder: Path, exactspec: Callable
) -> None:
    """A device is not replaced by a file, whoever asks."""
    before = sorted(os.listdir())
    ran = exactspec("check", "-q", "-o", target, "m.yaml")
    assert ran.code == 74
    assert "error[unwritable]" in ran.err
    assert sorted(os.listdir()) == before
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("command", [("check", "-o", "out.txt", "m.yaml"), ("init", "out.txt")])
def test_a_full_disk_leaves_the_old_file_and_no_other(
    command: tuple[str, ...], folder: Path, exactspec: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command[0] == "check":
        (folder / "out.txt").write_text("older")
    before = {name: (folder / name).read_bytes() for name in os.listdir()}

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert exactspec(*command).code == 74
    assert {name: (folder / name).read_bytes() for name in os.listdir()} == before


def test_init_writes_a_model_that_checks_and_never_overwrites(
    folder: Path, exactspec: Callable
) -> None:
    ran = exactspec("init")
    assert (ran.code, ran.out) == (0, "")
    text = (folder / "model.yaml").read_text("utf-8")
    assert exactspec("check", "-q", "model.yaml").code == 0
    (folder / "model.yaml").write_text("mine")
    assert exactspec("init").code == 2
    assert (folder / "model.yaml").read_text() == "mine"
    (folder / "link.yaml").symlink_to("nowhere.yaml")
    assert exactspec("init", "link.yaml").code == 2
    assert not (folder / "nowhere.yaml").exists()
    assert exactspec("init", "no/folder.yaml").code == 74
    assert "version: 1" in text


def test_standard_input_is_a_model(folder: Path, exactspec: Callable) -> None:
    ran = exactspec("check", "-q", "-", stdin=MODEL.encode())
    assert (ran.code, ran.out) == (0, "LOSSLESS <stdin>: at every horizon\n")
    assert exactspec("check", "-", stdin=b"").code == 2


# Terminals


def test_any_encoding_gives_the_same_verdict(folder: Path) -> None:
    emoji = MODEL.replace("b", "😀").replace("voca😀", "vocab")
    (folder / "emoji.yaml").write_text(emoji, "utf-8")
    plain = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    for changes in ({"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, plain):
        ran = run("check", "emoji.yaml", env=environment(**changes))
        assert ran.returncode == 0, changes
        assert ran.stderr == b""
        assert b"LOSSLESS at every horizon" in ran.stdout
        assert rb"\U0001f600" in ran.stdout
        assert ran.stdout.isascii()
    assert run("--help", env=environment(PYTHONIOENCODING="ascii")).returncode == 0


@pytest.mark.parametrize(
    ("variables", "option", "coloured"),
    [
        ({}, "auto", False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, "auto", False),
        ({"FORCE_COLOR": "0"}, "auto", False),
        ({"FORCE_COLOR": ""}, "auto", False),
        ({"FORCE_COLOR": "1"}, "auto", True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, "auto", True),
        ({"NO_COLOR": "1"}, "always", True),
        ({"FORCE_COLOR": "1"}, "never", False),
    ],
)
def test_colour_comes_where_it_is_wanted(
    variables: dict[str, str],
    option: str,
    coloured: bool,
    folder: Path,
    exactspec: Callable,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = exactspec("check", "--color", option, "m.yaml")
    assert ("\x1b[" in ran.out) == coloured
    assert "\x1b" not in exactspec("check", "--color", option, "--format", "json", "m.yaml").out


def test_colour_on_a_terminal() -> None:
    assert use_colour("auto", {"TERM": "xterm"}, is_terminal=True)
    assert not use_colour("auto", {"TERM": "dumb"}, is_terminal=True)
    assert not use_colour("auto", {"TERM": "xterm"}, is_terminal=False)


@pytest.mark.parametrize(
    ("columns", "width"),
    [("20", 20), ("9" * 30, 1000), ("0", 80), ("-5", 80), ("x", 80), ("²", 80)],
)
def test_any_width_is_taken(
    columns: str, width: int, folder: Path, exactspec: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report in a file has no colour, whatever the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    assert width_of(os.environ) == width
    narrow = exactspec("check", "m.yaml")
    assert narrow.code == 0
    assert "LOSSLESS" in narrow.out


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    """Three orders of hashing, in two folders."""
    other = folder / "other"
    other.mkdir()
    for name in ("m.yaml", "lossy.yaml", "wrong.py"):
        shutil.copy(folder / name, other)
    command = ("check", "--allow-rules", "--format", "json", "m.yaml", "lossy.yaml")
    outputs = {
        run(*command, env=environment(PYTHONHASHSEED=seed), cwd=place).stdout
        for seed, place in (("0", folder), ("1", other), ("4242", folder))
    }
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())["results"]) == 2


def test_json_is_one_document_whatever_happens(folder: Path, exactspec: Callable) -> None:
    (folder / "warn.yaml").write_text(
        'version: 1\nvocabulary: [a, "a "]\ndraft_length: 0\ntarget: {a: 1}\n'
    )
    files = ("m.yaml", "bad.yaml", "missing.yaml", "warn.yaml", "lossy.yaml")
    ran = exactspec("check", "--format", "json", *files)
    document = json.loads(ran.out)
    assert [r["verdict"]["word"] for r in document["results"]] == [
        *("lossless", "error", "error", "lossless", "error")
    ]
    assert document["exit_code"] == ran.code == 2
    assert document["results"][3]["diagnostics"][0]["severity"] == "warning"
    assert ran.err == ""
    for arguments, code in ((("bad.yaml",), 2), (("m.yaml", "--max-nodes", "9"), 3)):
        ran = exactspec("tree", "--format", "json", *arguments)
        assert ran.code == code
        assert json.loads(ran.out)["verdict"]["word"] in ("error", "undecided")


def test_what_a_rule_prints_stays_out_of_the_report(folder: Path, exactspec: Callable) -> None:
    (folder / "loud.py").write_text(WRONG.replace("    return", "    print('debug')\n    return"))
    for command in ("check", "tree"):
        ran = exactspec(command, "--format", "json", "--rule", "loud.py:wrong", "m.yaml")
        json.loads(ran.out)
        assert "debug" in ran.err


def test_a_rule_can_not_end_the_program_as_a_success(folder: Path, exactspec: Callable) -> None:
    for text in ("raise SystemExit(0)\n", f"def x({PARAMETERS}):\n    raise SystemExit(0)\n"):
        (folder / "quits.py").write_text(text)
        for command in ("check", "tree"):
            ran = exactspec(command, "--rule", "quits.py:x", "m.yaml")
            assert (ran.code, ran.out) == (2, "")
            assert "error[rule-raised]: the rule raised SystemExit" in ran.err


# Rules, start and package


def test_a_changed_rule_is_judged_anew_and_leaves_nothing_beside_it(folder: Path) -> None:
    """One character, the same size and the same second."""
    rule = folder / "r.py"
    right = WRONG.replace("draft(context)", "target(context)").replace("wrong(", "right(")
    wrong = right.replace("target(context)", " draft(context)")
    assert len(right) == len(wrong)
    before = sorted([*os.listdir(), "r.py"])
    codes = []
    for text in (right, wrong, right):
        rule.write_text(text)
        os.utime(rule, (1_000_000_000, 1_000_000_000))
        env = {k: v for k, v in environment().items() if k != "PYTHONDONTWRITEBYTECODE"}
        codes.append(run("check", "-q", "--rule", "r.py:right", "m.yaml", env=env).returncode)
    assert codes == [0, 1, 0]
    assert sorted(os.listdir()) == before


def test_help_and_version_import_neither_sympy_nor_networkx() -> None:
    code = """
        import sys, exactspec.cli
        arguments, sys.argv[1:] = sys.argv[1:], [sys.argv[1]]
        try:
            exactspec.cli.main()
        except SystemExit:
            print(sorted({"sympy", "networkx", "yaml", "scipy"} & sys.modules.keys()))
    """
    for argument in ("--help", "--version"):
        assert python(code, argument).stdout.splitlines()[-1] == "[]"


def test_the_current_folder_is_not_searched_for_modules(folder: Path) -> None:
    """The installed program, where a file has the name of a library."""
    script = Path(sys.executable).parent / "exactspec"
    if not script.exists():
        pytest.skip("the program is not installed beside this Python")
    for name in ("yaml.py", "networkx.py", "exactspec.py"):
        (folder / name).write_text("raise SystemExit(0)\n")
    ran = subprocess.run(
        [script, "check", "-q", "m.yaml"], capture_output=True, check=False, env=environment()
    )
    assert (ran.returncode, ran.stdout) == (0, b"LOSSLESS m.yaml: at every horizon\n")


def test_the_wheel_works_alone(tmp_path: Path) -> None:
    """Built, installed without the source beside it, run in an empty folder."""
    source, empty, site = (tmp_path / name for name in ("source", "empty", "site"))
    empty.mkdir()
    shutil.copytree(
        ROOT / "exactspec", source / "exactspec", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*pip, *build, str(source)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        *("exactspec/model/schema.json", "exactspec/model/example.yaml", "exactspec/py.typed")
    } <= names
    assert not [name for name in names if name.startswith("tests")]
    install = ["install", "--quiet", "--no-deps", "--no-compile", "--target", str(site), str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    env = environment(PYTHONPATH=str(site))
    where = python_in(empty, env, "import exactspec; print(exactspec.__file__)")
    assert where.startswith(str(site))
    for arguments in (("init",), ("check", "model.yaml"), ("schema",)):
        assert run(*arguments, env=env, cwd=empty).returncode == 0


def python_in(folder: Path, env: Mapping[str, str], code: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=dict(env),
        cwd=folder,
        check=True,
    )
    return ran.stdout


def test_a_busy_check_reacts_to_a_signal_at_once(folder: Path) -> None:
    """Also where no rule sleeps."""
    vocabulary = ", ".join(f"t{i}" for i in range(9))
    row = ", ".join(f"t{i}: {i + 1}/45" for i in range(9))
    other = ", ".join(f"t{i}: {9 - i}/45" for i in range(9))
    (folder / "big.yaml").write_text(
        f"version: 1\nvocabulary: [{vocabulary}]\ndraft_length: 9\n"
        f"target: {{{row}}}\ndraft: {{{other}}}\n"
    )
    program = start("check", "--max-nodes", "1000000000", "-o", "out.txt", "big.yaml")
    time.sleep(2)
    assert program.poll() is None
    program.terminate()
    assert program.communicate(timeout=10)[1] == b"exactspec: terminated\n"
    assert program.returncode == 143
    assert "out.txt" not in os.listdir()
