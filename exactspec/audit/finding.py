"""What an audit found out on one pair of tables, in lines that a person can act on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactspec.audit.audited import Audited, Deviation
from exactspec.audit.tables import Ids, Row, Tables
from exactspec.audit.world import FLOAT, Raised
from exactspec.check.verdict import Undecided
from exactspec.text import (
    counted,
    rounded_text,
    short_fraction_text,
    show,
    show_tokens,
    visible,
)

LOSSLESS, LOSSY, UNDECIDED = "lossless", "lossy", "undecided"
_NARROWEST = 15
_CRASHES_SHOWN = 3
Line = tuple[str, str]


@dataclass(frozen=True)
class Finding:
    """The verdict on one pair of tables, or why there is none.

    Args:
        title: what the tables are called.
        found: the program's law against the target's, or why there is no law.
        reproduce: what repeats this audit: a command where there is one, and Python.
    """

    title: str
    found: Audited | Undecided
    reproduce: Sequence[str] = ()

    @property
    def word(self) -> str:
        """lossless, lossy or undecided."""
        return self.found.word

    @property
    def is_within_rounding(self) -> bool:
        """Whether it is undecided only because rounded numbers can't be equal to the target's."""
        return self.word == UNDECIDED and isinstance(self.found, Audited)

    @property
    def total_variation(self) -> Fraction:
        """How far the program is off, as far as that is known."""
        return self.found.total_variation if isinstance(self.found, Audited) else Fraction(0)


def number_text(number: Fraction) -> str:
    """A fraction with its decimal; of a very small one with its order of magnitude.

    >>> number_text(Fraction(3, 8)), number_text(Fraction(1, 4096))
    ('3/8 (= 0.375)', '1/4096 (~ 2.441e-4)')
    """
    whole = short_fraction_text(number)
    return whole if number.denominator == 1 else f"{whole} ({rounded_text(number)})"


def message(name: str, findings: Sequence[Finding]) -> str:
    """All that is to be said where a program is not lossless on each pair of tables.

    Args:
        name: what the program is called.
        findings: one for each pair of tables, at least one of them not lossless.
    """
    lossy = [finding for finding in findings if finding.word == LOSSY]
    undecided = [finding for finding in findings if finding.word == UNDECIDED]
    word, concerned = (LOSSY, lossy) if lossy else (UNDECIDED, undecided)
    worst = max(concerned, key=lambda finding: finding.total_variation)
    others = [finding for finding in (*lossy, *undecided) if finding is not worst]
    headline = _headline(name, word, worst, len(concerned), len(findings))
    return "\n".join([headline, *_aligned([*finding_lines(worst), *_others(others, worst)])])


def _aligned(lines: Sequence[Line]) -> Iterator[str]:
    """Labels and texts in two columns."""
    width = max(_NARROWEST, *(len(label) for label, _ in lines)) + 3
    for label, text in lines:
        yield f"  {label}{' ' * (width - len(label))}{text}".rstrip()


def _headline(name: str, word: str, worst: Finding, concerned: int, all_: int) -> str:
    what = f"{word}, and undecided is not lossless" if word == UNDECIDED else word
    if all_ == 1:
        return f"{name} is {what}; tables: {show(worst.title)}"
    first = "the worst" if word == LOSSY else "the first"
    return f"{name} is {what}: on {concerned} of {all_} tables, {first}: {show(worst.title)}"


def _others(others: Sequence[Finding], worst: Finding) -> Iterator[Line]:
    for finding in others:
        how = ""
        if finding.word == LOSSY:
            how = f": total variation {number_text(finding.total_variation)}"
        elif isinstance(finding.found, Undecided) and finding.found != worst.found:
            how = f": {visible(finding.found.reason)}"
        yield f"also {finding.word}", show(finding.title) + how


def finding_lines(finding: Finding) -> Iterator[Line]:
    """Label and text of each line about one pair of tables."""
    if isinstance(finding.found, Undecided):
        yield "why", visible(finding.found.reason)
        yield "hint", visible(finding.found.hint)
    elif finding.word == LOSSY:
        yield from lossy_lines(finding.found)
    else:
        yield from _rounding_lines(finding.found)
    for number, line in enumerate(finding.reproduce):
        yield "" if number else "reproduce", line


def lossy_lines(audited: Audited) -> Iterator[Line]:
    """What is wrong: the worst sequence with the rows behind it, and figures of the whole law."""
    worst = worst_sequence(audited)
    if worst is not None:
        yield "worst sequence", _sequence_text(audited.tables, worst)
        yield "got", number_text(worst.got)
        yield "want", number_text(worst.want)
        yield from _rows(audited, worst)
    yield "total variation", number_text(audited.total_variation)
    if audited.impossible:
        yield "impossible", f"{number_text(audited.impossible)} on what the target never emits"
    yield from _crashes(audited)
    yield from level_lines(audited)


def worst_sequence(audited: Audited) -> Deviation | None:
    """The token sequence whose probability is furthest off."""
    return next((d for d in audited.deviations if not isinstance(d.outcome, Raised)), None)


def _sequence_text(tables: Tables, worst: Deviation) -> str:
    prompt = f", after {_names(tables, tables.context)}" if tables.context else ""
    return f"{_names(tables, _ids(worst))}{prompt}"


def _ids(deviation: Deviation) -> Ids:
    return () if isinstance(deviation.outcome, Raised) else deviation.outcome


def _names(tables: Tables, ids: Ids) -> str:
    return show_tokens(tables.names(ids))


def _rows(audited: Audited, worst: Deviation) -> Iterator[Line]:
    """Both models' rows in each context on the way along the worst sequence."""
    tables = audited.tables
    rows = [("target", "draft")]
    labels = [f"rows of {show_tokens(tables.scenario.vocabulary)}"]
    for context in _contexts(tables, _ids(worst)):
        labels.append(f"  after {_names(tables, context) if context else 'nothing'}")
        rows.append((_row_text(tables.target(context)), _row_text(tables.draft(context))))
    width = max(len(target) for target, _ in rows)
    for label, (target, draft) in zip(labels, rows, strict=True):
        yield label, f"{target:<{width}}   {draft}"


def _contexts(tables: Tables, ids: Ids) -> Iterator[Ids]:
    """The contexts in which the tokens of a sequence are drawn, as far as they are contexts."""
    for length, token in enumerate(ids):
        yield tables.context + ids[:length]
        if not tables.has((token,)) or token == tables.end:
            return


def _row_text(row: Row) -> str:
    return " ".join(map(short_fraction_text, row))


def _crashes(audited: Audited) -> Iterator[Line]:
    crashes = sorted(audited.law.crashes.items(), key=lambda crash: -crash[1])
    for raised, mass in crashes[:_CRASHES_SHOWN]:
        yield "crash", f"{number_text(mass)}: {visible(str(raised))}"
    if len(crashes) > _CRASHES_SHOWN:
        yield "", f"{len(crashes) - _CRASHES_SHOWN} more; {number_text(audited.crash)} in all"


def level_lines(audited: Audited) -> Iterator[Line]:
    """How numbers were followed, and what was idealised."""
    yield "level", f"{audited.law.level}, {counted(audited.law.replays, 'run')}"
    for note in audited.law.notes:
        yield "note", visible(note)


def _rounding_lines(audited: Audited) -> Iterator[Line]:
    distance, most = number_text(audited.total_variation), rounded_text(audited.rounding)
    yield "why", f"total variation {distance} is within rounding, which may be {most}"
    yield from level_lines(audited)
    exact = 'level="rational", or ' if audited.law.level == FLOAT else ""
    yield "hint", f"{exact}accept_rounding=True"
