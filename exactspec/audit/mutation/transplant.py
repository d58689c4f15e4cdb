"""A mutant takes its function's place: the function object gets another code, and its own one back.

So everything that holds the function runs the mutant: its module, other modules that imported it,
decorators, classes, closures. Nothing of the module is run again.
"""

import ast
import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from exactspec.audit.mutation.source import Definition, parsed, refuse

_COUNTER = "_exactspec_turn"
_FUTURE = 0x0FFE0000  # the flags of ``from __future__ import ...`` in a code's flags


@contextmanager
def in_place_of(function: FunctionType, code: CodeType, turn: Callable[[], None]) -> Iterator[None]:
    """A context in which a function runs another code, and calls ``turn`` at each turn of a loop."""
    own, names = function.__code__, function.__globals__
    names[_COUNTER] = turn
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = own
        names.pop(_COUNTER, None)


def compiled(function: FunctionType, text: str, first_line: int) -> CodeType:
    """The code of a changed text of a function, with a call where it begins and at each turn of a loop.

    Raises:
        Fault: where the code would not fit the variables that the function shares with its outer one.
    """
    definition = _Counting().visit(parsed(text, first_line, function))
    definition.decorator_list = []
    definition.body.append(_never(function))
    module = ast.fix_missing_locations(_surrounded(function, definition))
    flags = function.__code__.co_flags & _FUTURE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = compile(module, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    code = _named(whole, function.__code__.co_name)
    if code is None or code.co_freevars != function.__code__.co_freevars:
        refuse(function, "it shares variables with the function around it in an unknown way")
    return code.replace(co_qualname=function.__code__.co_qualname)


def _never(function: FunctionType) -> ast.stmt:
    """Statements that are never run: they keep the shared variables, and a generator a generator."""
    lines = [*function.__code__.co_freevars, "pass"]
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        lines.append("yield")
    return ast.parse("if 0:\n" + "".join(f"    {line}\n" for line in lines)).body[0]


def _surrounded(function: FunctionType, definition: Definition) -> ast.Module:
    """The definition inside of a function with the shared variables, and of its class."""
    shared = function.__code__.co_freevars
    inner: Any = definition
    owner = function.__qualname__.split(".")[-2:-1]
    if owner and owner != ["<locals>"]:
        inner = ast.parse(f"class {owner[0]}:\n    pass").body[0]
        inner.body = [definition]
    # a name that the function reads of its module must not become one of the function around it
    is_global = inner.name not in shared
    first = f"global {inner.name}" if is_global else "pass"
    tree = ast.parse(f"def _outer({', '.join(shared)}):\n    {first}")
    outer: Any = tree.body[0]
    outer.body.append(inner)
    return tree


def _named(code: CodeType, name: str) -> CodeType | None:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found = inner if inner.co_name == name else _named(inner, name)
            if found is not None:
                return found
    return None


class _Counting(ast.NodeTransformer):
    """Adds a call to the beginning of each function's and loop's body."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, Definition | ast.For | ast.AsyncFor | ast.While):
            node.body.insert(0, ast.parse(f"{_COUNTER}()").body[0])
        return node
