"""Where random numbers come from: one file for each library, imported only where the program has it."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from exactspec.audit.world import Source

_LIBRARIES = [
    name
    for name in ("random", "numpy", "torch", "triton", "mlx")
    if find_spec(f"{__name__}.from_{name}")
]


def loaded() -> Sequence[Source]:
    """The sources of all libraries that are imported now."""
    return [_source(name) for name in _LIBRARIES if name in sys.modules]


def _source(name: str) -> Source:
    return cast(Source, import_module(f"exactspec.audit.sources.from_{name}").SOURCE)
