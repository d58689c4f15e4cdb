"""The arguments of an operation by name."""

from collections.abc import Sequence
from functools import cache
from typing import Any


class Arguments:
    """An operation's arguments by name, whether they were given by name or by position."""

    __slots__ = ("_given",)

    def __init__(self, func: Any, arguments: Sequence[Any], options: dict[str, Any]) -> None:
        self._given = dict(zip(_names(func), arguments, strict=False)) | options

    def __getitem__(self, name: str) -> Any:
        return self._given.get(name)

    def get(self, name: str, default: Any) -> Any:
        """An argument, or the default."""
        given = self._given.get(name)
        return default if given is None else given


@cache
def _names(func: Any) -> tuple[str, ...]:
    return tuple(argument.name for argument in func._schema.arguments)
