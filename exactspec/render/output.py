"""How text leaves the program: colour, width, and characters that the other side can't show."""

import io
import os
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

from rich.console import Console, RenderableType
from rich.table import Table

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯├┤┬┴┼└┌┐┘╞╡╪", "+"),
        **dict.fromkeys("─━═╌", "-"),
        **dict.fromkeys("│┃", "|"),
        **{"β": "beta", "γ": "gamma", "τ": "tau", "Σ": "sum", "·": "*", "×": "*", "−": "-"},
        **{"≠": "!=", "→": "->", "≤": "<=", "∈": "in", "…": "...", "′": "'"},
    }
)
DEFAULT_WIDTH = 80
_WIDEST_PAGE = 1_000
_WIDEST = 100_000


def use_colour(choice: str, environment: Mapping[str, str], is_terminal: bool) -> bool:
    """Whether to colour: ``--color`` decides, then NO_COLOR, then FORCE_COLOR, then the terminal.

    >>> use_colour("auto", {"FORCE_COLOR": "0"}, False), use_colour("auto", {"NO_COLOR": "1"}, True)
    (False, False)
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return is_terminal and environment.get("TERM") != "dumb"


def width_of(environment: Mapping[str, str]) -> int:
    """The columns to write for: COLUMNS, else the terminal's, else 80."""
    columns = environment.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and columns.strip("0"):
        return _WIDEST_PAGE if len(columns) > 4 else min(int(columns), _WIDEST_PAGE)
    return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns or DEFAULT_WIDTH


class Page:
    """Collects what is to be printed, and gives it as one text.

    Args:
        width: columns.
        colour: whether to write colours.
    """

    def __init__(self, width: int = DEFAULT_WIDTH, colour: bool = False) -> None:
        self.width = width
        self._text = io.StringIO()
        self._console = Console(
            file=self._text,
            width=width,
            color_system="standard" if colour else None,
            force_terminal=colour,
            force_interactive=False,
            legacy_windows=False,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={},
        )

    def fits(self, table: Table) -> bool:
        """Whether a table is no wider than the page."""
        self._console.width = _WIDEST
        needed = self._console.measure(table).maximum
        self._console.width = self.width
        return needed <= self.width

    def add(self, *parts: RenderableType) -> None:
        """Add parts below each other: texts wrap unless they say no; tables are as wide as they need."""
        for part in parts:
            if isinstance(part, Table):
                self._console.width = _WIDEST
                self._console.width = max(self.width, self._console.measure(part).maximum)
            self._console.print(part, crop=False, soft_wrap=getattr(part, "no_wrap", None))
            self._console.width = self.width

    def line(self, text: RenderableType = "") -> None:
        """Add one line as it is, however long."""
        self._console.print(text, soft_wrap=True)

    def text(self) -> str:
        """All that was added, without blanks at the end of lines."""
        lines = self._text.getvalue().split("\n")
        return "\n".join(line.rstrip(" ") for line in lines)


def for_stream(text: str, stream: TextIO) -> str:
    """A text in characters that a stream can encode: plain lines and escapes where it can't."""
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
        return text
    except (UnicodeEncodeError, LookupError):
        plain = text.translate(_PLAIN)
        return plain.encode("ascii", "backslashreplace").decode("ascii")


def write(text: str, stream: TextIO | None = None) -> None:
    """Write a text and flush it, so that a failure shows here and not at the program's end."""
    out = stream or sys.stdout
    out.write(for_stream(text, out))
    out.flush()


def new_page(colour: str, stream: TextIO) -> Page:
    """A page for a stream, by the user's choice and environment."""
    return Page(width_of(os.environ), use_colour(colour, os.environ, stream.isatty()))
