"""Mutants of transformers' own function: those that docs/audit-mutants.md lists survive, others do not.

The whole run takes minutes and is a command of that page. Here all listed survivors are tried, and
every twelfth of the others, on one pair of tables.
"""

import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers", "5.24.0")

import transformers_steps  # noqa: E402

from exactspec import audit  # noqa: E402
from exactspec.audit.mutation.operators import mutants_of  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs/audit-mutants.md"
STEPS = [transformers_steps.plain, transformers_steps.relaxed]
TABLES = audit.portfolio()[:1]
ROW = re.compile(r"^\| (\d+) \| `(.*)` \| .+ \|$", re.MULTILINE)
pytestmark = pytest.mark.skipif(
    transformers.__version__ != "5.24.0", reason="the page is about transformers 5.24.0"
)


def listed():
    """The survivors of the page: their lines, and the lines with the change."""
    return {(int(line), text) for line, text in ROW.findall(PAGE.read_text("utf-8"))}


def as_listed(mutant):
    text = mutant.after.partition(" #")[0]
    return mutant.line, f"(deleted) {mutant.before}" if text == "pass" else text


def function():
    from transformers.generation.utils import _speculative_sampling

    return _speculative_sampling


def test_the_page_has_as_many_mutants_and_survivors_as_there_are():
    mutants = mutants_of(function())
    survivors = [mutant for mutant in mutants if as_listed(mutant) in listed()]
    assert (len(mutants), len(survivors), len(listed())) == (129, 20, 20)
    assert f"has {len(mutants)} mutants, and the built-in tables kill {129 - 20}." in (
        PAGE.read_text("utf-8")
    )


@pytest.mark.parametrize("step", [*STEPS, transformers_steps.either])
def test_both_branches_are_lossless(step):
    assert audit.step(step, TABLES[0], drafts=2).word == "lossless"


def test_the_listed_survivors_survive():
    score = audit.mutants(
        STEPS,
        mutate=function(),
        scenarios=TABLES,
        drafts=1,
        choose=lambda mutants: [m for m in mutants if as_listed(m) in listed()],
    )
    assert {as_listed(mutant) for mutant in score.survivors} == listed()


def test_a_sample_of_the_others_is_killed():
    score = audit.mutants(
        STEPS,
        mutate=function(),
        scenarios=TABLES,
        drafts=2,
        choose=lambda mutants: [m for m in mutants if as_listed(m) not in listed()][::12],
    )
    assert (score.killed, len(score.tried)) == (10, 10)


def test_the_original_is_as_it_was():
    assert "_exactspec_turn" not in function().__globals__
    assert function().__code__.co_filename == transformers.generation.utils.__file__
