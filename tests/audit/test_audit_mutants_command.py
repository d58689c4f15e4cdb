"""``exactspec audit --mutants``: the report, JSON, the exit code, and what can't be mutated."""

import json

import pytest

FILE = "tests/audit/samplers_mutated.py"
TABLES = ("--tables", "examples/theory.yaml")


def test_the_report_ends_with_the_score_and_the_survivors(exactspec):
    ran = exactspec("audit", f"{FILE}:step", "--mutate", f"{FILE}:residual", *TABLES)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.partition("\nMutants ")[2].splitlines() == [
        "of tests/audit/samplers_mutated.py:residual",
        "killed 14 of 15",
        "  4 by a wrong law",
        "  10 by an exception",
        "1 survivor: each one means the same as the original, or shows what these tables",
        "do not reach.",
        "",
        "line 22: `True` becomes `False`",
        "  - return [max(a - b, 0) for a, b in zip(p, q, strict=True)]",
        "  + return [max(a - b, 0) for a, b in zip(p, q, strict=False)]",
    ]


def test_without_mutate_the_program_itself_is_changed(exactspec):
    ran = exactspec("audit", f"{FILE}:waiting", "--mutants", *TABLES)
    assert f"Mutants of {FILE}:waiting\nkilled " in ran.out


def test_json_lists_every_mutant(exactspec):
    options = ("--mutate", f"{FILE}:drawn", "--format", "json")
    found = json.loads(exactspec("audit", f"{FILE}:step", *options, *TABLES).out)["mutants"]
    mutants = found.pop("mutants")
    assert found == {
        "function": f"{FILE}:drawn",
        "count": 3,
        "killed": 2,
        "lossy": 0,
        "crash": 1,
        "refused": 1,
        "endless": 0,
        "tables": ["the worked example of the theory"],
        "left_out": [],
    }
    assert [mutant["line"] for mutant in mutants] == [27, 27, 27]
    assert mutants[2] == {
        "line": 27,
        "change": "`0` becomes `-1`",
        "before": "return random.choices(range(len(weights)), weights)[0]",
        "after": "return random.choices(range(len(weights)), weights)[-1]",
        "killed": None,
    }


def test_without_the_option_there_are_no_mutants(exactspec):
    ran = exactspec("audit", f"{FILE}:step", "--format", "json", *TABLES)
    assert "mutants" not in json.loads(ran.out)


def test_a_lossy_program_is_lossy_and_its_mutants_are_not_tried(exactspec):
    ran = exactspec("audit", f"{FILE}:lossy", "--mutants", *TABLES)
    assert ran.code == 1
    assert ran.out.endswith(
        "\nMutants\nNot tried: the program itself is not lossless on any of these tables.\n"
    )


@pytest.mark.parametrize(
    ("mutate", "message"),
    [
        (f"{FILE}:nothing", "there is no function nothing in it"),
        ("nowhere.py:step", "the program has not imported this file"),
        ("random:Random.random", "it is not a Python function"),
        (f"{FILE}:waiting", "the audited program never calls it"),
        ("verify", "no function is named"),
    ],
)
def test_what_can_not_be_mutated_is_bad_input(exactspec, mutate, message):
    ran = exactspec("audit", f"{FILE}:step", "--mutate", mutate, *TABLES)
    assert ran.code == 2
    assert message in ran.err


def test_an_adapters_own_code_is_not_what_is_audited(exactspec, monkeypatch):
    from exactspec.audit.program import Program
    from exactspec.cli import auditing

    program = Program("toy", lambda block: [0], None, package="toy 1.0")
    monkeypatch.setattr(auditing, "adapted", lambda name: program)
    equal = ("--tables", "examples/edge-cases/one-token.yaml")
    ran = exactspec("audit", "--adapter", "toy", "--mutants", "--drafts", "0", *equal)
    assert ran.code == 2
    assert "error[audit-mutate-adapter]" in ran.err


def test_what_can_not_be_mutated_is_said_before_the_audit(exactspec, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "def step(block):\n    print('ran')\n    return [0]\nsame = lambda b: step(b)\n"
    )
    ran = exactspec("audit", f"{file}:same", "--mutants", *TABLES)
    assert (ran.code, "audit-no-mutants" in ran.err) == (2, True)
    assert "ran\n" not in ran.err
