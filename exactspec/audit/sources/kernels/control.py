"""Triton's interpreter under control, for one run."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import triton.language as tl
from triton.runtime import interpreter

from exactspec.audit.sources.kernels import access, builder, counters, reductions
from exactspec.audit.sources.replaced import replaced

_WIDTHS = "_validate_np_data_size"
_IS_INTERPRETED = isinstance(tl.max, interpreter.InterpretedFunction)


@contextmanager
def controlled(refuse: Callable[..., NoReturn]) -> Iterator[None]:
    """Kernels of the run are interpreted on cells, and draw from the world.

    Args:
        refuse: what a launch comes to where Triton's own functions are not interpreted.
    """
    refused = [(interpreter.GridExecutor, {"__call__": refuse})]
    with ExitStack() as stack:
        for target, attributes in _replacements() if _IS_INTERPRETED else refused:
            stack.enter_context(replaced(target, **attributes))
        yield


def _replacements() -> Iterator[tuple[Any, dict[str, Any]]]:
    yield interpreter.InterpreterBuilder, builder.METHODS | access.METHODS
    # a compiled kernel does not check whole numbers for overflow, unless it is compiled for debugging
    options = replace(interpreter.interpreter_builder.options, sanitize_overflow=False)
    yield interpreter.interpreter_builder, {"options": options}
    if hasattr(interpreter, _WIDTHS):
        yield interpreter, {_WIDTHS: partial(_fits, getattr(interpreter, _WIDTHS))}
    yield interpreter.GridExecutor, {"__call__": access.launch}
    yield interpreter.ReduceScanOpInterface, {"to_tensor": reductions.to_tensor}
    yield interpreter.ReduceOps, {"apply_impl": reductions.reduce}
    yield interpreter.ScanOps, {"apply_impl": reductions.scan}
    for module in (tl, tl.random):
        names = [name for name in counters.FUNCTIONS if hasattr(module, name)]
        yield module, {name: counters.FUNCTIONS[name] for name in names}


def _fits(real: Callable[..., bool], data: Any, kind: Any) -> bool:
    """Whether an array has the width of a type; cells have none."""
    return data.dtype == object or real(data, kind)
