"""Whether a rule's code asks what kind of thing a value is: then it may treat a formula otherwise."""

from collections.abc import Iterator
from types import CodeType, FunctionType

from exactspec.rule import Algorithm

_ASKING = frozenset(
    [
        "isinstance",
        "issubclass",
        "type",
        "hasattr",
        "getattr",
        "__class__",
        "id",
        "vars",
        "dir",
        "globals",
        "locals",
        "eval",
        "exec",
        "compile",
        "__import__",
        "_getframe",
    ]
)


def asks_for_types(rule: Algorithm) -> str | None:
    """The first name in the rule's code, or in that of functions of its file that it names, that asks for a type.

    >>> from exactspec.algorithms import CATALOGUE
    >>> asks_for_types(CATALOGUE["token_level"])
    """
    function = rule.function
    if rule.of_the_catalogue or not isinstance(function, FunctionType):
        return None
    for code in _codes(function):
        for name in code.co_names:
            if name in _ASKING:
                return name
    return None


def _codes(function: FunctionType) -> Iterator[CodeType]:
    """The code of a function, of what it defines, and of the functions of its module that it names."""
    space = function.__globals__
    seen: dict[CodeType, None] = {}
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        if code in seen:
            continue
        seen[code] = None
        yield code
        waiting.extend(inner for inner in code.co_consts if isinstance(inner, CodeType))
        named = (space.get(name) for name in code.co_names)
        for each in (getattr(one, "function", one) for one in named):
            if isinstance(each, FunctionType) and each.__globals__ is space:
                waiting.append(each.__code__)
