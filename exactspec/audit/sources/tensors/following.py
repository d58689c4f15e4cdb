"""An error of the audit is never taken for one of the audited program."""

from types import TracebackType
from typing import Any

from exactspec.audit.world import current
from exactspec.errors import InternalError


class following:  # noqa: N801
    """A context for our own work on an operation: what goes wrong in it is our defect."""

    __slots__ = ("_func",)

    def __init__(self, func: Any) -> None:
        self._func = func

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception):
            defect = InternalError(f"{self._func}: {type(error).__name__}: {error}")
            # kept as well, in case the program hides every exception
            current().fault = current().fault or defect
            raise defect from error
