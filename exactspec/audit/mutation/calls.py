"""Mutation operators on calls: bounds, arguments, and methods in a chain."""

import ast
from collections.abc import Iterator

from exactspec.audit.mutation.source import Edit, Source

_PAIRS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("fmin", "fmax"),
    ("amin", "amax"),
    ("argmin", "argmax"),
    ("clamp_min", "clamp_max"),
    ("any", "all"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
)
_OPPOSITE = dict(_PAIRS) | {second: first for first, second in _PAIRS}
_EXTREMES = {"min", "max", "minimum", "maximum", "fmin", "fmax"}
_BOUNDS = {"clamp", "clip", "relu", "clamp_min", "clamp_max"}
_BOUND_NAMES = {"min": "max", "max": "min", "a_min": "a_max", "a_max": "a_min"}
_SYMMETRIC = _EXTREMES | {"add", "multiply", "equal", "allclose", "isclose"}


def opposites(node: ast.AST, source: Source) -> Iterator[Edit]:
    """min becomes max, ``zeros`` become ``ones``, and a bound below becomes one above."""
    if not isinstance(node, ast.Call):
        return
    name = name_of(node)
    if name in _OPPOSITE:
        _, end = source.span(node.func)
        yield Edit(end - len(name), end, _OPPOSITE[name])
    if name in _BOUNDS and len(node.keywords) == 1 and node.keywords[0].arg in _BOUND_NAMES:
        keyword = node.keywords[0]
        start, _ = source.span(keyword)
        yield Edit(start, start + len(keyword.arg or ""), _BOUND_NAMES[keyword.arg or ""])


def dropped_bounds(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A minimum of two becomes each of the two; of two bounds each one is dropped, or a single one."""
    if not isinstance(node, ast.Call):
        return
    name = name_of(node)
    if name in _EXTREMES and len(node.args) == 2 and not node.keywords:
        for argument in node.args:
            yield source.replace(node, source.operand(argument))
    if name in _BOUNDS and isinstance(node.func, ast.Attribute):
        if source.is_module(node.func.value) and node.args:
            yield source.replace(node, source.operand(node.args[0]))
        for keyword in node.keywords if len(node.keywords) > 1 else ():
            rest = [other for other in node.keywords if other is not keyword]
            yield source.replace(node, ast.unparse(ast.Call(node.func, node.args, rest)))


def swapped_arguments(node: ast.AST, source: Source) -> Iterator[Edit]:
    """The two arguments of a call are swapped."""
    if not isinstance(node, ast.Call) or len(node.args) != 2 or name_of(node) in _SYMMETRIC:
        return
    first, second = node.args
    if not any(isinstance(argument, ast.Starred) for argument in node.args):
        (start, middle), (behind, end) = source.span(first), source.span(second)
        between = source.bytes[middle:behind].decode()
        yield Edit(start, end, source.of(second) + between + source.of(first))


def dropped_methods(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A method in a chain is not called: ``x.clamp(min=0)`` becomes ``x``."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return
    receiver = node.func.value
    is_statement = isinstance(source.parents[node], ast.Expr)
    is_named = isinstance(receiver, ast.Name) and receiver.id in ("self", "cls")
    is_text = isinstance(receiver, ast.Constant)
    if not (is_statement or is_named or is_text or source.is_module(receiver)):
        yield source.replace(node, source.operand(receiver))


def name_of(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    function = call.func
    return str(getattr(function, "attr", None) or getattr(function, "id", ""))
