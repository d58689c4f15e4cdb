"""Triton's interpreter under control, for one run."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import triton.language as tl
from triton.runtime import interpreter

from exactspec.audit.sources.kernels import access, builder, counters, reductions


@contextmanager
def controlled() -> Iterator[None]:
    """Kernels of the run are interpreted on cells, and draw from the world."""
    with ExitStack() as stack:
        for target, attributes in _replacements():
            stack.enter_context(patch.multiple(target, **attributes))
        yield


def _replacements() -> Iterator[tuple[Any, dict[str, Any]]]:
    yield interpreter.InterpreterBuilder, builder.METHODS | access.METHODS
    # a compiled kernel does not check whole numbers for overflow, unless it is compiled for debugging
    options = replace(interpreter.interpreter_builder.options, sanitize_overflow=False)
    yield interpreter.interpreter_builder, {"options": options}
    yield interpreter, {"_validate_np_data_size": builder.VALIDATION}
    yield interpreter.GridExecutor, {"__call__": access.launch}
    yield interpreter.ReduceScanOpInterface, {"to_tensor": reductions.to_tensor}
    yield interpreter.ReduceOps, {"apply_impl": reductions.reduce}
    yield interpreter.ScanOps, {"apply_impl": reductions.scan}
    for module in (tl, tl.random):
        names = [name for name in counters.FUNCTIONS if hasattr(module, name)]
        yield module, {name: counters.FUNCTIONS[name] for name in names}
