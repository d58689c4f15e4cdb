"""Rules side by side, for a person."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exactspec.check.compare import Attained, Judged, SideBySide
from exactspec.check.round_laws import Difference
from exactspec.check.verdict import Lossless, Lossy
from exactspec.render.output import Page
from exactspec.render.parts import columns, heading, number, state_text, wanted_text
from exactspec.text import (
    counted,
    decimal_text,
    short_fraction_text,
    show,
    show_token,
    show_tokens,
)

_LONGEST = 24
_WORDS = ("lossless", "lossy", "undecided", "error")


def comparison(page: Page, table: SideBySide, rows: int) -> None:
    """The whole comparison.

    Args:
        page: where it goes.
        table: what was found.
        rows: how many rows of a long table to show.
    """
    page.add(_subject(table))
    page.add(*_figures(page, table))
    page.add(*_distances(table))
    page.add(*_notes(table))
    page.add(*_bounds(table))
    if table.difference is not None:
        page.add(*_difference(table, table.difference, rows))


def _subject(table: SideBySide) -> Panel:
    scenario, words = table.scenario, [judged.word for judged in table.rules]
    counts = ", ".join(f"{words.count(word)} {word}" for word in _WORDS if word in words)
    text = Text(f"{counted(len(words), 'rule')}: {counts}", "bold")
    end = "no end token" if scenario.end is None else f"end token {show_token(scenario.end)}"
    parts = [
        f"draft length {scenario.draft_length}",
        f"horizon {scenario.horizon}",
        f"vocabulary of {len(scenario.vocabulary)}, {end}",
    ]
    if scenario.prompt:
        parts.append(f"prompt {show_tokens(scenario.prompt)}")
    if scenario.max_tokens is not None:
        parts.append(f"max_tokens {scenario.max_tokens}")
    text.append("\n" + " · ".join(parts), "dim")
    title = Text(show(scenario.title or scenario.file))
    return Panel(text, title=title, title_align="left", box=box.ROUNDED)


def _figures(page: Page, table: SideBySide) -> Iterator[RenderableType]:
    yield heading("The first round, and a run to the horizon")
    exact = _figure_table(table, _with_decimal)
    fits = page.fits(exact)
    yield exact if fits else _figure_table(table, _decimal)
    where = "" if fits else " The exact fractions need a wider page, or --format json."
    yield Text(
        "accepted, emitted: expected tokens in the first round; calls: expected rounds until "
        f"the end or {counted(table.scenario.horizon or 0, 'token')}.{where}",
        "dim",
    )


def _figure_table(table: SideBySide, text: Callable[[Fraction | None], str]) -> Table:
    figures = columns("rule", "verdict", "accepted", "emitted", "calls")
    for judged in table.rules:
        values = judged.accepted, judged.emitted, judged.calls
        figures.add_row(show(judged.name), judged.word, *map(text, values))
    return figures


def _decimal(value: Fraction | None) -> str:
    return "-" if value is None else decimal_text(value)


def _with_decimal(value: Fraction | None) -> str:
    if value is None or value.denominator == 1:
        return number(value)
    return f"{short_fraction_text(value, _LONGEST)} ({decimal_text(value)})"


def _distances(table: SideBySide) -> Iterator[RenderableType]:
    lossy = [judged for judged in table.rules if judged.word == "lossy"]
    whose = wanted_text(table.scenario)
    if not lossy:
        if any(judged.word == "lossless" for judged in table.rules):
            yield Text(
                f"A lossless rule has distance 0 from {whose} law, ratio 1 for every sequence, and "
                "mass 0 where that law gives nothing.",
                "dim",
            )
        return
    yield heading(f"How far the lossy ones are from {whose} law, to the horizon")
    figures = columns("rule", "TV", "largest ratio", "on impossible sequences")
    for judged in lossy:
        figures.add_row(
            show(judged.name),
            _with_decimal(judged.distance),
            _ratio(judged),
            _with_decimal(judged.impossible),
        )
    yield figures
    yield Text(
        "TV: total variation distance; ratio: emitted/wanted of one sequence; impossible: the "
        "wanted law never gives them. Target calls of a lossy rule belong to other sequences, and "
        "don't compare with those of a lossless one.",
        "dim",
    )


def _ratio(judged: Judged) -> str:
    return "unbounded" if judged.impossible else _with_decimal(judged.largest_ratio)


def _notes(table: SideBySide) -> Iterator[RenderableType]:
    notes = [*_scopes(table), *_promises(table), *_reasons(table), *_files(table)]
    if notes:
        yield heading("Notes")
        yield from map(Text, notes)
    named: set[str] = set()
    lines = []
    for judged in table.rules:
        if judged.same_as and judged.name not in named:
            named.update(judged.same_as)
            lines.append(" = ".join(map(show, (judged.name, *judged.same_as))))
    if lines:
        yield heading("Same round law on this model")
        yield from map(Text, lines)


def _scopes(table: SideBySide) -> Iterator[str]:
    for judged in table.rules:
        verdict = judged.result.verdict if judged.result else None
        if isinstance(verdict, Lossless) and verdict.scope.horizon is not None:
            yield f"{show(judged.name)}: lossless {verdict.extent} only: {verdict.scope.reason}"
        if isinstance(verdict, Lossy) and verdict.lossless_to is not None:
            yield f"{show(judged.name)}: lossy {verdict.extent}, beyond the horizon shown here"


def _promises(table: SideBySide) -> Iterator[str]:
    for judged in table.rules:
        promises = judged.result is not None and judged.result.rule.wanted is not None
        if promises and judged.word == "lossy" and table.scenario.wanted != "rule":
            yield (
                f"{show(judged.name)}: promises a law of its own, and is judged here by "
                f"{wanted_text(table.scenario)} law (wanted: rule in the model file judges it by its own)"
            )


def _reasons(table: SideBySide) -> Iterator[str]:
    for judged in table.rules:
        if judged.reason is not None:
            yield f"{show(judged.name)}: {judged.reason}"


def _files(table: SideBySide) -> Iterator[str]:
    for judged in table.rules:
        rule = judged.result.rule if judged.result else None
        if rule is not None and rule.file is not None and rule.digest is not None:
            yield f"{show(judged.name)}: ran {show(rule.file)} (sha256 {rule.digest[:12]})"


def _bounds(table: SideBySide) -> Iterator[RenderableType]:
    yield heading("Known bounds for drafts from the file's draft table")
    if table.bounds is None:
        yield Text("None: each rule is judged by a law of its own.")
        return
    figures = columns("bound", "on", "value", "reached by")
    for attained in table.bounds:
        bound = attained.bound
        figures.add_row(
            bound.name,
            "first step" if bound.first_step else "accepted",
            bound.left_out or _with_decimal(bound.value),
            ", ".join(map(show, attained.reached_by)) or "-",
        )
    yield figures
    for attained in table.bounds:
        yield Text(f"{attained.bound.name}: {_condition(attained)}", "dim")
    yield Text(
        "First step: the probability that the first token is an accepted draft. Lossy rules are "
        "bound by none of these. No bound is known here for several drafted paths beyond their first "
        "step, for more than two candidates, or for drafts from another law, and none on target "
        "calls is claimed.",
        "dim",
    )


def _condition(attained: Attained) -> str:
    bound = attained.bound
    text = f"{bound.condition} can't beat {bound.formula}."
    if attained.exceeded_by:
        names = ", ".join(map(show, attained.exceeded_by))
        text += f" Above it, so no such rules: {names}."
    return text


def _difference(table: SideBySide, difference: Difference, rows: int) -> Iterator[RenderableType]:
    first, second = (show(judged.name) for judged in table.rules)
    yield heading(f"Where one round of {first} and of {second} differ")
    both = f"{counted(difference.compared, 'state')} in which a round of both begins"
    if not difference.states:
        yield Text(f"Nowhere among {both}: the emitted blocks have the same law there.")
    else:
        yield Text(f"In {len(difference.states):,} of {both}; by state, then by emitted block:")
        yield from _states(difference, rows)
        yield from _blocks(difference, first, second, rows)
    for name, count in ((first, difference.only_first), (second, difference.only_second)):
        if count:
            yield Text(f"{counted(count, 'state')} of {name} only were not compared.", "dim")


def _states(difference: Difference, rows: int) -> Iterator[RenderableType]:
    figures = columns("context", "TV of the two round laws", "blocks that differ")
    for each in difference.states[:rows]:
        figures.add_row(
            state_text(each.state), _with_decimal(each.distance), f"{len(each.blocks):,}"
        )
    yield figures
    yield from _more(len(difference.states) - rows, "states")


def _blocks(difference: Difference, first: str, second: str, rows: int) -> Iterator[RenderableType]:
    figures = columns("context", "block", first, second, "difference")
    for state, block in difference.largest[:rows]:
        figures.add_row(
            state_text(state),
            show_tokens(block.tokens),
            number(block.first),
            number(block.second),
            number(block.difference),
        )
    yield figures
    yield from _more(len(difference.largest) - rows, "blocks")


def _more(count: int, what: str) -> Iterator[RenderableType]:
    if count > 0:
        yield Text(f"… {count:,} more {what} (--rows)", "dim")
