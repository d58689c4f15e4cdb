"""Mutation operators on statements: deletions, conditions, what is returned, and mistaken variables."""

import ast
from collections.abc import Iterator

from exactspec.audit.mutation.calls import name_of
from exactspec.audit.mutation.source import Edit, Source
from exactspec.audit.mutation.symbols import off_by_one

_LONE = (ast.AugAssign, ast.Delete, ast.Break, ast.Continue, ast.Raise)


def deletions(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A statement, or all of a branch or of a loop's body, is left out."""
    if isinstance(node, ast.stmt) and _can_be_left_out(node, source):
        yield source.replace(node, "pass")
    if isinstance(node, ast.If | ast.For | ast.While):
        yield from _emptied(node.body, source)
        is_elif = bool(node.orelse) and source.of(node.orelse[0]).startswith("elif")
        if node.orelse and not is_elif:
            yield from _emptied(node.orelse, source)


def _emptied(body: list[ast.stmt], source: Source) -> Iterator[Edit]:
    yield Edit(source.span(body[0])[0], source.span(body[-1])[1], "pass")


def _can_be_left_out(node: ast.stmt, source: Source) -> bool:
    """Whether leaving it out is more than an unknown name: what it assigns has a value before it."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        known = _first_lines(source)
        return all(_is_known(target, known) for target in node.targets)
    return isinstance(node, _LONE)


def _is_known(target: ast.expr, known: dict[str, int]) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(_is_known(each, known) for each in target.elts)
    if isinstance(target, ast.Name):
        return known[target.id] < target.lineno
    return True


def _first_lines(source: Source) -> dict[str, int]:
    """The variables of a function with the line that first assigns each; 0 for a parameter."""
    arguments = source.definition.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found = {parameter.arg: 0 for parameter in parameters}
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = min(node.lineno, found.get(node.id, node.lineno))
    return found


def conditions(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A condition becomes its opposite; that of a single comparison is one of ``comparisons``."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        tests = [node.test]
    if isinstance(node, ast.comprehension):
        tests = node.ifs
    for test in tests:
        is_one_comparison = isinstance(test, ast.Compare) and len(test.ops) == 1
        is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if not (is_one_comparison or is_not):
            yield source.replace(test, f"not {source.operand(test)}")


def returned(node: ast.AST, source: Source) -> Iterator[Edit]:
    """What is returned, or each part of it, is one more or one less."""
    if isinstance(node, ast.Return) and node.value is not None:
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for value in values:
            is_count = isinstance(value, ast.Call) and name_of(value) == "len"
            if is_count or isinstance(value, ast.Name | ast.BinOp):
                yield from off_by_one(value, source)


def mistaken(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A variable is mistaken for another of a like name, or for the other side of its operator."""
    if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
        return
    parent = source.parents[node]
    known = _first_lines(source)
    if node.id not in known or (isinstance(parent, ast.Call) and parent.func is node):
        return
    beside = _beside(node, parent)
    for other, line in known.items():
        is_near = alike(node.id, other) or other in beside
        if other != node.id and line < node.lineno and is_near:
            yield source.replace(node, other)


def _beside(node: ast.Name, parent: ast.AST) -> set[str]:
    """The variables that are compared with a variable, or computed with it."""
    sides: list[ast.expr] = []
    if isinstance(parent, ast.BinOp):
        sides = [parent.left, parent.right]
    if isinstance(parent, ast.Compare):
        sides = [parent.left, *parent.comparators]
    return {side.id for side in sides if isinstance(side, ast.Name)} - {node.id}


def alike(first: str, second: str) -> bool:
    """Whether two names differ in one word of several, or are single letters.

    >>> alike("p_i", "q_i"), alike("p", "q"), alike("row", "coin")
    (True, True, False)
    """
    words, others = first.split("_"), second.split("_")
    if len(words) != len(others):
        return False
    differing = sum(word != other for word, other in zip(words, others, strict=True))
    return differing == 1 and (len(words) > 1 or len(first) == len(second) == 1)
