"""Mutation operators on single symbols: comparisons, arithmetic, logic, constants and indices."""

import ast
from collections.abc import Iterator
from typing import Any

from exactspec.audit.mutation.source import Edit, Source

_COMPARISONS = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=", "<=", ">=")),
    ast.NotEq: ("!=", ("==", "<", ">")),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
_ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
_ORDERED = (ast.Sub, ast.Div, ast.FloorDiv)
_KEEP_TOGETHER = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_BINDS_LIKE_PLUS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


def comparisons(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A comparison becomes one that is near: with or without equality, and its opposite."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for position, operator in enumerate(node.ops):
            old, near = _COMPARISONS[type(operator)]
            for new in near:
                yield source.replace_between(sides[position], sides[position + 1], old, new)


def arithmetic(node: ast.AST, source: Source) -> Iterator[Edit]:
    """An arithmetic operator becomes another; the operands of a difference or quotient are swapped."""
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        old, new = _ARITHMETIC[type(node.op)]
        yield source.replace_between(node.left, node.right, old, new)
        if isinstance(node.op, _ORDERED):
            right, left = source.operand(node.right), source.operand(node.left)
            yield source.replace(node, f"{right} {old} {left}")
    if isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
        old, new = _ARITHMETIC[type(node.op)]
        yield source.replace_between(node.target, node.value, f"{old}=", f"{new}=")


def logic(node: ast.AST, source: Source) -> Iterator[Edit]:
    """``and`` becomes ``or``; a ``not``, a ``~`` or a minus is dropped."""
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield source.replace_between(left, right, old, new)
    if isinstance(node, ast.UnaryOp) and not is_number(node):
        yield source.replace(node, source.operand(node.operand))


def constants(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A number becomes one more and one less; True becomes False."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield source.replace(node, str(not node.value))
        return
    if is_number(node) and not is_number(source.parents[node]):
        has_minus = isinstance(node, ast.UnaryOp)
        value: Any = node.operand if isinstance(node, ast.UnaryOp) else node
        number = -value.value if has_minus else value.value
        yield source.replace(node, repr(number + 1))
        yield source.replace(node, repr(number - 1))


def is_number(node: ast.AST) -> bool:
    """Whether an expression is a number as it is written, with or without a minus."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )


def indices(node: ast.AST, source: Source) -> Iterator[Edit]:
    """An index, or a bound of a slice, is one more or one less."""
    if not isinstance(node, ast.Subscript):
        return
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for part in parts:
        bounds = (part.lower, part.upper) if isinstance(part, ast.Slice) else (part,)
        for bound in bounds:
            if bound is not None and not isinstance(bound, ast.Starred):
                yield from off_by_one(bound, source)


def off_by_one(node: ast.expr, source: Source) -> Iterator[Edit]:
    """An expression that is computed, one more and one less. Numbers as written are ``constants``."""
    if is_number(node) or isinstance(node, ast.Constant):
        return
    binds = isinstance(node, _KEEP_TOGETHER) or (
        (isinstance(node, ast.BinOp) and isinstance(node.op, _BINDS_LIKE_PLUS))
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))
    )
    text = source.of(node) if binds else f"({source.of(node)})"
    yield source.replace(node, f"{text} + 1")
    yield source.replace(node, f"{text} - 1")
