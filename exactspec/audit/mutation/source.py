"""A function's source as text with its syntax tree, and small changes of that text.

A mutant is a change of the text, never of the tree: so what is shown is what runs.
"""

import ast
import functools
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

from exactspec.errors import Diagnostic, Fault

_ATOMIC = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.Tuple, ast.List)
_LONGEST = 60
Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Edit:
    """A part of a text that is replaced.

    Args:
        start: the first byte.
        end: the first byte behind.
        new: what stands there instead.
    """

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Mutant:
    """A function with one small change.

    Args:
        line: the line of the file where the change begins.
        change: the change in words.
        before: the changed line, or lines joined, as they were.
        after: the same with the change.
        text: the source of the whole function with the change.
    """

    line: int
    change: str
    before: str
    after: str
    text: str


class Source:
    """The source of a function.

    Args:
        function: a function that was written with ``def``.

    Raises:
        Fault: where there is no source to change.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        try:
            lines, first_line = inspect.getsourcelines(function)
        except (OSError, TypeError):
            refuse(function, "its source is not to be found")
        self.first_line = max(first_line, 1)
        self.text = "".join(lines)
        self.bytes = self.text.encode()
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line.encode()))
        self._starts = starts
        self.definition = parsed(self.text, self.first_line, function)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Each node's parent."""
        return {
            child: node
            for node in ast.walk(self.definition)
            for child in ast.iter_child_nodes(node)
        }

    def nodes(self) -> Iterator[ast.AST]:
        """The nodes of the body in the order of the text, without those that only name or tell."""
        for statement in self.definition.body:
            yield from _that_count(statement)

    def span(self, node: Any) -> tuple[int, int]:
        """The first byte of a node, and the first one behind it."""
        start = self._starts[node.lineno - self.first_line] + node.col_offset
        return start, self._starts[node.end_lineno - self.first_line] + node.end_col_offset

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.bytes[start:end].decode()

    def operand(self, node: ast.AST) -> str:
        """The text of a node, in parentheses where an operator beside it could take it apart."""
        return self.of(node) if isinstance(node, _ATOMIC) else f"({self.of(node)})"

    def replace(self, node: ast.AST, new: str) -> Edit:
        """A node's text replaced."""
        return Edit(*self.span(node), new)

    def replace_between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Edit:
        """The operator between two nodes replaced."""
        start, end = self.span(left)[1], self.span(right)[0]
        code = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.bytes[start:end])
        pattern = re.escape(old).replace(r"\ ", r"[\s\\]+").encode()
        found = re.search(pattern, code)
        assert found is not None, f"{old!r} is not between its operands"
        return Edit(start + found.start(), start + found.end(), new)

    def is_module(self, node: ast.AST) -> bool:
        """Whether an expression is a module's name, or an attribute behind one."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and isinstance(
            self.function.__globals__.get(node.id), ModuleType
        )

    def mutant(self, edit: Edit) -> Mutant:
        """The function with one edit."""
        changed = self.bytes[: edit.start] + edit.new.encode() + self.bytes[edit.end :]
        row = self.bytes.count(b"\n", 0, edit.start)
        line_start, line_end = self._starts[row], self._end_of_line(edit.end)
        tail = self.bytes[edit.end : line_end]
        old = self.bytes[edit.start : edit.end].decode()
        return Mutant(
            line=self.first_line + row,
            change=_in_words(old, edit.new),
            before=_joined(self.bytes[line_start:line_end].decode()),
            after=_joined(
                (self.bytes[line_start : edit.start] + edit.new.encode() + tail).decode()
            ),
            text=changed.decode(),
        )

    def _end_of_line(self, position: int) -> int:
        end = self.bytes.find(b"\n", position)
        return len(self.bytes) if end < 0 else end


def _in_words(old: str, new: str) -> str:
    if new == "pass":
        return f"`{_shortened(old)}` is deleted"
    if old.startswith(f"{new}."):
        return f"`{_shortened(old[len(new) :])}` is dropped"
    return f"`{_shortened(old)}` becomes `{_shortened(new)}`"


def _shortened(text: str) -> str:
    text = _joined(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _joined(text: str) -> str:
    return " ".join(text.split())


def _that_count(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those inside, without annotations, messages and formatted strings."""
    yield node
    if isinstance(node, ast.Raise | ast.JoinedStr):
        return
    told = [getattr(node, name, None) for name in ("annotation", "returns", "msg")]
    for child in ast.iter_child_nodes(node):
        if not any(child is each for each in told):
            yield from _that_count(child)


def parsed(text: str, first_line: int, function: FunctionType) -> Definition:
    """The definition that a text consists of, with the line numbers of its file.

    Raises:
        SyntaxError: where the text is no program.
        Fault: where it is no definition, as that of a lambda.
    """
    is_indented = text[:1] in (" ", "\t")
    tree = ast.parse("if 1:\n" + text if is_indented else text)
    outer: Any = tree.body[0]
    definition = outer.body[0] if is_indented else outer
    if not isinstance(definition, Definition) or definition.name != function.__code__.co_name:
        refuse(function, "it is not written with def")
    ast.increment_lineno(tree, first_line - 1 - is_indented)
    return definition


def function_behind(target: Any) -> FunctionType:
    """The function that is called in the end: behind decorators, bound methods and partial calls.

    Raises:
        Fault: where there is none.
    """
    found = target
    while not (isinstance(found, FunctionType) and not hasattr(found, "__wrapped__")):
        found = _one_in(found)
        if found is None:
            refuse(target, "it is not a Python function")
    return found


def _one_in(target: Any) -> Any:
    if hasattr(target, "__wrapped__"):
        return target.__wrapped__
    if isinstance(target, MethodType):
        return target.__func__
    if isinstance(target, functools.partial):
        return target.func
    call = inspect.getattr_static(type(target), "__call__", None)
    return call if isinstance(call, FunctionType) and not inspect.isclass(target) else None


def refuse(target: Any, why: str) -> NoReturn:
    """Say that a function can't be mutated."""
    name = getattr(target, "__qualname__", None) or repr(target)
    raise Fault(
        Diagnostic(
            "audit-no-mutants",
            f"{name} can't be mutated: {why}",
            "name a Python function with --mutate MODULE:FUNCTION",
        )
    )


def by_text(source: Source, edits: Sequence[Edit]) -> list[Mutant]:
    """Mutants in the order of the text, each text once, and without those that are no program."""
    ordered = sorted(enumerate(edits), key=lambda pair: (pair[1].start, pair[1].end, pair[0]))
    mutants: dict[str, Mutant] = {}
    for _, edit in ordered:
        mutant = source.mutant(edit)
        if mutant.text != source.text and _is_program(source, mutant):
            mutants.setdefault(mutant.text, mutant)
    return list(mutants.values())


def _is_program(source: Source, mutant: Mutant) -> bool:
    try:
        parsed(mutant.text, source.first_line, source.function)
    except SyntaxError:
        return False
    return True
