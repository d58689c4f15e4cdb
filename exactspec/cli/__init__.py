"""The command line: load, one library call, one renderer, an exit code."""

import sys

from exactspec.cli.commands import app
from exactspec.cli.guard import ending_of

__all__ = ["main"]


def main() -> None:
    """Run the program, and end it with an exit code of ``ExitCode``."""
    sys.exit(int(ending_of(app)))
