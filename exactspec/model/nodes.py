"""YAML read strictly: every scalar stays the text of the file, every value knows its place.

Anchors, aliases, merge keys, tags, further documents, deep nesting and large files are refused
with a position, before anything is built from them.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn

import yaml

from exactspec.errors import Diagnostic, Location, ModelError
from exactspec.text import visible

try:
    from yaml import CSafeLoader as _Events
except ImportError:  # a PyYAML built without libyaml
    from yaml import SafeLoader as _Events  # type: ignore[assignment]

MAX_BYTES = 4 << 20
MAX_VALUES = 250_000
MAX_DEPTH = 32
MAX_SCALAR = 4_096
MOST_DIAGNOSTICS = 50
_LINE_BREAK = re.compile("\r\n|[\r\n]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass
class Node:
    """A value of the file: ``text``, ``list`` or ``map``, with its place; ``plain`` without quotes.

    A map's entries stay pairs of nodes, so that keys may be lists and repeated keys are seen.
    """

    kind: str
    line: int
    column: int
    end_column: int | None = None
    text: str = ""
    plain: bool = False
    items: list["Node"] = field(default_factory=list)
    pairs: list[tuple["Node", "Node"]] = field(default_factory=list)


class Source:
    """A file's text, and its places as ``Location``."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.text = self._decode(data)
        self._lines = _LINE_BREAK.split(self.text)

    def at(self, line: int, column: int, end_column: int | None = None) -> Location:
        """A place of this file, with its line's text."""
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else None
        return Location(self.name, line, column, end_column, text)

    def of(self, node: Node) -> Location:
        """The place of a value."""
        return self.at(node.line, node.column, node.end_column)

    def _decode(self, data: bytes) -> str:
        if len(data) > MAX_BYTES:
            self._refuse(
                "file-too-large", f"more than {MAX_BYTES:,} bytes", "split the model", 1, 1
            )
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self._refuse("encoding", "this is a UTF-16 file", "save it as UTF-8", 1, 1)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = data[: error.start]
            line = before.count(b"\n") + 1
            column = len(before) - (before.rfind(b"\n") + 1) + 1
            message = f"byte 0x{data[error.start]:02x} is not UTF-8"
            self._refuse("encoding", message, "save the file as UTF-8", line, column)
        found = _CONTROL.search(text)
        if found:
            self._refuse_character(text, found.start())
        return text

    def _refuse_character(self, text: str, position: int) -> NoReturn:
        self._lines = _LINE_BREAK.split(text)
        before = _LINE_BREAK.split(text[:position])
        line, column = len(before), len(before[-1]) + 1
        code, escape = ord(text[position]), visible(text[position])
        message = f"found the character U+{code:04X}, which does not show"
        hint = f'write it as an escape in a double-quoted name: "{escape}"'
        place = self.at(line, column, column + 1)
        raise ModelError([Diagnostic("control-character", message, hint, place)])

    def _refuse(self, code: str, message: str, hint: str, line: int, column: int) -> NoReturn:
        place = Location(self.name, line, column)
        raise ModelError([Diagnostic(code, message, hint, place)])


def read_nodes(source: Source) -> Node | None:
    """The file's one value, or None where it is empty.

    Raises:
        ModelError: with all that is refused, or the first syntax error.
    """
    builder = _Builder(source)
    loader = _Events(source.text)
    try:
        while loader.check_event():
            event = loader.get_event()
            assert event is not None
            builder.take(event)
    except yaml.YAMLError as error:
        builder.refuse_syntax(error)
    except RecursionError:
        builder.refuse("nesting", "the nesting is too deep", None, 1, 1)
    finally:
        loader.dispose()
    if builder.refused:
        raise builder.error()
    return builder.root


def in_order(found: list[Diagnostic], count: int | None = None) -> list[Diagnostic]:
    """What was found in a file, in its order and not endlessly.

    Args:
        found: the diagnostics.
        count: how many there were in all, where not all were kept.
    """
    shown = sorted(found, key=_place)[:MOST_DIAGNOSTICS]
    more = (len(found) if count is None else count) - len(shown)
    if more <= 0:
        return shown
    first = shown[0]
    code = "more-errors" if first.severity == "error" else "more-warnings"
    message = f"{more:,} more {first.severity}{'' if more == 1 else 's'} in this file"
    place = Location(first.location.file) if first.location else None
    return [*shown, Diagnostic(code, message, None, place, severity=first.severity)]


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    place = diagnostic.location
    return (place.line or 0, place.column or 0) if place else (0, 0)


class _Builder:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.root: Node | None = None
        self.refused: list[Diagnostic] = []
        self._open: list[tuple[Node, list[Node]]] = []
        self._documents = self._values = 0

    def refuse(self, code: str, message: str, hint: str | None, line: int, column: int) -> None:
        place = self.source.at(line, column)
        self.refused.append(Diagnostic(code, message, hint, place))

    def _refuse_at(self, event: yaml.Event, code: str, message: str, hint: str | None) -> None:
        self.refuse(code, message, hint, *_start(event))

    def refuse_syntax(self, error: yaml.YAMLError) -> None:
        """Note what the YAML parser says; after it nothing more can be read."""
        begin = getattr(error, "context_mark", None)
        mark = getattr(error, "problem_mark", None) or begin
        problem = str(getattr(error, "problem", None) or "this is not YAML").splitlines()[0]
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        if begin and begin.line + 1 < line:
            problem += f" ({error.context} that begins on line {begin.line + 1})"  # type: ignore[attr-defined]
        self.refuse("yaml-syntax", problem, self._syntax_hint(problem, line, column), line, column)

    def _syntax_hint(self, problem: str, line: int, column: int) -> str | None:
        source = self.source.at(line, column).source_line or ""
        if source[column - 1 :].startswith("\t"):
            return "indent with spaces, not with tabs"
        if "escape" in problem:
            return "write the character itself"
        if source.startswith("%"):
            return "leave out lines that begin with %"
        return _SYNTAX_HINT

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._stop_at(
                    event,
                    "two-documents",
                    "a second document begins here",
                    "keep one model in a file",
                )
        elif isinstance(event, yaml.AliasEvent):
            self._refuse_at(
                event, "alias", "found an alias (*), expected plain values", _ALIAS_HINT
            )
            self._put(self._node("text", event))
        elif isinstance(event, yaml.NodeEvent):
            self._take_node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)

    def _stop_at(self, event: yaml.Event, code: str, message: str, hint: str) -> None:
        self._refuse_at(event, code, message, hint)
        raise self.error()

    def error(self) -> ModelError:
        """What was refused, as the error to raise."""
        return ModelError(in_order(self.refused))

    def _take_node(self, event: yaml.NodeEvent) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            self._stop_at(event, "too-many-values", f"more than {MAX_VALUES:,} values", "split it")
        if event.anchor:
            self._refuse_at(
                event, "alias", "found an anchor (&), expected plain values", _ALIAS_HINT
            )
        if getattr(event, "tag", None):
            self._refuse_at(event, "tag", "found a tag (!), expected plain values", _TAG_HINT)
        if isinstance(event, yaml.ScalarEvent):
            self._take_scalar(event)
        elif len(self._open) >= MAX_DEPTH:
            self._stop_at(event, "nesting", f"nesting deeper than {MAX_DEPTH} levels", "flatten it")
        else:
            kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
            self._open.append((self._node(kind, event), []))

    def _take_scalar(self, event: yaml.ScalarEvent) -> None:
        if len(event.value) > MAX_SCALAR:
            message = f"a text of {len(event.value):,} characters, the limit is {MAX_SCALAR:,}"
            self._refuse_at(event, "text-too-long", message, "write a shorter one")
        if _SURROGATE.search(event.value):
            self._refuse_at(event, "surrogate", "half of a surrogate pair", "write the character")
        node = self._node("text", event)
        node.text, node.plain = event.value, not event.style
        if node.plain and node.text == "<<":
            self._refuse_at(
                event, "alias", "found a merge key (<<), expected plain values", _ALIAS_HINT
            )
        self._put(node)

    def _node(self, kind: str, event: yaml.Event) -> Node:
        line, column = _start(event)
        end_line, end_column = _end(event)
        return Node(kind, line, column, end_column if end_line == line else None)

    def _put(self, node: Node) -> None:
        if self._open:
            self._open[-1][1].append(node)
        else:
            self.root = node

    def _close(self, event: yaml.Event) -> None:
        node, children = self._open.pop()
        end_line, end_column = _end(event)
        node.end_column = end_column if end_line == node.line else None
        if node.kind == "list":
            node.items = children
        else:
            node.pairs = list(zip(children[::2], children[1::2], strict=True))
        self._put(node)


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _end(event: yaml.Event) -> tuple[int, int]:
    mark = event.end_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


_ALIAS_HINT = "write the value out where it is used; quote a name that begins with & or *, or is <<"
_TAG_HINT = "leave it out; quote a name that begins with !"
_SYNTAX_HINT = "quote names that hold : # { } [ ] , & * ! | > % @ ` or begin with - or ?"
