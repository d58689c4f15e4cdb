"""Exit codes that mean one thing each, whatever happens: crash, full disk, closed pipe, Ctrl-C."""

import errno
import functools
import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, ParamSpec

import typer

from exactspec.errors import ExactspecError, ExitCode
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.output import for_stream

P = ParamSpec("P")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})

EXIT_CODES = """\
Exit codes: 0 lossless · 1 lossy · 2 bad input or usage, nothing to check ·
3 undecided · 4 internal error, nothing is proved · 74 output could not be
written · 130 interrupted · 141 the reader closed the pipe · 143 terminated.
Over several files: the first of 4, 2, 1, 3, 0 that occurs."""


class Terminated(BaseException):
    """SIGTERM has arrived."""


def guarded(command: Callable[P, ExitCode]) -> Callable[P, None]:
    """A command whose every ending has its own exit code."""

    @functools.wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> None:
        signal.signal(signal.SIGTERM, _terminate)
        try:
            code = command(*arguments, **options)
            sys.stdout.flush()
        except BaseException as error:
            code = _code_for(error)
        leave(code)

    return run


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated


def _code_for(error: BaseException) -> ExitCode:
    if isinstance(error, typer.Exit):
        return ExitCode(error.exit_code)
    if isinstance(error, ExactspecError):
        say(diagnostics_text(error.diagnostics))
        return ExitCode.BAD_INPUT
    if isinstance(error, KeyboardInterrupt):
        say("exactspec: interrupted\n")
        return ExitCode.INTERRUPTED
    if isinstance(error, Terminated):
        say("exactspec: terminated\n")
        return ExitCode.TERMINATED
    if isinstance(error, BrokenPipeError):
        return ExitCode.PIPE_CLOSED
    if isinstance(error, OSError) and error.errno in _FULL:
        say(f"exactspec: output could not be written: {os.strerror(error.errno or 0)}\n")
        return ExitCode.OUTPUT_FAILED
    if isinstance(error, MemoryError | RecursionError):
        say(f"exactspec: undecided: out of {_what_ran_out(error)}\n")
        return ExitCode.UNDECIDED
    return _internal_error(error)


def _what_ran_out(error: BaseException) -> str:
    return "memory" if isinstance(error, MemoryError) else "stack"


def _internal_error(error: BaseException) -> ExitCode:
    if os.environ.get("EXACTSPEC_DEBUG"):
        say("".join(traceback.format_exception(error)))
    say(
        f"exactspec: internal error ({type(error).__name__}); nothing is proved. "
        "EXACTSPEC_DEBUG=1 shows the traceback.\n"
    )
    return ExitCode.INTERNAL_ERROR


def say(text: str) -> None:
    """Write to stderr; where even that is closed, there is nobody left to tell."""
    try:
        sys.stderr.write(for_stream(text, sys.stderr))
        sys.stderr.flush()
    except (OSError, ValueError):
        _close_for_good(2)


def leave(code: ExitCode) -> NoReturn:
    """End with a code that a failing flush at the program's end can't change."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _close_for_good(1)
    raise typer.Exit(int(code))


def _close_for_good(descriptor: int) -> None:
    """Send what is still buffered nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
