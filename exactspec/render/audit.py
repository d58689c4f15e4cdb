"""An audit for a person: the verdict, a line for each pair of tables, and where the program is off."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from exactspec.audit.adapters import Adapter
from exactspec.audit.audited import Audited, Outcome
from exactspec.audit.report import AuditReport, Trial
from exactspec.audit.world import FLOAT, Raised
from exactspec.check.verdict import Undecided
from exactspec.render.output import Page
from exactspec.render.parts import columns, heading
from exactspec.render.report import COLOURS
from exactspec.text import fraction_text, rounded_text, show, show_tokens, visible

_LONGEST_TITLE = 30
_IN_A_COLUMN = 8
_IN_A_LINE = 24
_STATEMENTS = {
    "lossless": "Every token sequence has exactly the target's probability.",
    "lossy": "Some token sequences do not have the target's probability.",
}


def audit_text(page: Page, report: AuditReport, rows: int) -> None:
    """The whole report on one program.

    Args:
        page: where it goes.
        report: what was found.
        rows: how many sequences to show.
    """
    page.add(_verdict(report))
    page.add(*_tables(report))
    page.add(*_rule(report))
    shown = report.shown_first
    if shown is not None:
        page.add(*_trial(shown, rows))
    page.add(*_notes(report))


def _verdict(report: AuditReport) -> Panel:
    word, tables = report.word, len(report.trials)
    colour = COLOURS[word]
    text = Text(word.upper(), f"bold {colour}")
    some = f"{report.count(word)} of {tables} pairs of tables"
    these = "these tables" if tables > 1 else "this pair of tables"
    text.append(f" for {these if report.count(word) == tables else some}", colour)
    if word in _STATEMENTS:
        text.append(f"\n{_STATEMENTS[word]}")
    shown = report.shown_first
    if word == "undecided" and shown is not None:
        text.append(f"\n{_reason(shown)}")
    text.append("\n" + _subject(report), "dim")
    title = Text(show(report.program.name))
    return Panel(text, title=title, title_align="left", border_style=colour, box=box.ROUNDED)


def _reason(trial: Trial) -> str:
    found = trial.found
    if isinstance(found, Undecided):
        return f"{visible(found.reason)}\nhint: {visible(found.hint)}"
    return (
        f"The total variation distance is {short(found.total_variation, _IN_A_LINE)}, and rounding may "
        f"account for {rounded_text(found.rounding)}."
    )


def _subject(report: AuditReport) -> str:
    """What was audited, and how exactly."""
    program, request = report.program, report.request
    drafts = sorted({trial.scenario.draft_length for trial in report.trials})
    what = "one step" if program.step is not None and request.length is None else "whole sequences"
    parts = [f"level {request.level}: {_exactness(report)}", what]
    parts.append(f"{' or '.join(map(str, drafts))} drafts" if drafts != [1] else "1 draft")
    lengths = sorted({audited.length for audited in report.audited})
    if lengths:
        noun = "token" if lengths == [1] else "tokens"
        parts.append(f"compared to {' or '.join(map(str, lengths))} {noun}")
    if program.package is not None:
        parts.append(f"ran {show(program.package)}")
    if program.digest is not None:
        ran = show(program.file or program.name)
        parts.append(f"ran {ran} (sha256 {program.digest[:12]})")
    return " · ".join(parts)


def _exactness(report: AuditReport) -> str:
    is_undecided = any(audited.word == "undecided" for audited in report.audited)
    if report.request.level == FLOAT or (report.is_exact and is_undecided):
        return "to within rounding"
    return "exact" if report.is_exact else "not exact, see the notes"


def _tables(report: AuditReport) -> Iterator[RenderableType]:
    yield Text()
    table = columns("tables", "verdict", "TV", "impossible", "crash", "runs")
    for trial in report.trials:
        title = show(trial.title)
        if len(title) > _LONGEST_TITLE:
            title = title[: _LONGEST_TITLE - 1] + "…"
        table.add_row(title, trial.word, *_figures(trial))
    yield table
    if any(audited.word != "lossless" for audited in report.audited):
        yield Text(
            "TV: total variation distance from the target's law; impossible: the mass of sequences "
            "that the target never emits; crash: the probability of an exception; runs: how often "
            "the program ran.",
            "dim",
        )


def _figures(trial: Trial) -> tuple[str, ...]:
    found = trial.found
    if isinstance(found, Undecided):
        return ("-", "-", "-", "-")
    figures = (found.total_variation, found.impossible, found.crash)
    return (*(short(figure, _IN_A_COLUMN) for figure in figures), f"{found.law.replays:,}")


def _rule(report: AuditReport) -> Iterator[RenderableType]:
    """What the rule of the theory does on the same tables, beside what the code does."""
    rules = report.rule_words.items()
    if rules:
        yield Text()
    for name, words in rules:
        yield Text(f"The rule {show(name)} is {_on_tables(words, len(report.trials))};")
    if rules:
        yield Text(f"the code {_code(report)}.")


def _on_tables(words: Sequence[str], tables: int) -> str:
    if len(set(words)) == 1:
        these = "these tables" if len(words) == tables else f"{len(words)} of them"
        return f"{words[0]} on {these}"
    return ", ".join(f"{word} on {words.count(word)} of them" for word in dict.fromkeys(words))


def _code(report: AuditReport) -> str:
    shown = report.shown_first
    if report.word != "lossy" or shown is None or not isinstance(shown.found, Audited):
        return f"is {report.word}"
    outcome = shown.found.deviations[0].outcome
    where = outcome_text(outcome)
    return f"raises {where}" if isinstance(outcome, Raised) else f"deviates at {where}"


def _trial(trial: Trial, rows: int) -> Iterator[RenderableType]:
    found = trial.found
    if isinstance(found, Undecided):
        return
    yield heading(
        f"{'Furthest off' if trial.word == 'lossy' else 'Undecided'}: {show(trial.title)}"
    )
    if found.deviations:
        yield from _deviations(found, rows)
    yield from _whole_law(found)


def _whole_law(found: Audited) -> Iterator[RenderableType]:
    table = columns("", "")
    table.add_row("total variation distance", exact(found.total_variation))
    table.add_row("mass on impossible outputs", exact(found.impossible))
    table.add_row("crash probability", exact(found.crash))
    if not found.is_exact or found.word == "undecided":
        table.add_row("rounding may account for", rounded_text(found.rounding))
    if found.ideal is not None:
        table.add_row("with real uniform numbers", found.ideal.word)
    yield table
    if found.law.crashes:
        yield heading("Exceptions")
    for raised, mass in found.law.crashes.items():
        yield Text(f"{short(mass, _IN_A_LINE)}  {show(str(raised))}")


def _deviations(found: Audited, rows: int) -> Iterator[RenderableType]:
    """The sequences with the largest differences."""
    names = found.tables.scenario.vocabulary
    are_ids = names == tuple(map(str, range(len(names))))
    table = columns(
        "token ids", *(() if are_ids else ("tokens",)), "got", "", "want", "", "difference"
    )
    for deviation in found.deviations[:rows]:
        outcome = deviation.outcome
        tokens = "" if isinstance(outcome, Raised) else show_tokens(found.tables.names(outcome))
        table.add_row(
            outcome_text(outcome),
            *(() if are_ids else (tokens,)),
            *_number(deviation.got),
            *_number(deviation.want),
            short(deviation.difference, _IN_A_COLUMN),
        )
    yield table
    more = len(found.deviations) - rows
    if more > 0:
        yield Text(f"… {more:,} more, less far off (--rows)", "dim")
    yield Text()


def outcome_text(outcome: Outcome) -> str:
    """Token ids, or the exception that was raised."""
    if isinstance(outcome, Raised):
        return show(outcome.type)
    return f"({', '.join(map(str, outcome))})"


def _number(value: Fraction) -> tuple[str, str]:
    text = fraction_text(value)
    if len(text) > _IN_A_LINE:
        return rounded_text(value), ""
    return text, "" if value.denominator == 1 else rounded_text(value)


def exact(value: Fraction) -> str:
    """A rational with its decimal; only the decimal where the rational is long.

    >>> exact(Fraction(1, 3)), exact(Fraction(1, 3**60))
    ('1/3 (~ 0.3333)', '~ 2.359e-29')
    """
    text, decimal = _number(value)
    return f"{text} ({decimal})" if decimal else text


def short(value: Fraction, longest: int) -> str:
    """A rational where it is short, else its decimal."""
    text = fraction_text(value)
    return text if len(text) <= longest else rounded_text(value)


def _notes(report: AuditReport) -> Iterator[RenderableType]:
    notes = dict.fromkeys(note for audited in report.audited for note in audited.law.notes)
    if not notes:
        return
    yield heading("Notes")
    yield from (Text(f"- {show(note)}") for note in notes)


def adapters_text(page: Page, adapters: Sequence[Adapter]) -> None:
    """The adapters, with the packages and versions that they are for."""
    for one in adapters:
        page.add(Text(f"{one.name}", "bold"))
        page.add(Text(f"  {show(one.about.replace('``', ''))}"))
        page.add(Text(f"  {one.package} {' or '.join(one.versions)} · {one.parts}", "dim"))
