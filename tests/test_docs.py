"""The pages are run: commands print what the pages show, and rules in them are files of the examples.

In a ``console`` block, a line ``$ exactspec ...`` is run in a folder that holds ``examples`` and what
the page has written so far; the lines behind it are what it prints. A line ``...`` stands for lines
left out, a last line ``exit code 1`` for that exit code. ``--overwrite-golden`` rewrites the lines.
"""

import doctest
import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any

import pytest
import typer.main
from test_rooms import ROW

from exactspec.cli.commands import app
from exactspec.cli.guard import EXIT_CODES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "examples/README.md", *sorted((ROOT / "docs").glob("*.md"))]
MORE_PAGES = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
Program = Callable[..., Any]
LEFT_OUT = "..."
NOT_PRINTED = "(the command does not print the line above here)"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_OWN_FILE = re.compile(r"# (\w[\w.-]*\.(?:py|ya?ml))\n")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Run:
    """A command of a page, and the lines that the page shows behind it."""

    command: str
    shown: tuple[str, ...]


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def runs_of(block: str) -> Iterator[Run]:
    """The commands of a console block."""
    for part in re.split(r"^\$ (?=exactspec )", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield Run(command, tuple(shown))


def printed(command: str, program: Program) -> list[str]:
    """What a command prints, warnings and errors first, and its exit code where it is not 0."""
    _, *words = shlex.split(command)
    ran = program(*(file for word in words for file in sorted(glob(word)) or [word]))
    lines = (ran.err + ran.out).rstrip("\n").split("\n")
    return lines + [f"exit code {ran.code}"] * (ran.code != 0)


def as_printed(shown: tuple[str, ...], lines: list[str]) -> list[str]:
    """The shown lines as the command prints them: each part between ``...`` is found by its first line."""
    if LEFT_OUT not in shown:
        return lines
    *parts, last = _parts(shown)
    current: list[str] = []
    position = 0
    for number, part in enumerate(parts):
        if part and number:
            begins = (i for i in range(position, len(lines)) if lines[i] == part[0])
            position = next(begins, len(lines))
        found = lines[position : position + len(part)]
        current += found if len(found) == len(part) else [*part[:1], NOT_PRINTED]
        current.append(LEFT_OUT)
        position += len(part)
    return current + (lines[max(position, len(lines) - len(last)) :] if last else [])


def _parts(shown: tuple[str, ...]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def rerun(block: str, program: Program) -> str:
    """A console block with every command's lines as they are printed now."""
    return "".join(
        "\n".join(
            [f"$ {run.command}", *as_printed(run.shown, printed(run.command, program))]
        ).rstrip()
        + "\n"
        for run in runs_of(block)
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run a page in, with the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_command_of_a_page_prints_what_the_page_shows(
    page: Path, folder: Path, exactspec: Program, request: pytest.FixtureRequest
) -> None:
    overwrite = request.config.getoption("--overwrite-golden")
    text = page.read_text("utf-8")
    current = text
    for fence in _FENCE.finditer(text):
        kind, block = fence.groups()
        own_file = _OWN_FILE.match(block)
        if kind in ("python", "yaml") and own_file:
            (folder / own_file[1]).write_text(block, "utf-8")
        elif kind == "console" and overwrite:
            current = current.replace(
                f"```console\n{block}```", f"```console\n{rerun(block, exactspec)}```"
            )
        elif kind == "console":
            assert rerun(block, exactspec) == block, "run: make golden"
    if overwrite:
        page.write_text(current, "utf-8")


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_python_in_a_page_is_a_session_that_runs_or_a_part_of_a_file(
    page: Path, folder: Path
) -> None:
    sources = [
        source.read_text("utf-8")
        for place in ("examples/rules", "exactspec/algorithms")
        for source in (ROOT / place).glob("*.py")
    ]
    for kind, block in _FENCE.findall(page.read_text("utf-8")):
        if kind != "python" or _OWN_FILE.match(block):
            continue
        if block.startswith(">>>"):
            session = doctest.DocTestParser().get_doctest(block, {}, page_name(page), None, None)
            assert doctest.DocTestRunner(verbose=False).run(session).failed == 0
        else:
            assert any(block in source for source in sources), f"in no file:\n{block}"


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    headings = _HEADING.findall(_FENCE.sub("", page.read_text("utf-8")))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES + MORE_PAGES, ids=page_name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(_FENCE.sub("", page.read_text("utf-8"))):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), link
        if anchor:
            assert anchor in anchors_of(there), link


@pytest.mark.parametrize("page", PAGES[2:], ids=page_name)
def test_every_page_of_the_docs_is_reached_from_the_index(page: Path) -> None:
    index = (ROOT / "docs/index.md").read_text("utf-8")
    assert page.stem == "index" or re.search(rf"^{page.stem}$", index, re.MULTILINE)


def test_every_command_and_option_is_in_the_reference() -> None:
    reference = (ROOT / "docs/command-line.md").read_text("utf-8")
    program = typer.main.get_command(app)
    commands = getattr(program, "commands")  # noqa: B009  (typer's type has it, click's has not)
    for name, command in {"": program, **commands}.items():
        assert f"## `exactspec {name}`" in reference or not name, name
        for parameter in command.params:
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert not option.startswith("-") or f"`{option}" in reference, (name, option)


@pytest.mark.parametrize("page", ["README.md", "docs/command-line.md"])
def test_the_table_of_exit_codes_is_that_of_the_help(page: str) -> None:
    table = re.findall(r"^\| `(\d+)` \|", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    of_one_file, _, over_several = EXIT_CODES.partition("Over several files")
    assert table == re.findall(r"(\d+) [a-z]", of_one_file.replace("\n", " "))
    assert "the first of 4, 2, 1, 3, 0" in over_several


JSON_COMMANDS = (
    "check examples/theory.yaml examples/no-such-file.yaml --max-nodes 1000",
    "check examples/theory.yaml --rule examples/rules/wrong.py:target_instead_of_residual",
    "check examples/theory.yaml --max-nodes 10",
    "check examples/edge-cases/latencies.yaml --max-nodes 400",
    "check examples/wrong-rules/lenient.yaml --allow-rules",
    "check examples/parameters/open-target.yaml",
    "check examples/parameters/equal-rows-only.yaml --allow-rules",
    "check examples/parameters/open-target.yaml --at t=1/2",
    "tree examples/theory.yaml",
    "tree examples/theory.yaml --sequence a",
    "compare examples/theory.yaml --algorithms token_level,block_verification",
    "compare examples/theory.yaml --algorithms token_level,examples/rules/faulty.py:no_tokens",
    "compare examples/wrong-rules/lenient.yaml --algorithms examples/rules/wrong.py:lenient,sampler_match",
    "prove token_level --vocabulary 2 --draft-length 1",
    "prove gumbel_coupling --vocabulary 2 --draft-length 1",
    "prove target_instead_of_residual --vocabulary 2 --draft-length 1",
    "prove canonical_decomposition --vocabulary 2 --draft-length 1",
    "prove token_level --vocabulary 2 --draft-length 1 --max-paths 2",
    "prove nothing --vocabulary 2 --draft-length 1",
    "audit ROOT/tests/audit/samplers.py:right --tables examples/theory.yaml",
    "audit ROOT/tests/audit/samplers.py:crashes --tables examples/theory.yaml",
    "audit ROOT/tests/audit/samplers.py:right --level grid --tables examples/theory.yaml",
    "audit ROOT/tests/audit/samplers.py:right --max-replays 9 --tables examples/theory.yaml",
    "audit nothing:at_all",
    "audit --list-adapters",
    "simulate examples/theory.yaml --runs 20",
    "simulate examples/theory.yaml --runs 20 --rule examples/rules/wrong.py:target_instead_of_residual",
)


def keys_of(data: object) -> set[str]:
    """The keys of a JSON value that the schema names, not those that are tokens, counts or options."""
    if isinstance(data, list):
        return set().union(*map(keys_of, data))
    if not isinstance(data, dict):
        return set()
    inner = (v for k, v in data.items() if k not in ("residual", "accepted", "emitted", "options"))
    return set(data).union(*map(keys_of, inner))


@pytest.mark.parametrize("command", JSON_COMMANDS)
def test_every_key_of_the_json_document_is_described(
    command: str, folder: Path, exactspec: Program
) -> None:
    described = set(re.findall(r"`(\w+)`", (ROOT / "docs/json.md").read_text("utf-8")))
    document = json.loads(
        exactspec(*command.replace("ROOT", str(ROOT)).split(), "--format", "json").out
    )
    assert keys_of(document) - described == set()


def rows_of_the_rooms() -> dict[str, int]:
    """Each room of the architecture page with its row, counted from the top."""
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    table = page.partition("| row |")[2].partition("\n\n")[0]
    rows = (line.split("|")[1] for line in table.split("\n")[2:])
    return {name: row for row, names in enumerate(rows) for name in re.findall(r"`(\w+)`", names)}


def test_the_architecture_page_has_the_rooms_in_the_order_in_which_they_may_import() -> None:
    from_high_to_low = rows_of_the_rooms()
    assert from_high_to_low.keys() == ROW.keys()
    for room, row in from_high_to_low.items():
        assert all(ROW[other] <= ROW[room] for other, r in from_high_to_low.items() if r >= row)
