"""A model file as a ``Scenario``: all that is wrong with it is reported at once, with its place."""

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from dataclasses import replace

from exactspec.errors import Diagnostic, Location, ModelError
from exactspec.model.nodes import MAX_BYTES, Source, read_nodes
from exactspec.model.scenario import Scenario
from exactspec.model.settings import SettingsReader
from exactspec.model.values import Reader
from exactspec.numbers import NumberError
from exactspec.parameter.range import parse_signed
from exactspec.text import brief, fraction_text

STANDARD_INPUT = "-"


def load(file: str, at: str | None = None) -> Scenario:
    """Read a model file.

    Args:
        file: its path, or ``-`` for standard input.
        at: a value for the parameter of its tables, as ``t=1/3``.

    Raises:
        ModelError: with everything that is wrong with the file.
    """
    scenario = parse(read_bytes(file), "<stdin>" if file == STANDARD_INPUT else file)
    return scenario if at is None else with_value(scenario, at)


def parse(data: bytes, name: str = "<text>") -> Scenario:
    """Read a model from the bytes of a file.

    Args:
        data: the file's content, UTF-8.
        name: how messages call it.

    Raises:
        ModelError: with everything that is wrong.

    >>> scenario = parse(b"{version: 1, vocabulary: [a], draft_length: 1, target: {a: 1}, draft: {a: 1}}")
    >>> scenario.vocabulary, scenario.draft_length
    (('a',), 1)
    """
    source = Source(name, data)
    root = read_nodes(source)
    if root is None or (root.kind == "text" and not root.text):
        hint = "exactspec init writes an example"
        raise ModelError([Diagnostic("empty-file", "the file is empty", hint, source.at(1, 1))])
    read = Reader(source)
    scenario = SettingsReader(read).scenario(root, hashlib.sha256(data).hexdigest())
    if scenario is None:
        raise ModelError(read.diagnostics())
    return scenario


def with_value(scenario: Scenario, assignment: str) -> Scenario:
    """The scenario of a file with a parameter for one of its values.

    Args:
        scenario: what was loaded.
        assignment: the value, as ``t=1/3``.

    Raises:
        ModelError: where the file has no such parameter, or the value is not in its range.
    """
    family = scenario.family
    name, _, text = (part.strip(" ") for part in assignment.partition("="))
    try:
        value = parse_signed(text)
    except NumberError as error:
        hint = f"for example t=1/3; {error.hint}"
        raise _no_value(f"{brief(assignment)} gives no value", hint) from None
    if family is None or name != family.parameter.name:
        hint = "it declares none" if family is None else f"its parameter is {family.parameter.name}"
        raise _no_value(f"the file has no parameter {brief(name)}", hint)
    if value not in family.parameter:
        message = f"{fraction_text(value)} is not a value of {name}"
        raise _no_value(message, f"the file says {name} in {family.parameter}")
    return replace(family.at(value), assigned=(name, value))


def _no_value(message: str, hint: str) -> ModelError:
    return ModelError([Diagnostic("parameter-value", message, hint)])


def read_bytes(file: str) -> bytes:
    """The content of a model file or of standard input, never more than the size limit and a byte.

    Raises:
        ModelError: where it can't be read, or is no regular file.
    """
    return _reading("<stdin>", _standard_input) if file == STANDARD_INPUT else read_file(file)


def read_file(file: str) -> bytes:
    """The content of a regular file, never more than the size limit and a byte.

    Raises:
        ModelError: where it can't be read, or is no regular file.
    """
    return _reading(file, lambda: _regular_file(file))


def _reading(name: str, read: Callable[[], bytes]) -> bytes:
    hint = None
    try:
        return read()
    except FileNotFoundError as error:
        why, hint = error.strerror, "check the path"
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError as error:
        why = str(error)
    place = Location(name)
    raise ModelError([Diagnostic("unreadable", f"the file can't be read: {why}", hint, place)])


def _regular_file(file: str) -> bytes:
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is no regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer.read(MAX_BYTES + 1)
