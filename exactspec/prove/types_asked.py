"""Whether a rule's code can tell a formula from a number: then a proof for formulas says nothing of it.

A rule is followed with formulas in the places of numbers. That means something only if it can't find out:
by asking for types, by identity, by errors that only a formula raises, by what only a formula has; and
only if a round depends on nothing that an earlier one has left behind.
"""

import builtins
import dis
import operator
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import pairwise
from numbers import Number
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

from exactspec.distribution import Masses
from exactspec.model.table import Model
from exactspec.prove.instructions import ASKING, MODULES, SILENT, by_itself, handlers
from exactspec.rule import Algorithm

_LOADS = frozenset(["LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"])
_CONSTANTS = (str, int, float, Fraction, frozenset, Masses, Model, Enum, type(None), type(...))
_OUR_FILES = frozenset(
    f"exactspec.{name}" for name in ("distribution", "numbers", "rule", "transforms")
)
_BUILT_IN = ("builtin_function_or_method", "_GenericAlias")
_TELLING = (
    *(getattr(builtins, name) for name in sorted(ASKING) if hasattr(builtins, name)),
    operator.is_,
    operator.is_not,
    operator.attrgetter,
    operator.methodcaller,
)


def asks_for_types(rule: Algorithm) -> str | None:
    """By what the rule's code, or code that it names, may tell a formula from a number; None for nothing.

    >>> from exactspec.algorithms import CATALOGUE
    >>> asks_for_types(CATALOGUE["token_level"])
    """
    if _is_ours(rule.function):
        return None
    if not isinstance(rule.function, FunctionType):
        return f"is a {type(rule.function).__name__}, whose code is not looked at"
    found = next(_Looks().of_function(rule.function), None)
    if found is None or "rounds" in found or "errors" in found:
        return found
    return f"{found}, and may treat a formula as no number"


def _is_ours(function: object) -> bool:
    """Whether a function, with what it wraps, is one of exactspec that treats formulas as numbers."""
    layers = [function]
    while hasattr(layers[-1], "__wrapped__"):
        layers.append(cast(Any, layers[-1]).__wrapped__)
    return all(map(_is_from_our_files, layers))


def _is_from_our_files(function: object) -> bool:
    module = getattr(function, "__globals__", {}).get("__name__", "")
    return module in _OUR_FILES or module.startswith("exactspec.algorithms.")


class _Looks:
    """Walks through code and all that it names, and gives each thing that is not allowed, in words."""

    def __init__(self) -> None:
        self._seen: dict[int, object] = {}

    def of_function(self, function: FunctionType) -> Iterator[str]:
        """What is found in a function."""
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        for number, default in enumerate(defaults):
            yield from self._of_value(f"default {number + 1} of {function.__name__}", default)
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        space = {name: cell.cell_contents for name, cell in cells}
        yield from self._of_code(function.__code__, {**function.__globals__, **space})

    def _of_code(self, code: CodeType, space: dict[str, Any]) -> Iterator[str]:
        instructions = [i for i in dis.get_instructions(code) if i.opname not in SILENT]
        yield from handlers(instructions, space)
        for before, each in pairwise([instructions[0], *instructions]):
            yield from by_itself(before, each)
            name = str(each.argval)
            if each.opname in _LOADS and name in space:
                yield from self._of_value(name, space[name])
            elif each.opname in _LOADS and name in ASKING and hasattr(builtins, name):
                yield f"calls {name}"
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                yield from self._of_code(inner, space)
            elif isinstance(inner, complex):
                yield f"has the complex number {inner}"

    def _of_value(self, name: str, value: Any) -> Iterator[str]:
        if id(value) in self._seen:
            return
        self._seen[id(value)] = value
        inside = _inside(value)
        if any(value is each for each in _TELLING) or hasattr(value, "registry"):
            yield f"calls {name}"
        elif inside is not None:
            for inner in inside:
                yield from self._of_value(name, inner)
        elif isinstance(value, FunctionType):
            yield from self._of_a_function(name, value)
        elif isinstance(value, type):
            yield from self._of_class(name, value)
        else:
            yield from _of_a_thing(name, value)

    def _of_a_function(self, name: str, function: FunctionType) -> Iterator[str]:
        module = function.__globals__.get("__name__", "")
        if _is_ours(function) or module.partition(".")[0] in MODULES:
            return
        if module.startswith("exactspec."):
            yield f"calls {name}"
        else:
            yield from self.of_function(function)

    def _of_class(self, name: str, kind: type) -> Iterator[str]:
        if kind.__module__ in ("builtins", *MODULES) or kind.__module__.startswith("exactspec."):
            return
        if issubclass(kind, Number):
            yield f"uses {name}, a kind of numbers of its own"
        for member, value in vars(kind).items():
            if not member.startswith("__") or isinstance(value, FunctionType):
                yield from self._of_value(member, value)


def _of_a_thing(name: str, value: object) -> Iterator[str]:
    if isinstance(value, ModuleType):
        if value.__name__.partition(".")[0] not in (*MODULES, "exactspec"):
            yield f"uses the module {value.__name__}"
    elif not isinstance(value, _CONSTANTS) and type(value).__name__ not in _BUILT_IN:
        yield f"uses {name}, which can change between rounds"


def _inside(value: object) -> tuple[Any, ...] | None:
    """What is called, or looked at, where a thing is; None where it has nothing inside."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, Algorithm):
        return (value.function,)
    if isinstance(value, staticmethod | classmethod):
        return (value.__func__,)
    if isinstance(value, property):
        return (value.fget,)
    if type(value).__name__ == "_lru_cache_wrapper":
        return (cast(Any, value).__wrapped__,)
    if isinstance(value, partial):
        return (value.func, *value.args, *value.keywords.values())
    return None
