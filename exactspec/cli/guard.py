"""Exit codes that mean one thing each, whatever happens: crash, full disk, closed pipe, Ctrl-C."""

import contextlib
import errno
import functools
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn, ParamSpec

import typer

from exactspec.errors import Diagnostic, ExactspecError, ExitCode, Location
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.output import for_stream
from exactspec.text import visible

P = ParamSpec("P")
_NOT_WRITTEN = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EBADF, errno.ENXIO}
)

EXIT_CODES = """\
Exit codes: 0 lossless, 1 lossy, 2 bad input or usage or nothing to check,
3 undecided, 4 internal error (nothing is proved), 74 output could not be
written, 130 interrupted, 141 the reader closed the pipe, 143 terminated.
Over several files: the first of 4, 2, 1, 3, 0 that occurs."""


class Terminated(BaseException):
    """SIGTERM has arrived."""


class OutputError(ExactspecError):
    """A report that could not be written."""


def ending_of(program: Callable[..., Any]) -> ExitCode:
    """Run a typer program to its end, and give the exit code that this ending has."""
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        say("exactspec: output could not be written: standard output is closed\n")
        return ExitCode.OUTPUT_FAILED
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _patient(sys.stdout)
    try:
        signal.signal(signal.SIGTERM, _terminate)
        code = ExitCode(program(standalone_mode=False) or 0)
    except SystemExit as ending:
        code = _code_of_an_exit(ending)
    except BaseException as error:
        code = code_for(error)
    return _with_all_written(code)


def _patient(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Standard output that escapes what it can't encode, and goes on after a write that was cut short.

    Where PYTHONUNBUFFERED is set, Python itself drops the rest of such a write without a word.
    """
    buffer: Any = stream.buffer
    if isinstance(buffer, io.RawIOBase):
        buffer = io.BufferedWriter(buffer)
        return io.TextIOWrapper(buffer, stream.encoding, errors="backslashreplace")
    stream.reconfigure(errors="backslashreplace")
    return stream


def guarded(command: Callable[P, ExitCode]) -> Callable[P, None]:
    """A command whose every ending has its own exit code; typer would give some of them a 1."""

    @functools.wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> None:
        try:
            code = command(*arguments, **options)
        except BaseException as error:
            code = code_for(error)
        raise typer.Exit(int(code))

    return run


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)
    raise Terminated


def _code_of_an_exit(ending: SystemExit) -> ExitCode:
    """Of an exit that typer makes: 1 where the reader of ``--help`` has gone, 0 after a completion."""
    if isinstance(ending.__context__, BrokenPipeError):
        return ExitCode.PIPE_CLOSED
    return ExitCode.LOSSLESS if not ending.code else ExitCode.BAD_INPUT


def code_for(error: BaseException) -> ExitCode:
    """The exit code of what was raised, once it is told on stderr."""
    if isinstance(error, typer.Exit):
        return ExitCode(error.exit_code)
    if isinstance(error, ExactspecError):
        say(diagnostics_text(error.diagnostics))
        failed = isinstance(error, OutputError)
        return ExitCode.OUTPUT_FAILED if failed else ExitCode.BAD_INPUT
    if isinstance(error, BrokenPipeError):
        return ExitCode.PIPE_CLOSED
    if isinstance(error, OSError) and error.errno in _NOT_WRITTEN:
        say(f"exactspec: output could not be written: {os.strerror(error.errno or 0)}\n")
        return ExitCode.OUTPUT_FAILED
    if hasattr(error, "show") and hasattr(error, "exit_code"):
        return _usage(error)
    return _code_of_a_stop(error)


def _code_of_a_stop(error: BaseException) -> ExitCode:
    if isinstance(error, KeyboardInterrupt):
        say("exactspec: interrupted\n")
        return ExitCode.INTERRUPTED
    if isinstance(error, Terminated):
        say("exactspec: terminated\n")
        return ExitCode.TERMINATED
    say(diagnostics_text([internal_error(error)]))
    return ExitCode.INTERNAL_ERROR


def _usage(error: Any) -> ExitCode:
    """What typer refuses, with the names from the command line made visible."""
    text = io.StringIO()
    with contextlib.redirect_stderr(text), contextlib.redirect_stdout(text):
        error.show()
    say("\n".join(map(visible, text.getvalue().split("\n"))))
    return ExitCode.BAD_INPUT


def internal_error(error: BaseException, file: str | None = None) -> Diagnostic:
    """A defect of exactspec, in one line; the whole traceback where EXACTSPEC_DEBUG is set."""
    if os.environ.get("EXACTSPEC_DEBUG"):
        say("".join(traceback.format_exception(error)))
    message = (
        f"{type(error).__name__} inside exactspec; nothing is proved "
        "(EXACTSPEC_DEBUG=1 shows the traceback)"
    )
    return Diagnostic("internal-error", message, None, Location(file) if file else None)


def say(text: str) -> None:
    """Write to stderr; where even that is closed, there is nobody left to tell."""
    try:
        sys.stderr.write(for_stream(text, sys.stderr))
        sys.stderr.flush()
    except (OSError, ValueError):
        _close_for_good(2)


def _with_all_written(code: ExitCode) -> ExitCode:
    """The code, once nothing is left that could fail to be written at the program's end."""
    told = code in (ExitCode.PIPE_CLOSED, ExitCode.OUTPUT_FAILED)
    try:
        sys.stdout.flush()
    except BaseException as error:
        code = code if told else code_for(error)
    if code in (ExitCode.PIPE_CLOSED, ExitCode.OUTPUT_FAILED):
        _close_for_good(1)
    return code


def _close_for_good(descriptor: int) -> None:
    """Send what is still buffered nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
