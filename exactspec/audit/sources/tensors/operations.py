"""What an operation of PyTorch is by its schema, found once for each."""

from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Operation:
    """What is known of an operation.

    Args:
        name: without its namespace, and without the underscore of one that writes in place.
        is_view: its result shares the storage of its argument.
        is_composite: it is made of others.
        draws: it may use a generator.
        functional: for one that writes into an argument: the same without writing, if there is one.
        outputs: the names of the arguments that its results are written into.
        writes_in_place: it writes into its first argument.
        func: the operation itself.
    """

    name: str
    is_view: bool
    is_composite: bool
    draws: bool
    functional: Any
    outputs: tuple[str, ...]
    writes_in_place: bool
    func: Any


# by address, as operations are never given up: their own hash is a function written in Python
_KNOWN: dict[int, Operation] = {}


def operation(func: Any) -> Operation:
    """What an operation is."""
    known = _KNOWN.get(id(func))
    if known is None:
        known = _KNOWN[id(func)] = _described(func)
    return known


def _described(func: Any) -> Operation:
    schema = func._schema
    namespace, _, name = schema.name.partition("::")
    outputs = tuple(argument.name for argument in schema.arguments if argument.is_out)
    first = schema.arguments[0] if schema.arguments else None
    writes_in_place = bool(not outputs and first and first.alias_info and first.alias_info.is_write)
    if writes_in_place:
        name = name.removesuffix("_")
    if schema.overload_name == "Tensor" and name == "repeat_interleave":
        name = "repeated_places"  # its argument is how often, not what
    return Operation(
        name if namespace == "aten" else schema.name,
        _is_view(func),
        func.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd),
        torch.Tag.nondeterministic_seeded in func.tags,
        _functional(func, name) if outputs or writes_in_place else None,
        outputs,
        writes_in_place,
        func,
    )


def _is_view(func: Any) -> bool:
    """Whether nothing is computed: the result is another look at the argument."""
    if torch.Tag.inplace_view in func.tags:
        return True
    if func._overloadname == "dtype":
        return False  # the same bits read as other numbers
    results = func._schema.returns
    return bool(results) and any(r.alias_info and not r.alias_info.is_write for r in results)


def _functional(func: Any, name: str) -> Any:
    """The overload that takes the same arguments and returns its result."""
    packet = getattr(torch.ops.aten, name, None)
    wanted = _signature(func)
    for overload in packet.overloads() if packet else ():
        candidate = getattr(packet, overload)
        if not candidate._schema.is_mutable and _signature(candidate) == wanted:
            return candidate
    return None


def _signature(func: Any) -> list[tuple[str, str]]:
    arguments = [argument for argument in func._schema.arguments if not argument.is_out]
    return [(argument.name, str(argument.type)) for argument in arguments]
