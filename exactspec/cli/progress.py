"""A line on stderr for a person who waits: on a terminal only, after a second."""

import sys
import time

_PATIENCE = 1.0
_PAUSE = 0.1
_CLEAR = "\r\x1b[K"


class Progress:
    """Shows the latest line in place; ``clear`` takes it away."""

    def __init__(self, wanted: bool) -> None:
        self._on = wanted and sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def __call__(self, line: str) -> None:
        if self._on and time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            self._shown = True
            sys.stderr.write(f"{_CLEAR}exactspec: {line}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away before anything else is written."""
        if self._shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._shown = False
