"""The program to audit: a function by its name, whose module is imported, or what an adapter offers."""

import hashlib
import importlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, NoReturn

from exactspec.algorithms.run_file import BrokenFile, place_of_syntax, run_file
from exactspec.audit.block import Block
from exactspec.audit.tables import Tables
from exactspec.errors import AuditError, Diagnostic, Location, ModelError
from exactspec.model.load import read_file
from exactspec.model.names import did_you_mean
from exactspec.text import show

STEP, LOOP = ("block",), ("tables", "length", "drafts")
_KIND = "audited"


@dataclass(frozen=True)
class Program:
    """What is audited.

    Args:
        name: how the user called it.
        step: one verification step, which takes a block and returns the emitted token ids.
        loop: a whole generation loop, which takes tables, the number of tokens and the draft length,
            and returns the token ids behind the prompt.
        file: where its source is, if that is below the current folder.
        digest: the SHA-256 of that file.
        package: for an adapter: the package that is audited, with its version.
    """

    name: str
    step: Callable[[Block], Any] | None
    loop: Callable[[Tables, int, int], Any] | None
    file: str | None = None
    digest: str | None = None
    package: str | None = None


def load_program(reference: str, *, as_loop: bool = False) -> Program:
    """Import a function: its module's code is run.

    Args:
        reference: ``package.module:function`` or ``path/to/file.py:function``.
        as_loop: whether it is to be called as a whole loop, not as a step.

    Raises:
        AuditError: where it can't be imported, or takes other arguments.
    """
    where, _, name = reference.rpartition(":")
    if not where or not name:
        hint = "write package.module:function or path/to/file.py:function"
        _unloadable(reference, "no function is named", hint)
    names, file, source = _file(reference) if where.endswith(".py") else _module(reference)
    function = _function(reference, names, name)
    _check_arguments(reference, function, LOOP if as_loop else STEP)
    digest = None if source is None else hashlib.sha256(source).hexdigest()
    return Program(reference, function, function, file, digest)


def load_function(reference: str) -> Callable[..., Any]:
    """A function that a program calls: of a module, or of a Python file that the program consists of.

    Args:
        reference: ``package.module:function`` or ``path/to/file.py:function``.

    Raises:
        AuditError: where there is none.
    """
    where, _, name = reference.rpartition(":")
    if not where or not name:
        _unloadable(reference, "no function is named", "write package.module:function")
    names = _run_already(reference) if where.endswith(".py") else _module(reference)[0]
    return _function(reference, names, name)


def _run_already(reference: str) -> dict[str, Any]:
    """The names of a file that the program was loaded from."""
    path = os.path.abspath(reference.rpartition(":")[0])
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
    found = [name for name, file in files.items() if file and os.path.abspath(file) == path]
    found.sort(key=lambda name: not name.startswith(f"exactspec_{_KIND}_"))
    if found:
        return vars(sys.modules[found[0]])
    _unloadable(
        reference, "the program has not imported this file", "write package.module:function"
    )


@contextmanager
def on_the_path(reference: str | None) -> Iterator[None]:
    """Let a program import what lies beside it: its file's folder, or the current one for a module."""
    where = (reference or "").rpartition(":")[0]
    folder = os.path.dirname(os.path.abspath(where)) if where.endswith(".py") else os.getcwd()
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


def _file(reference: str) -> tuple[dict[str, Any], str | None, bytes | None]:
    path = os.path.normpath(reference.rpartition(":")[0])
    try:
        source = read_file(path)
    except ModelError as error:
        _unloadable(reference, error.diagnostics[0].message, error.diagnostics[0].hint)
    try:
        return run_file(path, source, _KIND), path, source
    except BrokenFile as broken:
        _unloadable(reference, broken.why, None, broken.place)
    except SystemExit:
        _unloadable(reference, "running it raised SystemExit")


def _module(reference: str) -> tuple[dict[str, Any], str | None, bytes | None]:
    name = reference.rpartition(":")[0]
    if name.startswith("."):
        hint = "write package.module:function or path/to/file.py:function"
        _unloadable(reference, "a module is named from its package on", hint)
    importlib.invalidate_caches()
    try:
        names = vars(importlib.import_module(name))
    except SyntaxError as error:
        place = place_of_syntax(error, _near(error.filename or "?"))
        _unloadable(reference, f"syntax error: {error.msg}", None, place)
    except Exception as error:
        _not_imported(reference, name, error)
    except SystemExit:
        _unloadable(reference, "importing it raised SystemExit")
    file = names.get("__file__")
    if file is None or not file.endswith(".py"):
        return names, None, None
    near = _near(file)
    return names, None if os.path.isabs(near) else near, Path(file).read_bytes()


def _not_imported(reference: str, name: str, error: Exception) -> NoReturn:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing and (name == missing or name.startswith(f"{missing}.")):
        hint = "modules are looked for in the current folder and the environment of exactspec"
        _unloadable(reference, f"there is no module {show(missing)}", hint)
    said = f"importing it raised {type(error).__name__}: {show(str(error))}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith("<frozen") and f.filename != __file__]
    last = own[-1] if own else None
    place = Location(_near(last.filename), last.lineno, 1, None, last.line) if last else None
    _unloadable(reference, said, None, place)


def _near(file: str) -> str:
    """A path from the current folder, where the file lies in it; else as it is."""
    relative = os.path.relpath(file) if os.path.exists(file) else file
    return file if relative.startswith(os.pardir) else relative


def _function(reference: str, names: dict[str, Any], path: str) -> Callable[..., Any]:
    """What a name with dots stands for in a module."""
    first, *rest = path.split(".")
    try:
        found = reduce(getattr, rest, names[first])
    except (KeyError, AttributeError):
        known = [n for n, value in names.items() if inspect.isroutine(value) and n[0] != "_"]
        hint = did_you_mean(path, known) or f"its functions: {', '.join(map(show, known))}"
        _unloadable(reference, f"there is no function {show(path)} in it", hint)
    if inspect.isclass(found):
        hint = "name a function, or an object of the class that can be called"
        _unloadable(reference, f"{show(path)} is a class, not a function", hint)
    if not callable(found):
        _unloadable(reference, f"{show(path)} is of type {type(found).__name__}, not a function")
    return found  # type: ignore[no-any-return]


def _check_arguments(
    reference: str, function: Callable[..., Any], arguments: tuple[str, ...]
) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        kind = "a step" if arguments == STEP else "a whole loop (--length)"
        message = f"{show(reference)} can't be called as {kind}: it takes {show(str(signature))}"
        name = reference.rpartition(":")[2].rpartition(".")[2]
        hint = f"def {show(name)}({', '.join(arguments)}): ..."
        place = _place_of(function)
        raise AuditError([Diagnostic("audit-arguments", message, hint, place)]) from None


def _place_of(function: Callable[..., Any]) -> Location | None:
    code = getattr(function, "__code__", None)
    return None if code is None else Location(_near(code.co_filename), code.co_firstlineno)


def _unloadable(
    reference: str, why: str, hint: str | None = None, place: Location | None = None
) -> NoReturn:
    message = f"{show(reference)} can't be loaded: {why}"
    raise AuditError([Diagnostic("audit-unloadable", message, hint, place)]) from None
