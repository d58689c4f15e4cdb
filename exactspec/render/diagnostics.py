"""Errors and warnings as text: place, code, message, the line with carets, a hint."""

from collections.abc import Iterable

from rich.cells import cell_len

from exactspec.errors import Diagnostic, Location
from exactspec.text import show, visible

_LONGEST_LINE = 76


def diagnostics_text(diagnostics: Iterable[Diagnostic]) -> str:
    """All diagnostics, one below the other."""
    return "".join(map(diagnostic_text, diagnostics))


def diagnostic_text(diagnostic: Diagnostic) -> str:
    """One diagnostic.

    >>> place = Location("m.yaml", 7, 3, 6, "  foo: 1")
    >>> print(diagnostic_text(Diagnostic("unknown-key", "unknown key foo", None, place)), end="")
    m.yaml:7:3: error[unknown-key]: unknown key foo
      7 |   foo: 1
        |   ^^^
    """
    place = diagnostic.location
    what = f"{diagnostic.severity}[{diagnostic.code}]: {visible(diagnostic.message)}"
    lines = [_where(place) + what]
    if place is not None and place.line is not None and place.source_line:
        lines += _source_lines(place)
    lines += [f"  {visible(note)}" for note in diagnostic.notes]
    if diagnostic.hint:
        lines.append(f"  hint: {visible(diagnostic.hint)}")
    return "\n".join(lines) + "\n"


def _where(place: Location | None) -> str:
    if place is None:
        return ""
    numbers = [str(n) for n in (place.line, place.column) if n is not None]
    return ":".join([show(place.file), *numbers]) + ": "


def _source_lines(place: Location) -> list[str]:
    """The source line and a line of carets under the place, a part of it where it is long."""
    source, column = place.source_line or "", place.column or 1
    begin = 0 if len(source) <= _LONGEST_LINE or column < 40 else column - 20
    part = source[begin : begin + _LONGEST_LINE]
    before = visible(part[: column - 1 - begin])
    end = min(place.end_column or column + 1, begin + len(part) + 1)
    marked = visible(part[column - 1 - begin : end - 1 - begin])
    number = str(place.line)
    carets = " " * cell_len(before) + "^" * max(1, cell_len(marked))
    left = "..." if begin else ""
    right = "..." if begin + len(part) < len(source) else ""
    return [
        f"  {number} | {left}{visible(part)}{right}".rstrip(" "),
        f"  {' ' * len(number)} | {' ' * len(left)}{carets}",
    ]
