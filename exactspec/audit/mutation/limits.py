"""Limits for mutants that may never end: turns of loops, and for all else the processor's time."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from exactspec.audit.world import World

_AGAIN = 0.25


class Endless(BaseException):
    """A mutant took far more turns, or time, than its original."""


class Turns:
    """Counts the turns of a function's loops in one run of the audited step.

    Args:
        most: more than this are not waited for; None for no limit.

    Attributes:
        seen: the most turns of a run.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self.seen = self._now = 0

    def begin(self) -> None:
        """A run begins."""
        self._now = 0

    def __call__(self) -> None:
        self._now += 1
        self.seen = max(self.seen, self._now)
        if self._most is not None and self._now > self._most:
            raise Endless(f"a run is not over after {self._most:,} turns of its loops")


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Raise ``Endless`` in the block once it has computed for so many seconds.

    Only for a loop outside of the mutated function that waits for it in vain; ``Turns`` ends all others,
    after the same turn on each machine. Does nothing without such timers, or outside the main thread.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not hasattr(signal, "ITIMER_VIRTUAL"):
        yield
        return

    def stop(_number: int, frame: FrameType | None) -> None:
        if not _changes_worlds(frame):
            raise Endless(f"it is not over after {seconds:.0f} seconds of computing")

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:  # once more, because the alarm can strike in the line above
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _changes_worlds(frame: FrameType | None) -> bool:
    """Whether libraries are being put under control or given back: that must not be cut short."""
    codes = (World.__enter__.__code__, World.__exit__.__code__)
    while frame is not None:
        if frame.f_code in codes:
            return True
        frame = frame.f_back
    return False
