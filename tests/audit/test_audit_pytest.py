"""The pytest side of the audit: the assertions, the marker, the fixtures, and model files as tests."""

import inspect
import random
import re
import subprocess
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

import pytest

from exactspec import ModelError, parse, pytest_plugin
from exactspec.audit import NotLossless, assert_lossless, assert_sequences_lossless, portfolio
from exactspec.audit.world import LEVELS
from exactspec.errors import AuditError

pytest_plugins = "pytester"

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/audit-in-tests.md").read_text("utf-8")
PAGE_FILES = dict(
    re.findall(r"^```\w+\n(?=# ([\w.-]+)\n)(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)
PAGE_RUNS = re.findall(r"^```text\n\$ pytest (.*?)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
HALVES = parse(
    b"""
version: 1
title: one half
vocabulary: [a, b]
draft_length: 1
target: {a: 1/4, b: 3/4}
draft: {a: 1/2, b: 1/2}
""",
    "half.yaml",
)
WITH_ZEROS = parse(
    b"""
version: 1
title: zeros
vocabulary: [a, "new york", $]
end: $
draft_length: 2
prompt: [a]
target: {a: 1/4, "new york": 3/4}
draft: {a: 1/2, $: 1/2}
""",
    "zeros.yaml",
)
RIGHT = """
import random
import pytest

def verify(block, wrong=False):
    target, draft = block.python.target_probs, block.python.draft_probs
    drafted = block.python.draft_ids
    for place, token in enumerate(drafted):
        if random.random() * draft[place][token] >= target[place][token]:
            residual = [max(p - q, 0) for p, q in zip(target[place], draft[place])]
            row = target[place] if wrong else residual
            return [*drafted[:place], *random.choices(range(len(row)), row)]
    return [*drafted, *random.choices(range(len(target[-1])), target[-1])]
"""
MODEL = """
version: 1
title: a toy
vocabulary: [a, b]
draft_length: 1
target: {a: 1/4, b: 3/4}
draft: {a: 1/2, b: 1/2}
"""
WRONG_RULE = """
from exactspec import Round

def never_rejects(chance, target, draft, context, *, draft_length):
    return Round([chance.draw(draft(context), "token")])
"""


def verify(block, fallback="residual"):
    """Token-level verification, right or wrong, in plain Python."""
    target, draft, drafted = (
        block.python.target_probs,
        block.python.draft_probs,
        block.python.draft_ids,
    )
    for place, token in enumerate(drafted):
        if random.random() * draft[place][token] >= target[place][token]:
            pairs = zip(target[place], draft[place], strict=True)
            residual = [max(p - q, 0) for p, q in pairs]
            row = residual if fallback == "residual" else target[place]
            return [*drafted[:place], *random.choices(range(len(row)), row)]
    return [*drafted, *random.choices(range(len(target[-1])), target[-1])]


def from_the_target(block):
    return verify(block, "target")


def crashing(block):
    if random.random() < 0.25:
        raise ValueError("no luck\nand more")
    return verify(block)


def message_of(step, tables, **options):
    with pytest.raises(NotLossless) as failure:
        assert_lossless(step, tables, **options)
    return str(failure.value)


def test_a_right_sampler_passes_on_the_whole_portfolio():
    assert_lossless(verify)
    assert_lossless(verify, drafts=1, level="float", accept_rounding=True)


def test_tables_are_a_scenario_a_file_or_several():
    file = ROOT / "examples/theory.yaml"
    assert_lossless(verify, HALVES)
    assert_lossless(verify, str(file))
    assert_lossless(verify, [HALVES, file])
    with pytest.raises(ValueError, match="no tables: nothing would be audited"):
        assert_lossless(verify, [])


def test_a_lossy_sampler_fails_with_all_that_is_wrong():
    assert message_of(from_the_target, HALVES) == (
        """\
from_the_target is lossy; tables: one half
  worst sequence    a b
  got               15/64 (~ 0.2344)
  want              3/16 (= 0.1875)
  rows of a b       target    draft
    after nothing   1/4 3/4   1/2 1/2
    after a         1/4 3/4   1/2 1/2
  total variation   1/16 (= 0.0625)
  level             rational, 6 runs
  reproduce         audit.step(from_the_target, tables)"""
    )


def test_zeros_and_crashes_are_told_with_their_probabilities():
    def odd(block):
        if random.random() < 0.25:
            raise ValueError("no luck\nand more")
        return [2]

    assert message_of(odd, WITH_ZEROS, drafts=1) == (
        """\
odd is lossy; tables: zeros
  worst sequence           $, after a
  got                      3/4 (= 0.75)
  want                     0
  rows of a "new york" $   target      draft
    after a                1/4 3/4 0   1/2 0 1/2
  total variation          1
  impossible               3/4 (= 0.75) on what the target never emits
  crash                    1/4 (= 0.25): ValueError: no luck
  level                    rational, 4 runs
  reproduce                audit.step(odd, tables, drafts=1)"""
    )


def test_the_worst_tables_come_first_and_the_others_are_named():
    lines = message_of(from_the_target, [HALVES, portfolio()[1]]).splitlines()
    assert lines[0] == "from_the_target is lossy: on 2 of 2 tables, the worst: a peaked draft"
    assert lines[-2:] == [
        "                    audit.step(from_the_target, audit.portfolio()[1])",
        "  also lossy        one half: total variation 1/16 (= 0.0625)",
    ]


def test_the_lines_to_reproduce_name_file_and_options(monkeypatch):
    monkeypatch.chdir(ROOT)
    file = "examples/theory.yaml"
    message = message_of(from_the_target, [HALVES, file], drafts=1, max_replays=99)
    here = Path(__file__).relative_to(ROOT).as_posix()
    assert (
        f"  reproduce         exactspec audit {here}:from_the_target --tables {file} --drafts 1 "
        "--max-replays 99\n"
        f"                    audit.step(from_the_target, load('{file}'), drafts=1, max_replays=99)\n"
    ) in message
    message = message_of(lambda block: from_the_target(block), [HALVES, HALVES])
    assert message.startswith("the sampler is lossy: on 2 of 2 tables, the worst: one half\n")
    assert "  reproduce         audit.step(sampler, tables[0])\n" in message


def test_the_command_to_reproduce_says_lossy_too(exactspec, monkeypatch):
    monkeypatch.chdir(ROOT)
    lines = message_of(from_the_target, "examples/theory.yaml").splitlines()
    command = next(line for line in lines if "exactspec audit" in line).split()[2:]
    ran = exactspec(*command)
    assert (ran.code, ran.err) == (1, "")
    assert "LOSSY for this pair of tables" in ran.out


def test_what_was_not_followed_to_its_end_is_undecided_and_fails():
    assert message_of(verify, HALVES, max_replays=2) == (
        """\
verify is undecided, and undecided is not lossless; tables: one half
  why               the program was run 2 times and its outcomes are not all seen
  hint              fewer drafts, tokens or a smaller vocabulary; or --max-replays
  reproduce         audit.step(verify, tables, max_replays=2)"""
    )
    with pytest.raises(NotLossless) as failure:
        assert_lossless(verify, HALVES, max_replays=2, accept_rounding=True)
    assert failure.value.word == "undecided"


def test_what_has_no_exact_rule_is_an_error_with_its_reason():
    with pytest.raises(
        AuditError, match=r"\[audit-no-rule\] random.gauss has no exact rule"
    ) as error:
        assert_lossless(lambda block: [int(random.gauss(0, 1))], HALVES)
    assert error.value.__notes__ == [
        "on the tables: one half",
        "hint: the audit follows uniform numbers, exponential times and choices",
    ]


def test_floats_are_undecided_unless_rounding_is_accepted():
    assert message_of(verify, HALVES, level="float") == (
        """\
verify is undecided, and undecided is not lossless; tables: one half
  why               total variation 0 is within rounding, which may be ~ 3.815e-6
  level             float, 5 runs
  hint              level="rational", or accept_rounding=True
  reproduce         audit.step(verify, tables, level='float')"""
    )
    assert_lossless(verify, HALVES, level="float", accept_rounding=True)
    with pytest.raises(NotLossless, match="from_the_target is lossy"):
        assert_lossless(from_the_target, HALVES, level="float", accept_rounding=True)


def test_an_undecided_table_beside_a_lossy_one_is_named_with_its_reason():
    lines = message_of(from_the_target, [HALVES, portfolio()[0]], max_replays=9).splitlines()
    assert lines[0] == "from_the_target is lossy: on 1 of 2 tables, the worst: one half"
    reason = "the program was run 9 times and its outcomes are not all seen"
    assert lines[-1] == f"  also undecided    rows that depend on the prefix: {reason}"


def rows(target, draft):
    """Takes the rows, not the block that they are in."""
    return [0]


def test_mistakes_of_the_caller_are_told_as_such():
    with pytest.raises(ValueError, match="there is no level 'exact': one of rational, float, grid"):
        assert_lossless(verify, level="exact")
    with pytest.raises(ModelError, match="the file can't be read"):
        assert_lossless(verify, "no-such-file.yaml")
    with pytest.raises(ValueError, match="drafts is a whole number, 0 or more: not -1"):
        assert_lossless(verify, drafts=-1)
    with pytest.raises(ValueError, match="length is a whole number, 1 or more: not '2'"):
        assert_sequences_lossless(verify, length="2")
    with pytest.raises(TypeError, match=r"rows takes \(target, draft\), .* with \(block\)"):
        assert_lossless(rows)
    with pytest.raises(TypeError, match=r"is called with \(tables, length, drafts\)"):
        assert_sequences_lossless(rows, length=2)
    with pytest.raises(ModelError, match="depends on t, which has no value here"):
        assert_lossless(verify, ROOT / "examples/parameters/open-target.yaml")


def loop(tables, length, row_of):
    """Tokens, each drawn from a model's row."""
    ids = ()
    while len(ids) < length and tables.end not in ids:
        row = row_of(tables.context + ids)
        ids += tuple(random.choices(range(len(row)), row))
    return ids


def test_loops_are_audited_alike():
    def from_the_target(tables, length, drafts):
        assert drafts == 2
        return loop(tables, length, tables.target)

    def from_the_draft(tables, length, drafts):
        return loop(tables, length, tables.draft)

    assert_sequences_lossless(from_the_target, length=2)

    with pytest.raises(NotLossless) as failure:
        assert_sequences_lossless(from_the_draft, HALVES, length=2)
    assert str(failure.value) == (
        """\
from_the_draft is lossy; tables: one half
  worst sequence    b b
  got               1/4 (= 0.25)
  want              9/16 (= 0.5625)
  rows of a b       target    draft
    after nothing   1/4 3/4   1/2 1/2
    after b         1/4 3/4   1/2 1/2
  total variation   5/16 (= 0.3125)
  level             rational, 4 runs
  reproduce         assert_sequences_lossless(from_the_draft, tables, length=2)"""
    )


class InTheStyleOfUnittest(unittest.TestCase):
    def test_it(self):
        assert_lossless(verify, HALVES)
        with self.assertRaisesRegex(AssertionError, "from_the_target is lossy"):  # noqa: PT027
            assert_lossless(from_the_target, HALVES)


def outcome_of(pytester, *arguments):
    """How a run of pytest ends, and what it prints."""
    result = pytester.runpytest_subprocess(
        "--strict-markers", "-p", "no:hypothesispytest", *arguments
    )
    return result.parseoutcomes(), result.stdout


def test_a_marked_sampler_is_one_test_for_each_pair_of_tables(pytester):
    pytester.makepyfile(
        RIGHT
        + """
@pytest.mark.lossless
def test_right(block):
    return verify(block)

@pytest.fixture
def wrong():
    return True

class TestMethods:
    @pytest.mark.lossless(drafts=1)
    def test_wrong(self, block, wrong):
        return verify(block, wrong)
"""
    )
    outcomes, printed = outcome_of(pytester, "-v")
    assert outcomes == {"passed": 11, "failed": 9}
    printed.fnmatch_lines(
        [
            "*::test_right[[]a peaked draft[]] PASSED*",
            "*::test_wrong[[]equal rows[]] PASSED*",
            "_* TestMethods.test_wrong[[]zeros in the draft[]] _*",
            "test_wrong is lossy; tables: zeros in the draft",
            "  reproduce         audit.step(test_wrong, audit.portfolio()[[]4[]], drafts=1)",
        ]
    )
    printed.no_fnmatch_line("*pytest_plugin.py*")


def test_a_marked_test_chooses_tables_level_and_length(pytester):
    pytester.mkdir("models").joinpath("toy.yaml").write_text(MODEL)
    pytester.makepyfile(
        RIGHT
        + """
@pytest.mark.lossless("models/toy.yaml", drafts=3, level="float", accept_rounding=True)
def test_floats(block):
    assert block.draft_length == 3
    return verify(block)

@pytest.mark.lossless(["models/toy.yaml"], length=1)
def test_a_loop(tables, drafts):
    assert drafts == 1
    return random.choices(range(tables.size), tables.target(tables.context))
"""
    )
    outcomes, printed = outcome_of(pytester, "-v")
    assert outcomes == {"passed": 2}
    printed.fnmatch_lines(
        ["*::test_floats[[]a toy[]] PASSED*", "*::test_a_loop[[]a toy[]] PASSED*"]
    )


@pytest.mark.parametrize(
    ("marked", "told"),
    [
        (
            "lossless(draft=2)\ndef test_it(block)",
            "lossless: got an unexpected keyword argument 'draft'; *",
        ),
        ("lossless\ndef test_it()", "a test marked lossless takes 'block': def test_it(block)"),
        ("lossless(length=2)\ndef test_it(block)", "a test marked lossless takes 'tables': *"),
        (
            "lossless(level='exact')\ndef test_it(block)",
            "lossless: level is one of rational, *, grid",
        ),
        ("lossless\nasync def test_it(block)", "a test marked lossless is no coroutine: *"),
        ("lossless('none.yaml')\ndef test_it(block)", "none.yaml: error[[]unreadable[]]: *"),
    ],
)
def test_a_marker_that_is_written_wrongly_says_so(marked, told, pytester):
    pytester.makepyfile(f"import pytest\n@pytest.mark.{marked}: return [0]\n")
    outcomes, printed = outcome_of(pytester)
    assert outcomes == {"errors": 1}
    printed.fnmatch_lines([told])


def test_what_has_no_exact_rule_is_told_with_its_hint_and_a_skip_is_a_skip(pytester):
    pytester.makepyfile(
        """
import random
import pytest

@pytest.mark.lossless
def test_normal(block):
    return [int(random.gauss(0, 1))]

@pytest.mark.lossless
def test_later(block):
    pytest.skip("another time")
"""
    )
    outcomes, printed = outcome_of(pytester, "-k", "equal")
    assert outcomes == {"failed": 1, "skipped": 1, "deselected": 18}
    printed.fnmatch_lines(
        [
            "error[[]audit-no-rule[]]: random.gauss has no exact rule, at *.py:6",
            "  on the tables: equal rows",
            "  hint: the audit follows uniform numbers, exponential times and choices",
        ]
    )


def test_the_assertions_and_the_tables_are_fixtures(pytester):
    pytester.makepyfile(
        RIGHT
        + """
def test_each(exactspec_tables, assert_lossless):
    assert_lossless(verify, exactspec_tables)

def test_wrong(assert_lossless):
    assert_lossless(lambda block: verify(block, wrong=True))

def test_loop(assert_sequences_lossless):
    assert_sequences_lossless(lambda tables, length, drafts: [0], length=1)
"""
    )
    outcomes, printed = outcome_of(pytester)
    assert outcomes == {"passed": 10, "failed": 2}
    printed.fnmatch_lines(
        ["E *NotLossless: the sampler is lossy: on 9 of 10 tables, the worst: zeros in the draft"]
    )
    printed.no_fnmatch_line("*asserting.py*")


def test_model_files_are_tests(pytester):
    pytester.path.joinpath("rules.py").write_text(WRONG_RULE)
    lossy = MODEL + "algorithm: rules.py:never_rejects\n"
    files = {
        "right": MODEL,
        "wrong": lossy,
        "control": lossy + "expect: lossy\n",
        "missed": MODEL + "expect: lossy\n",
        "broken": MODEL + "foo: 1\n",
        "every": MODEL.replace("a: 1/4, b: 3/4", "a: t, b: 1 - t") + "parameters: t in (0, 1)\n",
    }
    for name, text in files.items():
        pytester.path.joinpath(f"{name}.exactspec.yaml").write_text(text)
    outcomes, printed = outcome_of(pytester, "-rA")
    assert outcomes == {"passed": 3, "failed": 3}
    for name in ("right", "control", "every"):
        printed.fnmatch_lines([f"PASSED {name}.exactspec.yaml::check"])
    printed.fnmatch_lines(
        [
            "_* exactspec check broken.exactspec.yaml _*",
            "broken.exactspec.yaml:8:1: error[[]unknown-key[]]: unknown key foo",
            "  8 | foo: 1",
            "_* exactspec check missed.exactspec.yaml _*",
            "missed.exactspec.yaml is lossless, expected lossy",
            "*NOT as the file expects: expect: lossy*",
            "_* exactspec check wrong.exactspec.yaml _*",
            "wrong.exactspec.yaml is lossy",
            "*LOSSY from horizon 1 on*",
            "A shortest counterexample",
            "sequences that begin with: a",
            "got         1/2 (= 0.5)",
            "the whole report: exactspec check --allow-rules wrong.exactspec.yaml",
        ]
    )


def test_an_undecided_model_file_fails_unless_it_expects_that(pytester):
    text = MODEL + "algorithm: rules.py:drifts\n"
    pytester.path.joinpath("rules.py").write_text(
        "from exactspec import Round\n"
        "def drifts(chance, target, draft, context, *, draft_length):\n"
        "    return Round([chance.draw(target(context), 'token')], state=len(context))\n"
    )
    pytester.path.joinpath("a.exactspec.yml").write_text(text)
    pytester.path.joinpath("b.exactspec.yaml").write_text(text + "expect: undecided\n")
    outcomes, printed = outcome_of(pytester)
    assert outcomes == {"passed": 1, "failed": 1}
    printed.fnmatch_lines(["a.exactspec.yml is undecided"])


def test_everything_runs_in_several_processes(pytester):
    pytester.path.joinpath("toy.exactspec.yaml").write_text(MODEL)
    pytester.makepyfile(
        RIGHT + "@pytest.mark.lossless\ndef test_it(block): return verify(block, 1)\n"
    )
    result = pytester.runpytest_subprocess("-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=2, failed=9)
    result.stdout.fnmatch_lines(["test_it is lossy; tables: a peaked draft"])


def test_the_markers_levels_and_defaults_are_those_of_the_assertion():
    marker = inspect.signature(pytest_plugin._lossless).parameters
    for name, option in inspect.signature(assert_lossless).parameters.items():
        assert name == "step" or marker[name].default == option.default
    assert pytest_plugin._LEVELS == LEVELS


def test_the_plugin_alone_imports_nothing_heavy():
    program = (
        "import sys, pytest; before = set(sys.modules); import exactspec.pytest_plugin\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    )
    assert run.stdout.split() == ["exactspec", "exactspec.pytest_plugin"]


@pytest.mark.parametrize("name", [name for name in PAGE_FILES if name.endswith(".py")])
def test_every_test_of_the_page_ends_as_the_page_says(name, pytester):
    for library in re.findall(r"^import (torch|numpy)", PAGE_FILES[name], re.MULTILINE):
        if find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    pytester.path.joinpath(name).write_text(PAGE_FILES[name])
    result = pytester.runpytest_subprocess("--strict-markers", name)
    fails = name == "test_with_python.py"
    assert (
        (set(result.parseoutcomes()), result.ret) == ({"failed"}, 1) if fails else ({"passed"}, 0)
    )


@pytest.mark.parametrize(("arguments", "shown"), PAGE_RUNS)
def test_what_pytest_prints_on_the_page_is_what_it_prints(arguments, shown, pytester):
    for name, text in PAGE_FILES.items():
        pytester.path.joinpath(name).write_text(text)
    printed = pytester.runpytest_subprocess(*arguments.split()).outlines
    rest = iter([re.sub(r" +\[ *\d+%\]$", "", line) for line in printed])
    for line in shown.splitlines():
        assert line == "..." or line in rest, f"pytest does not print: {line}"
