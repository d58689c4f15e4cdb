"""Where a report goes: standard output or a file, with or without colour."""

from pathlib import Path

from exactspec.cli.files import write_over
from exactspec.cli.options import Colour


def colour_for(choice: Colour, output: Path | None) -> str:
    """A report in a file is coloured only where that is asked for, whatever the terminal."""
    return "never" if output is not None and choice is Colour.AUTO else choice.value


def deliver(text: str, output: Path | None) -> None:
    """Write a report, if there is one."""
    from exactspec.render.output import write

    if not text:
        return
    if output is None:
        write(text)
    else:
        write_over(output, text)
