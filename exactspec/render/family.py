"""A verdict for every value of a parameter, for a person: where it holds, counterexamples, formulas."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from exactspec.check.family import FamilyResult
from exactspec.check.pieces import (
    ContextPieces,
    LossyPart,
    Piece,
    context_pieces,
    expectations,
    horizon_of,
    irrational_points,
    lossy_parts,
    spans_of,
    verdicts,
)
from exactspec.parameter.roots import Root
from exactspec.parameter.span import spans_text
from exactspec.parameter.written import formula_of_polynomial, formula_text, point_text
from exactspec.render.output import DEFAULT_WIDTH, Page
from exactspec.render.parts import columns, heading, place_of, wanted_text
from exactspec.render.report import COLOURS, subject_text
from exactspec.text import show, show_tokens

_WORDS = ("lossy", "undecided", "lossless")
_LONGEST_FORMULA = 38
_WIDEST_FORMULA = 66
_SPANS_SHOWN = 6
_NAMES = {
    "expected_accepted": "expected accepted drafts",
    "expected_emitted": "expected emitted tokens",
    "expected_target_calls": "expected target calls",
    "expected_tokens": "expected tokens",
    "expected_drafted": "expected drafted tokens",
    "expected_speedup": "expected speed-up",
}


def family_report(page: Page, result: FamilyResult, rows: int) -> None:
    """The whole report on one model with a parameter.

    Args:
        page: where it goes.
        result: what was found.
        rows: how many rows of a long table to show.
    """
    page.add(family_panel(result))
    page.add(*_verdicts(result, rows), *family_counterexamples(result, rows))
    for context in list(context_pieces(result))[:rows]:
        page.add(*_context(context, result.parameter.name))
    found = expectations(result)
    in_a_round = {key: found[key] for key in found if key in list(_NAMES)[:2]}
    in_a_run = {key: found[key] for key in found if key not in in_a_round}
    page.add(*_expected("The first round", in_a_round, result.parameter.name))
    page.add(*_expected(f"A run to horizon {horizon_of(result)}", in_a_run, result.parameter.name))
    page.add(*_roots(irrational_points(result), result.parameter.name))


def family_panel(result: FamilyResult) -> Panel:
    """The verdict of every part of the range, and what it is about."""
    text = Text()
    for number, word in enumerate(word for word in _WORDS if spans_of(result, word)):
        text.append(f"{word.upper()} " if not number else f"\n{word} ", f"bold {COLOURS[word]}")
        text.append(f"for {where_text(result, word)}", COLOURS[word])
    name, whose = result.parameter.name, wanted_text(result.scenario)
    if result.word == "lossless":
        text.append(f"\nFor every {name} in {result.parameter} every output sequence has exactly ")
        text.append(f"{whose} probability.")
    text.append("\n" + subject_text(result.scenario, result.rule), "dim")
    if result.scenario.expect is not None:
        met = "as the file expects" if result.as_expected else "NOT as the file expects"
        text.append(f"\n{met}: expect: {result.scenario.expect}", "bold")
    title = Text(show(result.scenario.title or result.scenario.file))
    style = COLOURS[result.word]
    return Panel(text, title=title, title_align="left", border_style=style, box=box.ROUNDED)


def where_text(result: FamilyResult, word: str) -> str:
    """The values of the parameter with a verdict; of very many parts the first."""
    spans = spans_of(result, word)
    text = spans_text(spans[:_SPANS_SHOWN], result.parameter.name)
    more = len(spans) - _SPANS_SHOWN
    return f"{text} and {more:,} more parts" if more > 0 else text


def _verdicts(result: FamilyResult, rows: int) -> Iterator[RenderableType]:
    yield heading("Verdicts")
    table = columns("", "")
    found = verdicts(result)
    for piece in found[:rows]:
        word, reach = piece.value
        where = piece.span.text(result.parameter.name)
        table.add_row(where, word if word == "undecided" else f"{word} {reach}")
    yield table
    reasons = [reach for word, reach in (piece.value for piece in found) if word == "undecided"]
    for reason in dict.fromkeys(reasons):
        yield Text(f"undecided: {reason}")
    if len(found) > rows:
        yield Text(f"… {len(found) - rows:,} more parts (--rows)", "dim")


def family_counterexamples(result: FamilyResult, rows: int) -> Iterator[RenderableType]:
    """For each part of the range where the rule is lossy: a shortest counterexample as formulas."""
    parts = list(lossy_parts(result))
    for part in parts[:rows]:
        yield from _counterexample(part, result.parameter.name)
    if len(parts) > rows:
        yield Text(f"… {len(parts) - rows:,} more counterexamples (--rows)", "dim")


def _counterexample(part: LossyPart, name: str) -> Iterator[RenderableType]:
    example = part.counterexample
    yield heading(f"A shortest counterexample for {part.span.text(name)}")
    yield Text(f"sequences that begin with: {show_tokens(example.tokens)}")
    table = columns("", "")
    for label in ("got", "want", "difference"):
        table.add_row(label, _short(formula_text(getattr(example, label), name), _WIDEST_FORMULA))
    yield table


def _context(context: ContextPieces, name: str) -> Iterator[RenderableType]:
    left = context.state.tokens_left
    yield heading(
        f"The round {place_of(context.state)}" + (f", {left} left" if left is not None else "")
    )
    yield from _figure("the first coin accepts", context.acceptance, name)
    if _written(context.rejection, name) == _written(context.total_variation, name):
        yield from _figure("it rejects = β", context.rejection, name)
    else:
        yield from _figure("it rejects", context.rejection, name)
        yield from _figure(
            "β, the total variation distance of p and q", context.total_variation, name
        )


def _expected(
    title: str, found: dict[str, tuple[Piece, ...]], name: str
) -> Iterator[RenderableType]:
    if found:
        yield heading(title)
    for key, found_pieces in found.items():
        yield from _figure(_NAMES[key], found_pieces, name)


def _figure(label: str, found: Sequence[Piece], name: str) -> Iterator[RenderableType]:
    """A figure with its formula for each part of the range; nothing where it has none."""
    if all(piece.value is None for piece in found):
        return
    yield Text(label, "dim")
    table = columns("", "")
    wheres = [f"  {piece.span.text(name)}" for piece in found]
    longest = max(_LONGEST_FORMULA, DEFAULT_WIDTH - 2 - max(map(len, wheres)))
    for where, piece in zip(wheres, found, strict=True):
        value = "-" if piece.value is None else _short(formula_text(piece.value, name), longest)
        table.add_row(where, value)
    yield table


def _written(found: Sequence[Piece], name: str) -> list[tuple[str, str]]:
    return [(str(piece.span), formula_text(piece.value, name)) for piece in found]


def _roots(points: Sequence[Root], name: str) -> Iterator[RenderableType]:
    """What the points are that have no short name."""
    found = [point for point in points if point_text(point).startswith("root")]
    if found:
        yield heading("Roots")
        table = columns("", "is a root of")
        for point in found:
            table.add_row(point_text(point), str(formula_of_polynomial(point.polynomial, name)))
        yield table


def _short(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    return f"{text[: longest - 18]}..., {len(text):,} characters"


def family_line(result: FamilyResult) -> Text:
    """The verdict on one line."""
    words: list[Any] = [word for word in _WORDS if spans_of(result, word)]
    text = Text(f"{result.word.upper()} {show(result.scenario.file)}: ")
    parts = [f"{where_text(result, words[0])}"]
    parts += [f"{word} for {where_text(result, word)}" for word in words[1:]]
    text.append("; ".join(parts))
    if result.word == "undecided":
        reasons = (piece.value[1] for piece in verdicts(result) if piece.value[0] == "undecided")
        text.append(f": {next(reasons)}")
    if result.scenario.expect is not None:
        text.append(", as expected" if result.as_expected else ", NOT as expected")
    return text
