"""Mutants of an audited function: how many were killed, and each one that was not."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from exactspec.audit.mutants import Score, Tried
from exactspec.audit.mutation.source import Mutant
from exactspec.audit.mutation.trial import KINDS
from exactspec.render.output import Page
from exactspec.render.parts import heading
from exactspec.text import counted, show, visible

_IN_WORDS = {
    "lossy": "by a wrong law",
    "crash": "by an exception",
    "refused": "that can't be audited any more",
    "endless": "that do not end",
}


def mutants_text(page: Page, score: Score | None) -> None:
    """How many mutants were killed, and the survivors with their lines before and after.

    Args:
        page: where it goes.
        score: what was found; None where no tables could tell anything.
    """
    if score is None:
        page.add(heading("Mutants"))
        page.add(Text("Not tried: the program itself is not lossless on any of these tables."))
        return
    page.add(heading(f"Mutants of {show(score.function)}"))
    page.add(*_figures(score))
    for mutant in score.survivors:
        page.add(*_survivor(mutant))


def _figures(score: Score) -> Iterator[RenderableType]:
    yield Text(f"killed {score.killed} of {len(score.tried)}", "bold")
    for kind in KINDS:
        if score.killed_as(kind):
            yield Text(f"  {score.killed_as(kind)} {_IN_WORDS[kind]}")
    if score.survivors:
        yield Text(
            f"{counted(len(score.survivors), 'survivor')}: each one means the same as the original, or "
            "shows what these tables do not reach."
        )
    if score.left_out:
        titles = ", ".join(map(show, score.left_out))
        yield Text(f"Not tried on tables where the program itself is lossy: {titles}.", "dim")


def _survivor(mutant: Mutant) -> Iterator[RenderableType]:
    yield Text(f"\nline {mutant.line}: {visible(mutant.change)}")
    yield Text(f"  - {visible(mutant.before)}", "red", no_wrap=True)
    yield Text(f"  + {visible(mutant.after)}", "green", no_wrap=True)


def mutants_data(score: Score | None) -> dict[str, Any] | None:
    """The same as JSON, with every mutant."""
    if score is None:
        return None
    return {
        "function": score.function,
        "count": len(score.tried),
        "killed": score.killed,
        **{kind: score.killed_as(kind) for kind in KINDS},
        "tables": list(score.tables),
        "left_out": list(score.left_out),
        "mutants": [_tried_data(tried) for tried in score.tried],
    }


def _tried_data(tried: Tried) -> dict[str, Any]:
    mutant, killed = tried.mutant, tried.killed
    return {
        "line": mutant.line,
        "change": mutant.change,
        "before": mutant.before,
        "after": mutant.after,
        "killed": None
        if killed is None
        else {"kind": killed.kind, "tables": killed.tables, "reason": killed.reason},
    }
