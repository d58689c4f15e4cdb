"""Input that is hostile, broken or merely strange: refused with a place, or shown as what it is."""

import json
import os
import re
import tracemalloc
import xml.etree.ElementTree
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from exactspec import Budget, Distribution, ModelError, check, minimum, parse
from exactspec.algorithms import CATALOGUE
from exactspec.expand.rounds import Rounds
from exactspec.model.names import hard_to_tell_apart
from exactspec.numbers import NumberError, exact, parse_number
from exactspec.render import as_json
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.junit import Case, junit_text
from exactspec.text import fraction_text, integer_text, show, show_token, show_tokens

ROOT = Path(__file__).parent.parent
HEAD = "version: 1\nvocabulary: [a, b, $]\nend: $\ndraft_length: 1\n"
TABLES = "target: {a: 1/2, b: 1/4, $: 1/4}\ndraft: {a: 1/4, b: 1/2, $: 1/4}\n"
GOOD = HEAD + TABLES
ODD_NAMES = [
    "no",
    "on",
    "y",
    "null",
    "~",
    "1",
    "1:30",
    "2020-01-01",
    "010",
    "0x1F",
    "1_000",
    "=",
    "<",
]
ESCAPED_NAMES = {
    "\x1b[31mred": r"\x1b[31mred",
    "\x1b]8;;http://x\x07link": r"\x1b]8;;http://x\x07link",
    "bell\a": r"bell\x07",
    "carriage\rreturn": r"carriage\x0dreturn",
    "new\nline": r"new\x0aline",
    "\x9b31m": r"\x9b31m",
    "back\\slash": r"back\\slash",
    "del\x7f": r"del\x7f",
    "right\u202eleft": r"right\u202eleft",
    "zero\u200bwidth": r"zero\u200bwidth",
    "no\u00a0break": r"no\xa0break",
    "tag\U000e0041": r"tag\U000e0041",
    "\u3164": r"\u3164",
    "\u0301": r"\u0301",
}
PLAIN_NAMES = [
    "[red]",
    "[/]",
    "[a]",
    ":smile:",
    "<script>",
    "&amp;",
    "世界",
    "e\u0301",
    "😀",
    "{x}",
    "%s",
]
RAW_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def codes(data: bytes) -> list[str]:
    with pytest.raises(ModelError) as refused:
        parse(data)
    return [diagnostic.code for diagnostic in refused.value.diagnostics]


def with_tokens(*names: str) -> str:
    """A model in which every token has the same probability, its names in double quotes."""
    quoted = [_quoted(name) for name in names]
    row = "{" + ", ".join(f"{name}: 1/{len(names)}" for name in quoted) + "}"
    return (
        f"version: 1\nvocabulary: [{', '.join(quoted)}]\ndraft_length: 1\nhorizon: 2\n"
        f"target: {row}\ndraft: {{{quoted[0]}: 1}}\n"
    )


def _quoted(name: str) -> str:
    return '"' + "".join(f"\\U{ord(character):08x}" for character in name) + '"'


# Files


def test_an_alias_bomb_is_refused_before_it_is_built() -> None:
    bomb = (ROOT / "tests/corpus/rejected/alias_bomb.yaml").read_bytes()
    assert set(codes(bomb)) == {"alias", "more-errors"}


@pytest.mark.parametrize(
    "value", ["!!python/name:os.system", "!x a", "!!float 1", "!!str a", "! a"]
)
def test_every_tag_is_refused(value: str) -> None:
    assert codes((GOOD + f"title: {value}\n").encode()) == ["tag"]


def test_a_repeated_key_names_the_first_line() -> None:
    with pytest.raises(ModelError, match="first on line 4"):
        parse((GOOD + "draft_length: 2\n").encode())


def test_a_token_is_its_text() -> None:
    """Words that YAML readers turn into truth values, times, dates or numbers."""
    names = ", ".join(ODD_NAMES)
    row = ", ".join(f"{name}: 1/{len(ODD_NAMES)}" for name in ODD_NAMES)
    text = f"version: 1\nvocabulary: [{names}]\ndraft_length: 0\ntarget: {{{row}}}\n"
    scenario = parse(text.encode())
    assert scenario.vocabulary == tuple(ODD_NAMES)
    assert [*scenario.target.rows[()]] == ODD_NAMES


def test_both_readers_of_yaml_give_the_same_texts() -> None:
    """With libyaml and without."""
    text = (ROOT / "exactspec/model/example.yaml").read_text("utf-8") + f"title: {ODD_NAMES}\n"

    def scalars(loader: type) -> list[str]:
        events = yaml.parse(text, Loader=loader)
        return [event.value for event in events if isinstance(event, yaml.ScalarEvent)]

    assert scalars(yaml.CSafeLoader) == scalars(yaml.SafeLoader)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        ("1", 1),
        ("0", 0),
        ("010/020", Fraction(1, 2)),
    ],
)
def test_a_number_is_read_exactly(text: str, value: Fraction) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *("1_0", "٣", "１/２", "1e400", " 1/3", "1/3 ", "1 / 3", "+1", "-1", "0x1F", "inf", "nan"),
        *(".5", "1.", "1/0", "0/0", "1//2", "1/2/3", "1.5/2", "", "1\n", "½", "²"),
    ],
)
def test_every_other_number_is_refused(text: str) -> None:
    with pytest.raises(NumberError):
        parse_number(text)


@pytest.mark.parametrize("text", ["1e100000000", "9**9**9", "9" * 900 + "e" + "9" * 90])
def test_a_number_that_would_fill_the_memory_is_refused_at_once(text: str) -> None:
    with pytest.raises(NumberError):
        parse_number(text)


@pytest.mark.parametrize("digits", [1_001, 5_000, 1_000_000])
def test_a_number_that_is_too_long_is_refused_with_its_length(digits: int) -> None:
    with pytest.raises(NumberError, match=f"{digits:,} characters"):
        parse_number("1" * digits)
    refused = codes((HEAD + f"target: {{a: {'1' * digits}}}\ndraft: {{a: 1}}\n").encode())
    assert refused in (["number"], ["text-too-long"])


def test_denominators_that_multiply_are_refused_before_they_take_time() -> None:
    """4 MiB of numbers that are each short enough."""
    size = 4_000
    names = ", ".join(f"t{i}" for i in range(size))
    row = ", ".join(f"t{i}: 1/{10**900 + i}" for i in range(size))
    text = f"version: 1\nvocabulary: [{names}]\ndraft_length: 0\ntarget: {{{row}}}\n"
    assert codes(text.encode()) == ["row-denominator"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (GOOD.encode() + b"#" * 10_000_000, "file-too-large"),
        (f"title: {'x' * 3_000_000}\n".encode(), "text-too-long"),
        (b"vocabulary: [" + b"a," * 250_001 + b"a]\n", "too-many-values"),
        (b"[" * 100_000, "yaml-syntax"),
        (b"[" * 900, "nesting"),
        (b"{a: " * 100_000, "nesting"),
        (b"- " * 100_000 + b"a", "nesting"),
    ],
    ids=["10 MB", "long text", "many values", "lists", "fewer lists", "maps", "blocks"],
)
def test_what_is_too_large_is_refused_quickly(data: bytes, code: str) -> None:
    assert codes(data) == [code]


def test_a_quarter_of_a_million_mistakes_end_quickly_in_fifty_messages() -> None:
    """Hints would take long there."""
    names = ", ".join(f"a{i}" for i in range(50_000))
    wrong = ", ".join(f"b{i}: 1" for i in range(50_000))
    text = f"version: 1\nvocabulary: [{names}]\ndraft_length: 0\ntarget: {{{wrong}}}\n"
    found = codes(text.encode())
    assert found == ["unknown-token"] * 50 + ["more-errors"]


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (GOOD.encode("utf-16"), "encoding", (1, 1)),
        (GOOD.encode("utf-16-le"), "control-character", (1, 2)),
        (GOOD.encode("utf-32"), "encoding", (1, 1)),
        (b"version: 1\ntitle: caf\xe9\n", "encoding", (2, 11)),
        (b"version: 1\ntitle: a\x00b\n", "control-character", (2, 9)),
        (b"version: 1\ntitle: \xc2\x85\n", "control-character", (2, 8)),
        (b"\xff", "encoding", (1, 1)),
        (b"title: \xed\xa0\x80\n", "encoding", (1, 8)),
        (b"title: \xc0\xaf\n", "encoding", (1, 8)),
    ],
)
def test_what_is_no_utf8_text_is_refused_with_its_place(
    data: bytes, code: str, place: tuple[int, int]
) -> None:
    with pytest.raises(ModelError) as refused:
        parse(data)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == code
    assert diagnostic.location is not None
    assert (diagnostic.location.line, diagnostic.location.column) == place


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n").encode()]
)
def test_a_byte_order_mark_and_crlf_change_nothing(data: bytes) -> None:
    plain, other = parse(GOOD.encode()), parse(data)
    assert other.target.rows == plain.target.rows
    assert other.vocabulary == plain.vocabulary
    assert other.places["draft"] == plain.places["draft"]


def test_only_regular_files_are_read(tmp_path: Path, exactspec: Callable) -> None:
    """A FIFO and /dev/zero would never end."""
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, Path("/dev/zero"), Path("/dev/null")):
        ran = exactspec("check", path)
        assert (ran.code, ran.out) == (2, "")
        assert (
            ran.err == f"{path}: error[unreadable]: the file can't be read: it is no regular file\n"
        )


@pytest.mark.parametrize("name", ["missing.yaml", "", "a\0b", "x" * 300, "\udcff"])
def test_a_file_that_is_not_there_is_an_error_of_its_own(
    name: str, tmp_path: Path, exactspec: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = exactspec("check", name)
    assert ran.code == 2
    assert "error[unreadable]" in ran.err


def test_a_file_without_permission_is_an_error(
    tmp_path: Path, exactspec: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may read everything gets the refusal by hand."""
    file = tmp_path / "m.yaml"
    file.write_text(GOOD)
    file.chmod(0)
    if os.access(file, os.R_OK):

        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    ran = exactspec("check", file)
    assert ran.code == 2
    assert "error[unreadable]: the file can't be read: Permission denied" in ran.err


def test_links_are_followed_and_a_loop_of_links_is_refused(
    tmp_path: Path, exactspec: Callable
) -> None:
    (tmp_path / "m.yaml").write_text(GOOD)
    (tmp_path / "link.yaml").symlink_to("m.yaml")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert exactspec("check", "-q", tmp_path / "link.yaml").code == 0
    ran = exactspec("check", tmp_path / "one")
    assert ran.code == 2
    assert "Too many levels of symbolic links" in ran.err


def test_all_errors_of_a_file_come_at_once_and_in_its_order() -> None:
    data = (ROOT / "tests/corpus/rejected/several_errors.yaml").read_bytes()
    with pytest.raises(ModelError) as refused:
        parse(data)
    places = [
        d.location and (d.location.line, d.location.column) for d in refused.value.diagnostics
    ]
    assert len(places) == 12
    assert places == sorted(places)


# Code


def test_no_module_can_run_text_from_a_file() -> None:
    """None of the names that do so is used, but for mutants: of the audited program's own source."""
    running = re.compile(
        r"\b(sympify|parse_expr|lambdify|eval|exec|compile|__import__|pickle|safe_load|full_load"
        r"|unsafe_load|Template|S)\("
    )
    used = {
        (path.name, name)
        for path in (ROOT / "exactspec").rglob("*.py")
        for name in running.findall(re.sub(r"(re|mx)\.compile\(", "", path.read_text("utf-8")))
    }
    assert used == {("transplant.py", "compile")}


@pytest.mark.parametrize("key", ["title", "algorithm", "end", "expect", "horizon", "version"])
def test_code_in_any_field_stays_text(
    key: str, tmp_path: Path, exactspec: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "__import__('os').system('touch hacked')"
    lines = [line for line in GOOD.splitlines() if not line.startswith(f"{key}:")]
    Path("m.yaml").write_text("\n".join([*lines, f'{key}: "{code}"', ""]))
    exactspec("check", "m.yaml", "--allow-rules")
    assert os.listdir() == ["m.yaml"]


@pytest.mark.parametrize("text", ["(" * 900 + "1" + ")" * 90, "+".join("1" * 499), "x" * 1000])
def test_an_expression_of_any_size_is_no_number(text: str) -> None:
    with pytest.raises(NumberError):
        parse_number(text)


# Names


@pytest.mark.parametrize(("name", "shown"), ESCAPED_NAMES.items(), ids=ESCAPED_NAMES.values())
def test_a_name_that_does_not_show_is_shown_as_an_escape(name: str, shown: str) -> None:
    assert show(name) == shown


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_markup_in_a_name_stays_as_it_is(name: str, tmp_path: Path, exactspec: Callable) -> None:
    """Neither interpreted, nor dropped, in any command."""
    file = tmp_path / "m.yaml"
    file.write_text(with_tokens(name, "b"), "utf-8")
    for command in (("check",), ("tree",), ("tree", "--sequence", name)):
        ran = exactspec(*command, file)
        assert ran.code == 0
        assert show_token(name) in ran.out


@pytest.mark.parametrize("name", ESCAPED_NAMES)
@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_no_report_holds_a_raw_control_character(
    name: str, form: str, tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(with_tokens("a", name), "utf-8")
    ran = exactspec("check", "--format", form, file)
    assert ran.code == 0
    assert RAW_CONTROL.search(ran.out + ran.err) is None
    if form == "json":
        assert json.loads(ran.out)["results"][0]["vocabulary"] == ["a", name]
    if form == "junit":
        xml.etree.ElementTree.fromstring(ran.out)


@given(st.text(min_size=1, max_size=8).filter(lambda name: not re.search("[\ud800-\udfff]", name)))
@settings(max_examples=150, deadline=None)
def test_any_name_is_read_back_and_never_reaches_the_terminal_raw(name: str) -> None:
    """A property of every message, table, tree and document."""
    other = "b" if name != "b" else "c"
    scenario = parse(with_tokens(name, other).encode())
    assert scenario.vocabulary == (name, other)
    result = check(scenario)
    shown = show_token(name)
    texts = [
        shown,
        diagnostics_text(scenario.warnings),
        as_json.document(results=[as_json.result_data(result, None, 5)]),
        junit_text([Case(name, name, "failure", name, name)]),
    ]
    assert all(RAW_CONTROL.search(text) is None for text in texts)
    xml.etree.ElementTree.fromstring(texts[-1])
    inside = shown[1:-1].replace('\\"', '"') if shown.startswith('"') else shown
    assert _read_back(inside) == name


def _read_back(shown: str) -> str:
    def character(match: re.Match[str]) -> str:
        return "\\" if match[0] == "\\\\" else chr(int(match[0][2:], 16))

    escape = r"\\\\|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}"
    return re.sub(escape, character, shown)


@given(st.lists(st.text(alphabet='ab "\\', min_size=1, max_size=3), min_size=1, max_size=3))
def test_two_sequences_of_tokens_are_never_shown_alike(names: list[str]) -> None:
    """Quotes and blanks in names can't be mistaken for two tokens."""
    joined = " ".join(names)
    assert len(names) == 1 or show_tokens(names) != show_token(joined)


def test_names_in_messages_are_shown_as_escapes(tmp_path: Path, exactspec: Callable) -> None:
    """The file's own name, and an unknown token."""
    file = tmp_path / "\x1b[31m.yaml"
    file.write_text('version: 1\nvocabulary: [a]\ndraft_length: 0\ntarget: {"\\e[2J": 1}\n')
    ran = exactspec("check", file)
    assert r"\x1b[31m.yaml:4:10: error[unknown-token]: \x1b[2J is not in" in ran.err
    assert RAW_CONTROL.search(ran.err) is None
    assert RAW_CONTROL.search(exactspec("init", tmp_path / "\x1b[32m.yaml").err) is None


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("\u00e9", "e\u0301", ("U+00E9", "U+0065 U+0301")),
        ("a", "\u0430", ("U+0061", "U+0430")),
        ("ab", "a\u200bb", ("U+0061 U+0062", "U+0061 U+200B U+0062")),
        ("a", "a ", ("U+0061", "U+0061 U+0020")),
        ("ab", "\u202eab", ("U+0061 U+0062", "U+202E U+0061 U+0062")),
        ("A", "\uff21", ("U+0041", "U+FF21")),
    ],
)
def test_names_that_look_alike_stay_two_tokens_with_a_warning(
    one: str, other: str, points: tuple[str, str], tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(with_tokens(one, other), "utf-8")
    ran = exactspec("check", "-q", file)
    assert ran.code == 0
    assert f"the tokens {show_token(one)} and {show_token(other)} look alike" in ran.err
    assert f"{points[0]} and {points[1]};" in ran.err
    assert parse(file.read_bytes()).vocabulary == (one, other)


def test_names_that_differ_plainly_give_no_warning() -> None:
    assert (
        list(hard_to_tell_apart(["a", "b", "A", "1", "\u2460", "\u00b2", "new york", "york"])) == []
    )
    assert parse(GOOD.encode()).warnings == ()


def test_half_of_a_surrogate_pair_is_refused_in_a_file_and_shown_in_the_api() -> None:
    assert codes(b'version: 1\nvocabulary: ["\\ud800"]\n')[0] in ("surrogate", "yaml-syntax")
    assert show("\ud800") == r"\ud800"


def test_columns_stay_aligned_under_wide_and_combining_names(
    tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(with_tokens("世界", "e\u0301", "abcdef"), "utf-8")
    lines = exactspec("check", file).out.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("x  "))
    rows = lines[begin + 1 : begin + 4]
    assert [row.split()[0] for row in rows] == ["世界", "e\u0301", "abcdef"]
    ends = {cell_len(row[: row.index("/3")]) for row in rows}
    assert len(ends) == 1


# Size, time, numbers


def endless(draft_length: int, tokens: int) -> str:
    names = [f"t{i}" for i in range(tokens)]
    p = ", ".join(f"{n}: {i + 1}/{tokens * (tokens + 1) // 2}" for i, n in enumerate(names))
    q = ", ".join(f"{n}: {tokens - i}/{tokens * (tokens + 1) // 2}" for i, n in enumerate(names))
    return (
        f"version: 1\nvocabulary: [{', '.join(names)}]\ndraft_length: {draft_length}\n"
        f"target: {{{p}}}\ndraft: {{{q}}}\n"
    )


def test_paths_are_not_kept_so_that_memory_stays_flat() -> None:
    few, many = (_rounds(draft_length) for draft_length in (1, 8))
    (_, peak_of_few), (count, peak_of_many) = map(_count_and_peak_of_paths, (few, many))
    assert count > 5_000
    assert peak_of_many < peak_of_few + 1_000_000


def _rounds(draft_length: int) -> Rounds:
    return Rounds(parse(endless(draft_length, 3).encode()), CATALOGUE["token_level"], Budget())


def _count_and_peak_of_paths(rounds: Rounds) -> tuple[int, int]:
    count, mass = 0, Fraction(0)
    tracemalloc.start()
    try:
        for path in rounds.paths(rounds.start):
            count, mass = count + 1, mass + path.mass
        assert mass == 1
        return count, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_tree_that_is_far_too_large_is_estimated_and_not_expanded(
    tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(endless(30, 4))
    ran = exactspec("check", "-q", file)
    assert ran.code == 3
    assert re.search(r"UNDECIDED .*about [0-9,]{12,} nodes \(estimated\)", ran.out)
    assert "--max-nodes" in exactspec("check", file).out


def test_a_chain_of_a_thousand_levels_is_checked_shown_and_written(
    tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(
        "version: 1\nvocabulary: [a]\ndraft_length: 1000\ntarget: {a: 1}\ndraft: {a: 1}\n"
    )
    assert exactspec("check", "-q", file).code == 0
    shown = exactspec("tree", "--depth", "5000", "--lines", "5000", file)
    assert shown.code == 0
    assert shown.out.count("accept") == 1000
    document = json.loads(exactspec("tree", "--depth", "5000", "--format", "json", file).out)
    assert len(document["tree"]["nodes"]) == 2002


def test_a_result_of_twenty_thousand_digits_comes_back_whole(
    tmp_path: Path, exactspec: Callable
) -> None:
    below = 10**490 + 3
    p = Fraction(below // 3, below)
    file = tmp_path / "m.yaml"
    file.write_text(
        f"version: 1\nvocabulary: [a, b]\ndraft_length: 0\nhorizon: 2\n"
        f"target: {{a: {fraction_text(p)}, b: {fraction_text(1 - p)}}}\n"
    )
    sequence = " ".join("a" * 42)
    document = json.loads(exactspec("tree", "--sequence", sequence, "--format", "json", file).out)
    found = document["sequence"]["got"]
    assert len(found) > 40_000
    assert found == fraction_text(p**42)
    assert ", 41," in exactspec("tree", "--sequence", sequence, file).out
    assert exactspec("check", file).code == 0


@given(st.integers(min_value=0, max_value=30_000), st.integers(min_value=1, max_value=9))
@settings(max_examples=20, deadline=None)
def test_an_integer_of_any_length_is_written_digit_for_digit(zeros: int, digit: int) -> None:
    assert integer_text(digit * 10**zeros) == str(digit) + "0" * zeros
    assert integer_text(-digit * 10**zeros) == "-" + str(digit) + "0" * zeros


def test_a_factor_beyond_the_limit_of_python_is_written_in_a_proof(
    tmp_path: Path, exactspec: Callable
) -> None:
    """The residual of rows whose denominators have nothing in common."""
    units = [10**490 + odd for odd in (1, 3, 7, 9, 13, 19, 21, 27, 31, 33, 37, 39)]
    pairs = [(f"{u // 3}/{12 * u}", f"{u - u // 3}/{12 * u}") for u in units]
    drafts = [(f"{u // 2}/{12 * u}", f"{u - u // 2}/{12 * u}") for u in units]
    names = [f"t{i}" for i in range(2 * len(units))]

    def row(numbers: list[tuple[str, str]]) -> str:
        flat = [number for pair in numbers for number in pair]
        return "{" + ", ".join(f"{n}: {x}" for n, x in zip(names, flat, strict=True)) + "}"

    file = tmp_path / "m.yaml"
    file.write_text(
        f"version: 1\nvocabulary: [{', '.join(names)}]\ndraft_length: 1\nhorizon: 1\n"
        f"target: {row(pairs)}\ndraft: {row(drafts)}\n"
    )
    document = json.loads(exactspec("tree", "--sequence", "t1", "--format", "json", file).out)
    assert max(map(len, re.findall("[0-9]+", document["sequence"]["expression"]))) > 4_300
    assert document["sequence"]["got"] == document["sequence"]["want"]


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (("--max-nodes", "10"), "budget of 10 nodes"),
        (("--max-bits", "3"), "denominator of"),
        (("--timeout", "0"), "0 seconds are over"),
    ],
)
def test_a_limit_that_is_reached_leaves_the_verdict_undecided(
    option: tuple[str, str], reason: str, tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(endless(2, 3))
    ran = exactspec("check", *option, file)
    assert ran.code == 3
    assert "UNDECIDED" in ran.out
    assert reason in " ".join(ran.out.replace("│", " ").split())
    assert option[0] in ran.out
    document = json.loads(exactspec("check", "--format", "json", *option, file).out)
    assert document["results"][0]["verdict"]["word"] == "undecided"


@pytest.mark.parametrize("option", [("--max-nodes", "10"), ("--timeout", "0")])
def test_the_mass_that_was_expanded_is_given_as_a_fraction(
    option: tuple[str, str], tmp_path: Path, exactspec: Callable
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(endless(2, 3))
    assert re.search(
        r"mass [0-9]+/[0-9]+ \(.*\) of .* was expanded", exactspec("check", "-q", *option, file).out
    )


def test_a_rule_that_loops_without_drawing_ends_at_the_timeout(
    tmp_path: Path, exactspec: Callable
) -> None:
    """In a round, and while the file is loaded."""
    model, rule = tmp_path / "m.yaml", tmp_path / "rule.py"
    model.write_text(GOOD)
    parameters = "chance, target, draft, context, *, draft_length"
    for text in (f"def spin({parameters}):\n    while True: pass\n", "while True: pass\n"):
        rule.write_text(text)
        ran = exactspec("check", "-q", "--rule", f"{rule}:spin", "--timeout", "0.1", model)
        assert (ran.code, ran.err) == (3, "")
        assert ran.out == f"UNDECIDED {model}: 0.1 seconds are over\n"
        tree = exactspec("tree", "--rule", f"{rule}:spin", "--timeout", "0.1", model)
        assert (tree.code, tree.out) == (3, "")


@pytest.mark.parametrize(
    "use",
    [
        lambda: Distribution({"a": 0.5, "b": 0.5}),
        lambda: minimum(1, 0.5),
        lambda: exact(0.1),
        lambda: exact(float("nan")),
        lambda: exact(float("inf"), exact_float=True),
        lambda: exact(True),
        lambda: exact("1/2"),
    ],
)
def test_a_float_is_refused(use: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        use()


def test_the_refusal_of_a_float_says_what_it_would_have_been() -> None:
    with pytest.raises(TypeError, match="3602879701896397/36028797018963968"):
        exact(0.1)
    assert exact(0.1, exact_float=True) == Fraction(3602879701896397, 36028797018963968)


@pytest.mark.parametrize("more", ["too_small", "too_large"])
def test_a_row_that_misses_one_by_a_hair_is_refused_with_the_hair(more: str) -> None:
    data = (ROOT / f"tests/corpus/rejected/row_sum_a_hair_{more}.yaml").read_bytes()
    with pytest.raises(ModelError) as refused:
        parse(data)
    assert f"1/{10**30} " in (refused.value.diagnostics[0].hint or "")


def test_a_row_with_entries_of_a_hair_that_sums_to_one_is_accepted() -> None:
    n = 10**30
    row = parse(f"{HEAD}target: {{a: {n - 1}/{n}, b: 1/{n}}}\ndraft: {{b: 1}}\n".encode()).target
    assert row.rows[()]["b"] == Fraction(1, n)
