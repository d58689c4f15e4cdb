"""Triton: real kernels in Triton's own interpreter, on tensors of PyTorch that the audit follows.

A library may import Triton by itself; without ``TRITON_INTERPRET=1`` all that happens is that a launch
of a kernel in an audit is refused.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, NoReturn

from triton.runtime.jit import JITFunction

from exactspec.audit.sources.interpreter import HINT, is_interpreted
from exactspec.audit.sources.replaced import replaced
from exactspec.audit.world import World, current


class _Triton:
    """Triton under control."""

    @contextmanager
    def control(self, world: World) -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(replaced(JITFunction, run=_refuse))
            if is_interpreted() and "torch" in sys.modules:
                kernels = import_module("exactspec.audit.sources.kernels.control")
                stack.enter_context(kernels.controlled(_refuse))
            yield

    def plain(self, value: Any) -> Any:
        return value


def _refuse(kernel: Any, *arguments: Any, **options: Any) -> NoReturn:
    function = getattr(kernel, "fn", kernel)
    name = getattr(function, "__name__", "?")
    current().refuse("audit-no-interpreter", f"the Triton kernel {name} is not interpreted", HINT)


SOURCE = _Triton()
