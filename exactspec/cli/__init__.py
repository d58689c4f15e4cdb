"""The command line: load, one library call, one renderer, an exit code."""

import gc
import sys

from exactspec.cli.commands import app
from exactspec.cli.guard import ending_of

__all__ = ["main"]

# A check makes many small tuples and few cycles: looking for those less often saves a tenth.
_RARELY = (100_000, 20, 20)


def main() -> None:
    """Run the program, and end it with an exit code of ``ExitCode``."""
    gc.set_threshold(*_RARELY)
    sys.exit(int(ending_of(app)))
