"""``exactspec prove`` from outside: exit codes, options, files, what it prints, also for hostile rules."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactspec.algorithms import CATALOGUE
from exactspec.prove.proof import Claim, prove
from exactspec.prove.written import written
from exactspec.render.notation import quotient_text

Program = Callable[..., Any]
SIZE = ("--vocabulary", 2, "--draft-length", 1)
RULE = """
import sys

from exactspec import Round, minimum


def printing(chance, target, draft, context, *, draft_length):
    print("a guest's line")
    return Round((chance.draw(target(context), "target"),))


def ending(chance, target, draft, context, *, draft_length):
    sys.exit(0)


def interrupting(chance, target, draft, context, *, draft_length):
    raise KeyboardInterrupt


def endless(chance, target, draft, context, *, draft_length):
    while True:
        pass


def recursive(chance, target, draft, context, *, draft_length):
    return recursive(chance, target, draft, context, draft_length=draft_length)


def ratio_without_minimum(chance, target, draft, context, *, draft_length):
    token = chance.draw(draft(context), "draft")
    chance.accept(target(context)[token] / draft(context)[token])
    return Round((token,))


def formatting(chance, target, draft, context, *, draft_length):
    f"{target(context)['a']}"
    return Round((chance.draw(target(context), "target"),))


def configured(chance, target, draft, context, *, draft_length, share, names=("x",)):
    token = chance.draw(draft(context), "draft")
    chance.accept(share)
    return Round((token,))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(RULE, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("rule", "code", "word"),
    [
        ("token_level", 0, "PROVED"),
        ("target_instead_of_residual", 1, "REFUTED"),
        ("rules.py:printing", 0, "PROVED"),
        ("rules.py:formatting", 3, "UNDECIDED"),
        ("rules.py:ratio_without_minimum", 1, "REFUTED"),
    ],
)
def test_each_outcome_has_its_word_and_exit_code(
    folder: Path, exactspec: Program, rule: str, code: int, word: str
) -> None:
    ran = exactspec("prove", rule, *SIZE)
    assert ran.code == code
    assert f"│ {word}" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tokn_level", *SIZE), "unknown rule tokn_level"),
        (("rules.py:missing", *SIZE), "the file has no function missing"),
        (("no-such.py:rule", *SIZE), "can't be loaded"),
        (("token_level", "--vocabulary", 1, "--draft-length", 1), "--vocabulary"),
        (("token_level", "--vocabulary", 2), "--draft-length"),
        (("token_level", *SIZE, "--option", "width"), "not of the form name=value"),
        (("token_level", *SIZE, "--option", "width=1"), "no option width"),
        (("rules.py:configured", *SIZE), "needs the option share"),
        (("rules.py:ending", *SIZE), "SystemExit"),
    ],
)
def test_bad_input_ends_with_2_and_says_what_is_wrong(
    folder: Path, exactspec: Program, arguments: tuple[object, ...], message: str
) -> None:
    ran = exactspec("prove", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert not ran.out


def test_an_option_reaches_the_rule_and_the_witness(folder: Path, exactspec: Program) -> None:
    name = '--option=names="] , \x1b[31m'
    ran = exactspec(
        "prove", "rules.py:configured", *SIZE, "--option", "share=1/3", name, "--witness", "w.yaml"
    )
    assert ran.code == 1
    assert "\x1b" not in ran.out + ran.err
    again = exactspec("check", "w.yaml", "--rule", "rules.py:configured", "--format", "json")
    (result,) = json.loads(again.out)["results"]
    assert again.code == 1
    assert result["rule"]["options"] == {"share": "1/3", "names": ['"]', "\x1b[31m"]}


def test_a_witness_is_checked_as_lossy(folder: Path, exactspec: Program) -> None:
    assert exactspec("prove", "target_instead_of_residual", *SIZE, "--witness", "w.yaml").code == 1
    assert exactspec("check", "w.yaml").code == 1


def test_an_existing_file_is_refused_before_the_work_and_stays(
    folder: Path, exactspec: Program
) -> None:
    (folder / "w.yaml").write_text("mine")
    ran = exactspec("prove", "target_instead_of_residual", *SIZE, "--witness", "w.yaml")
    assert ran.code == 2
    assert "never overwritten" in ran.err
    assert not ran.out
    assert (folder / "w.yaml").read_text() == "mine"


def test_no_witness_is_written_for_what_is_proved(folder: Path, exactspec: Program) -> None:
    ran = exactspec("prove", "token_level", *SIZE, "--witness", "w.yaml")
    assert ran.code == 0
    assert "none was written" in ran.err
    assert not (folder / "w.yaml").exists()


def test_what_a_rule_prints_is_not_in_the_report(folder: Path, exactspec: Program) -> None:
    ran = exactspec("prove", "rules.py:printing", *SIZE)
    assert "a guest's line" in ran.err
    assert "a guest's line" not in ran.out


def test_ctrl_c_ends_with_130(folder: Path, exactspec: Program) -> None:
    assert exactspec("prove", "rules.py:interrupting", *SIZE).code == 130


def test_a_timeout_is_undecided(folder: Path, exactspec: Program) -> None:
    ran = exactspec("prove", "rules.py:endless", *SIZE, "--timeout", 0.1, "--format", "json")
    assert ran.code == 3
    verdict = json.loads(ran.out)["verdict"]
    assert verdict["word"] == "undecided"
    assert verdict["open"] == ["0.1 seconds are over"]


def test_a_rule_without_an_end_is_no_crash(folder: Path, exactspec: Program) -> None:
    assert exactspec("prove", "rules.py:recursive", *SIZE).code in (1, 3)


def test_a_limit_of_parts_is_undecided(folder: Path, exactspec: Program) -> None:
    ran = exactspec("prove", "gumbel_coupling", *SIZE, "--max-parts", 1)
    assert ran.code == 3
    assert "more than 1 part" in " ".join(ran.out.split())


def test_an_error_is_in_the_json_document(folder: Path, exactspec: Program) -> None:
    ran = exactspec("prove", "nothing", *SIZE, "--format", "json")
    assert ran.code == 2
    document = json.loads(ran.out)
    assert document["verdict"] == {"word": "error"}
    assert document["diagnostics"][0]["code"] == "unknown-rule"


@pytest.mark.parametrize("form", ["text", "json", "latex"])
def test_the_same_claim_gives_the_same_bytes(folder: Path, exactspec: Program, form: str) -> None:
    command = ("prove", "block_verification", "--vocabulary", 2, "--draft-length", 2)
    one, other = (exactspec(*command, "--explain", "--format", form) for _ in range(2))
    assert one.out == other.out != ""


@pytest.mark.parametrize(
    ("rule", "draft_length"),
    [("token_level", 2), ("block_verification", 2), ("k_seq", 1), ("gumbel_coupling", 1)],
)
def test_no_line_of_a_report_is_wider_than_the_page(
    exactspec: Program, rule: str, draft_length: int
) -> None:
    ran = exactspec("prove", rule, "--vocabulary", 2, "--draft-length", draft_length, "--explain")
    assert max(map(len, ran.out.split("\n"))) <= 80


@pytest.mark.parametrize(
    ("rule", "laws"),
    [
        (
            "token_level",
            [
                "[p(x) - q(x)]+",
                "min(p(x), q(x)) [p(y | h x) - q(y | h x)]+",
                "min(p(x), q(x)) min(p(y | h x), q(y | h x)) p(z | h x y)",
            ],
        ),
        (
            "block_verification",
            [
                "[p(x) - q(x)]+",
                "[min(p(x), q(x)) p(y | h x) - q(x) q(y | h x)]+",
                "min(min(p(x), q(x)) p(y | h x), q(x) q(y | h x)) p(z | h x y)",
            ],
        ),
        ("draft_as_one_hot", None),
    ],
)
def test_the_law_of_a_block_is_that_of_the_paper(rule: str, laws: list[str] | None) -> None:
    proof = written(prove(Claim(CATALOGUE[rule], rule, 3, 2, {})))
    found = proof.theorems[0].block_laws
    if laws is None:
        assert found
    else:
        assert [quotient_text(mass) for _, mass in found] == laws
        assert [len(block) for block, _ in found] == [1, 2, 3]


@pytest.mark.parametrize(
    "command",
    [
        "token_level --vocabulary 3 --draft-length 2 --explain",
        "recursive_rejection_with_replacement --vocabulary 2 --draft-length 1 --explain",
        "gumbel_coupling --vocabulary 2 --draft-length 1",
        "target_instead_of_residual --vocabulary 2 --draft-length 1",
        "rules.py:formatting --vocabulary 2 --draft-length 1",
    ],
)
def test_latex_has_its_brackets_and_environments_closed(
    folder: Path, exactspec: Program, command: str
) -> None:
    text = exactspec("prove", *command.split(), "--format", "latex").out
    assert text.isascii()
    code = re.sub(r"\\[{}$%&_#]", "", "\n".join(x for x in text.split("\n") if x[:1] != "%"))
    depth = 0
    for character in code:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert code.count("$") % 2 == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", code):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    assert "_" not in re.sub(r"_[{a-z+]|\]_\+", "", code)
