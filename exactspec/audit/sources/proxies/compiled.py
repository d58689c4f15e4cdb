"""Functions that ``mx.compile`` and MLX's other transformations have made: C++ that takes no array of ours."""

import gc
from typing import Any

import mlx.core as mx

from exactspec.audit.sources.proxies.exact import are_exact
from exactspec.audit.world import current

Transformed: Any = type(mx.compile(lambda: None))
_call = Transformed.__call__


def call(self: Any, *arguments: Any, **options: Any) -> Any:
    """A call of such a function: with arrays of ours, of the function that was compiled."""
    if not are_exact((arguments, options)):
        return _call(self, *arguments, **options)
    return _compiled(self)(*arguments, **options)


def _compiled(transformed: Any) -> Any:
    """The function behind a compiled one, which holds it last, behind what else it reads and writes."""
    held = [each for each in gc.get_referents(transformed) if not isinstance(each, type)]
    *_, reads, writes, function = [None, None, None, *held]
    is_compiled = len(held) >= 3 and not isinstance(reads, int) and not isinstance(writes, int)
    if not (is_compiled and callable(function)):
        current().refuse(
            "audit-no-rule",
            "a transformed function (mx.grad, mx.vmap) is called with random or exact numbers",
            "the audit follows mx.compile only",
        )
    return function
