"""A rule is a guest: it may not print into the report, end the program, or stay beyond ``--timeout``."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from exactspec.errors import BudgetReached, Diagnostic, ExitCode, RuleError

Handler = Callable[[int, FrameType | None], Any]
# The budget looks at the clock between paths and knows the mass expanded so far: it goes first.
_GRACE = 0.5
_AGAIN = 0.25
_CODES = {signal.SIGINT: ExitCode.INTERRUPTED, signal.SIGTERM: ExitCode.TERMINATED}


@contextlib.contextmanager
def hosting(seconds: float | None) -> Iterator[None]:
    """Run a rule in the block, for so many seconds at most; what it prints goes to stderr.

    Raises:
        BudgetReached: once the seconds are over, also in a rule that loops without asking for chance.
        RuleError: where the rule calls ``sys.exit``.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr), hard_stop(seconds):
            yield
    except SystemExit:
        message, hint = "the rule raised SystemExit", "return a Round, or raise another exception"
        raise RuleError([Diagnostic("rule-raised", message, hint)]) from None


@contextlib.contextmanager
def stopping() -> Iterator[Callable[[], None]]:
    """Ctrl-C and SIGTERM end the block also where a guest catches what they raise.

    The second one ends the process at once: nothing is written before the end, so nothing is lost.

    Yields a function to call between two runs of the guest: it raises once more what was caught.
    """
    seen: list[tuple[Handler, int]] = []

    def noting(handler: Handler) -> Handler:
        def note(number: int, frame: FrameType | None) -> None:
            if seen:
                os._exit(_CODES[signal.Signals(number)])
            seen.append((handler, number))
            try:
                handler(number, frame)
            finally:  # a handler may put itself out of action
                signal.signal(number, note)

        return note

    def again() -> None:
        for handler, number in seen:
            handler(number, None)

    in_main = threading.current_thread() is threading.main_thread()
    stops = (signal.SIGINT, signal.SIGTERM) if in_main else ()
    now = {number: signal.getsignal(number) for number in stops}
    before = {number: handler for number, handler in now.items() if callable(handler)}
    for number, handler in before.items():
        signal.signal(number, noting(handler))
    try:
        yield again
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def hard_stop(seconds: float | None) -> Iterator[None]:
    """Raise ``BudgetReached`` in the block once the seconds are over, and again where it is caught.

    Does nothing without a limit, without POSIX timers, or outside the main thread.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not in_main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        hint = "allow more with --timeout, or draft fewer tokens; does the code come to an end?"
        raise BudgetReached("timeout", f"{seconds:g} seconds are over", hint)

    before = signal.signal(signal.SIGALRM, stop)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE, _AGAIN)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # once more, because the alarm can strike in the line above
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
