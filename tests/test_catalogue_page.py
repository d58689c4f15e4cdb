"""The page of the catalogue, made from the rules and from their runs on the common toy."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from exactspec import check, load
from exactspec.algorithms import CATALOGUE, LOSSLESS, LOSSY, MISTAKES
from exactspec.check.verdict import Lossless
from exactspec.render.catalogue import option_defaults
from exactspec.text import decimal_text, fraction_and_decimal

PAGE = Path(__file__).parent.parent / "docs" / "catalogue.md"
TOY = load("examples/theory.yaml")
HEAD = """\
# The catalogue

The rules that exactspec knows: lossless ones with their condition, lossy ones, and mistakes that were
made. Each is one short file in `exactspec/algorithms`, to be read beside its paper; `exactspec algorithms`
lists them, and any of them judges a model file with `--rule NAME` or `algorithm: NAME`.

The figures are those of `examples/theory.yaml` (three tokens, draft length 2, horizon 4) with the options'
defaults: expected accepted drafts in the first round, expected target calls to the horizon, and the total
variation distance of the emitted sequences from the wanted ones. "Its own law" marks rules that are judged
by the law that they promise, not by the target. This page is made by the tests.
"""
KINDS = (
    ("Lossless", "Under the condition that each section gives, whatever the tables.", LOSSLESS),
    ("Lossy by design", "They trade the target's law for speed, or for a benchmark.", LOSSY),
    (
        "Mistakes",
        "Wrong variants, seen in code or a temptation; each is found lossy here.",
        MISTAKES,
    ),
)


def test_the_page_of_the_catalogue_is_current(golden: Callable[[Path, str], None]) -> None:
    golden(PAGE, "\n".join(_page()))


def _page() -> Iterator[str]:
    yield HEAD
    for title, about, names in KINDS:
        yield from (f"## {title}", "", about, "")
        yield "| rule | verdict | E[accepted] | E[calls] | distance |"
        yield "| --- | --- | --- | --- | --- |"
        yield from map(_row, names)
        yield ""
        for name in names:
            yield from _section(name)


def _row(name: str) -> str:
    rule = CATALOGUE[name]
    own = rule.wanted is not None
    result = check(replace(TOY, wanted="rule") if own else TOY, rule)
    mean = result.round_figures[0].mean_accepted
    word = result.verdict.word + (" to its own law" if own else "")
    if isinstance(result.verdict, Lossless) and result.verdict.scope.horizon is not None:
        word += f" {result.verdict.scope}"
    figures = [
        "-" if mean is None else fraction_and_decimal(mean),
        decimal_text(result.run.calls).lstrip("~= "),
        decimal_text(result.listing.total_variation).lstrip("~= "),
    ]
    return f"| [`{name}`](#{name}) | {word} | {' | '.join(figures)} |"


def _section(name: str) -> Iterator[str]:
    rule = CATALOGUE[name]
    summary, _, rest = (inspect.getdoc(rule.function) or "").partition("\n")
    yield from (f"### {name}", "")
    yield from (summary, "")
    if rest.strip():
        yield from (rest.strip("\n"), "")
    facts = {
        "Lossless when": rule.lossless_when,
        "Seen in": rule.seen_in,
        "Options": ", ".join(f"`{key}: {value}`" for key, value in option_defaults(rule).items()),
        "Source": rule.paper,
        "File": f"`{Path(inspect.getsourcefile(rule.function)).relative_to(PAGE.parent.parent)}`",
    }
    yield from (f"- {key}: {value}" for key, value in facts.items() if value)
    yield ""
