"""A Python file that the user names is run, from the very bytes that its digest is taken of."""

import hashlib
import importlib.abc
import importlib.util
import os
import sys
import traceback
import types

from exactspec.errors import Location
from exactspec.text import show


class BrokenFile(Exception):
    """A Python file that can't be run: why, and where in it."""

    def __init__(self, why: str, place: Location | None) -> None:
        self.why, self.place = why, place
        super().__init__(why)


class _Loader(importlib.abc.InspectLoader):
    """Loads the bytes that it is given, and leaves no compiled file beside them."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self._source)

    def get_code(self, fullname: str) -> types.CodeType:
        return self.source_to_code(self._source, self._path)


def run_file(path: str, source: bytes, kind: str) -> dict[str, object]:
    """The names that a file defines, once it was run.

    Args:
        path: how messages call it, and where it is.
        source: its bytes.
        kind: a word for the module's name: what the file is wanted for.

    Raises:
        BrokenFile: where it has a syntax error, or raises an exception.
    """
    digest = hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()
    module_name = f"exactspec_{kind}_{digest[:16]}"
    module = types.ModuleType(module_name)
    module.__file__ = path
    sys.modules[module_name] = module
    try:
        _Loader(path, source).exec_module(module)
    except SyntaxError as error:
        raise BrokenFile(f"syntax error: {error.msg}", place_of_syntax(error, path)) from None
    except Exception as error:
        said = f"running it raised {type(error).__name__}: {show(str(error))}"
        raise BrokenFile(said, _place_in(error, path)) from None
    return module.__dict__


def place_of_syntax(error: SyntaxError, path: str) -> Location:
    """Where a syntax error is."""
    return Location(path, error.lineno, error.offset, None, (error.text or "").rstrip("\n"))


def _place_in(error: Exception, path: str) -> Location | None:
    """The last line of a file that an exception came by."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    return Location(path, frames[-1].lineno, 1, None, frames[-1].line) if frames else None
