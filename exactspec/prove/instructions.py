"""What a single instruction of a rule's code could find out of a number, or leave behind for later rounds."""

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dis import Instruction
from typing import Any, cast

from exactspec.errors import UndefinedResidual

ASKING = frozenset(
    """isinstance issubclass type hasattr getattr setattr delattr id vars dir globals locals eval exec
    compile __import__ breakpoint open input super is_ is_not attrgetter methodcaller singledispatch
    singledispatchmethod __class__""".split()  # noqa: SIM905
)
# What a formula, its rows and its tables have that numbers and plain tables have not, or not alike.
_OF_FORMULAS = frozenset(
    """is_open possible reweighted is_zero smaller vanishes_with sign_in number powers reader inverse
    numerator_polynomial denominator_polynomial world notes memory decide location text""".split()  # noqa: SIM905
)
MODULES = frozenset(
    [
        "fractions",
        "math",
        "itertools",
        "functools",
        "operator",
        "collections",
        "typing",
        "dataclasses",
    ]
)
SILENT = frozenset(["CACHE", "NOT_TAKEN", "NOP", "RESUME", "EXTENDED_ARG", "PRECALL"])
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")
_OWN_NAMES = frozenset(["_replace", "_asdict", "_make", "__name__"])
_CAUGHT = (ZeroDivisionError, UndefinedResidual, ValueError, KeyError, IndexError, StopIteration)
_ERRORS = "may catch errors that only a formula raises"


def by_itself(before: Instruction, each: Instruction) -> Iterator[str]:
    """What one instruction tells, whatever it is done with.

    Args:
        before: the instruction in front of it.
        each: the instruction.
    """
    told = _TOLD.get(each.opname)
    if told is not None:
        found = told(str(each.argval), before)
        if found is not None:
            yield found


def _of_attribute(name: str, before: Instruction) -> str | None:
    hidden = name.startswith("_") and name not in _OWN_NAMES
    return f"looks at {name}" if hidden or name in _OF_FORMULAS or name in ASKING else None


def _of_import(name: str, before: Instruction) -> str | None:
    allowed = name in ("exactspec", *MODULES) or name.startswith("exactspec.algorithms")
    return None if allowed else f"imports {name}"


def _of_name_imported(name: str, before: Instruction) -> str | None:
    return f"imports {name}" if name in ASKING | _OF_FORMULAS else None


def _of_identity(name: str, before: Instruction) -> str | None:
    constant = "CONST" in before.opname and before.argval in (None, True, False, ...)
    return None if constant else "compares by identity"


def _of_change(name: str, before: Instruction) -> str | None:
    return None if before.argval == "self" else f"changes {name}, which later rounds may see"


_TOLD: dict[str, Callable[[str, Instruction], str | None]] = {
    **dict.fromkeys(_ATTRIBUTES, _of_attribute),
    "IMPORT_NAME": _of_import,
    "IMPORT_FROM": _of_name_imported,
    "MATCH_CLASS": lambda name, before: "matches a class",
    "IS_OP": _of_identity,
    "STORE_GLOBAL": _of_change,
    "STORE_ATTR": _of_change,
    "WITH_EXCEPT_START": lambda name, before: _ERRORS,
    "CHECK_EG_MATCH": lambda name, before: _ERRORS,
}


def handlers(instructions: Sequence[Instruction], space: Mapping[str, Any]) -> Iterator[str]:
    """Handlers of other errors than those that numbers and formulas raise alike, or that look at the error.

    Args:
        instructions: the code, without what is silent.
        space: the values of names.
    """
    places = {each.offset: number for number, each in enumerate(instructions)}
    waiting = [n + 1 for n, each in enumerate(instructions) if each.opname == "PUSH_EXC_INFO"]
    while waiting:
        here = instructions[waiting.pop() :][:4]
        if here[0].opname in ("RERAISE", "COPY"):
            continue
        if len(here) < 4 or here[1].opname != "CHECK_EXC_MATCH":
            yield _ERRORS
            return
        name = str(here[0].argval)
        caught = space.get(name, getattr(builtins, name, None))
        if not any(caught is each for each in _CAUGHT) or here[3].opname != "POP_TOP":
            yield f"catches {name}, and may catch errors that only a formula raises"
            return
        waiting.append(places[cast(int, here[2].argval)])
