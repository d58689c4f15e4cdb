"""The command line: load, one library call, one renderer, an exit code."""

import os
import sys

from exactspec.cli.commands import app
from exactspec.errors import ExitCode

__all__ = ["main"]


def main() -> None:
    """Run the program, and end it with an exit code of ``ExitCode``."""
    try:
        app()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else ExitCode.BAD_INPUT
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            code = ExitCode.PIPE_CLOSED
        except OSError:
            code = ExitCode.OUTPUT_FAILED
        else:
            sys.exit(code)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(code)
