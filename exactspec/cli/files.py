"""Files that are written whole or not at all."""

import os
import stat
import tempfile
from pathlib import Path

from exactspec.cli.guard import OutputError
from exactspec.errors import Diagnostic, ExactspecError, Location, ModelError


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet.

    Raises:
        ModelError: where it exists.
        OutputError: where it can't be written; nothing is left behind then.
    """
    refuse_existing(path)
    try:
        _place(path, text, replace=False)
    except OSError as error:
        raise _unwritable(path, error) from None


def refuse_existing(path: Path) -> None:
    """Make sure that there is no such file yet.

    Raises:
        ModelError: where there is.
    """
    if os.path.lexists(path):
        raise ModelError([_diagnostic(path, "it exists, and is never overwritten")])


def write_over(path: Path, text: str) -> None:
    """Write a file, in place of an older one where there is one; a link is replaced, not followed.

    Raises:
        OutputError: where it can't be written; an older file stays as it was then.
    """
    try:
        if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
            raise OutputError([_diagnostic(path, "it is no regular file")])
        _place(path, text, replace=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def _place(path: Path, text: str, replace: bool) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=".exactspec-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        if replace:
            os.replace(temporary, path)
        else:
            _link(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _link(temporary: str, path: Path) -> None:
    """Give a file its name unless it exists by now, also where the disk knows no second names."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        os.rename(temporary, path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritable(path: Path, error: OSError) -> ExactspecError:
    return OutputError([_diagnostic(path, error.strerror or str(error))])


def _diagnostic(path: Path, why: str) -> Diagnostic:
    place = Location(str(path))
    return Diagnostic("unwritable", f"the file can't be written: {why}", "name another file", place)
