"""docs/errors.md has every code of the source, each with what is really printed."""

import ast
import re
from pathlib import Path

import pytest

from exactspec import ModelError, parse
from exactspec.render.diagnostics import diagnostics_text

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/errors.md").read_text("utf-8")
SECTIONS = dict(
    re.findall(r"^### `([a-z-]+)`\n(.*?)(?=^##|\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
)
_WORDS = re.compile(r"[a-z]+(-[a-z]+)*")
# Where a function is called with a code, and at which place among its arguments it stands.
_CALLS = {"Diagnostic": 0, "_fault": 0, "_refuse": 0, "refuse": 0, "wrong": 1}
_CALLS |= {"_refuse_at": 1, "_stop_at": 1}
HARD_TO_WRITE_DOWN = {
    "file-too-large": b"#" * 5_000_000,
    "encoding": b"version: 1\ntitle: caf\xe9\n",
    "too-many-values": b"vocabulary: [" + b"a," * 250_001 + b"a]\n",
}


def codes_in(source: Path) -> set[str]:
    """The codes that a file can give."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            place = _CALLS.get(name)
            if place is not None and len(node.args) > place:
                found |= _texts(node.args[place])
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code":
            found |= _texts(node.value)
    return found


def _texts(node: ast.expr) -> set[str]:
    constants = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    values = {c.value for c in constants if isinstance(c, ast.Constant)}
    return {value for value in values if isinstance(value, str) and _WORDS.fullmatch(value)}


ALL_CODES = set().union(*(codes_in(path) for path in (ROOT / "exactspec").rglob("*.py")))


def test_codes_are_found_in_every_room() -> None:
    assert {
        "row-sum",
        "alias",
        "more-errors",
        "rule-no-tokens",
        "unwritable",
        "missing-row",
    } <= ALL_CODES


def test_every_code_has_a_section_and_every_section_a_code() -> None:
    assert set(SECTIONS) == ALL_CODES


def test_every_code_of_the_corpus_has_a_section() -> None:
    printed = set()
    for file in (ROOT / "tests/corpus/rejected").glob("*.out"):
        printed |= set(re.findall(r": error\[([a-z-]+)\]", file.read_text("utf-8")))
    assert printed <= set(SECTIONS)


@pytest.mark.parametrize("code", sorted(set(SECTIONS) - {"more-warnings"}))
def test_every_section_shows_its_message(code: str) -> None:
    of_warnings = PAGE.partition("## Warnings")[2]
    shown = of_warnings if f"### `{code}`" in of_warnings else SECTIONS[code]
    assert f"[{code}]: " in shown


@pytest.mark.parametrize("code", HARD_TO_WRITE_DOWN)
def test_an_example_without_a_file_is_what_is_printed(code: str) -> None:
    with pytest.raises(ModelError) as refused:
        parse(HARD_TO_WRITE_DOWN[code], "model.yaml")
    lines = diagnostics_text(refused.value.diagnostics).splitlines()
    assert _in_order(_example(code), lines)


CORPUS_CODES = [code for code in SECTIONS if "```text" in SECTIONS[code]]
CORPUS_CODES = [
    c for c in CORPUS_CODES if not SECTIONS[c].partition("```text\n")[2].startswith("model.")
]


@pytest.mark.parametrize("code", CORPUS_CODES)
def test_an_example_from_the_corpus_is_what_is_printed(code: str) -> None:
    example = _example(code)
    file = ROOT / "tests/corpus/rejected" / example[0].partition(":")[0]
    assert _in_order(example, file.with_suffix(".out").read_text("utf-8").splitlines())


def _example(code: str) -> list[str]:
    return SECTIONS[code].partition("```text\n")[2].partition("\n```")[0].splitlines()


def _in_order(part: list[str], lines: list[str]) -> bool:
    rest = iter(lines)
    return len(part) > 0 and all(line in rest for line in part)
