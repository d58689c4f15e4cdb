"""Files that are written whole or not at all."""

import os
import tempfile
from pathlib import Path

from exactspec.errors import Diagnostic, Location, ModelError


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet.

    Raises:
        ModelError: where it exists, or the folder can't be written to.
    """
    _place(path, text, replace=False)


def write_over(path: Path, text: str) -> None:
    """Write a file, in place of an older one where there is one; a link is replaced, not followed.

    Raises:
        ModelError: where the folder can't be written to.
    """
    _place(path, text, replace=True)


def _place(path: Path, text: str, replace: bool) -> None:
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".exactspec-", dir=path.parent)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        if replace:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)
    except FileExistsError:
        raise _unwritable(path, "it exists, and is never overwritten") from None
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritable(path: Path, why: str) -> ModelError:
    place = Location(str(path))
    message = f"the file can't be written: {why}"
    return ModelError([Diagnostic("unwritable", message, "name another file", place)])
