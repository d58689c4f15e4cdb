"""The rule of an operation: what fills its result with values."""

from collections.abc import Callable
from functools import partial
from typing import Any

from exactspec.audit.sources.tensors import bounds, elementwise
from exactspec.audit.sources.tensors.arguments import Arguments
from exactspec.audit.sources.tensors.orders import ORDERS
from exactspec.audit.sources.tensors.reductions import (
    ALONG,
    LAZY_ALONG,
    LAZY_REDUCED,
    REDUCED,
    along,
    may_stay_open,
    reduced,
)
from exactspec.audit.sources.tensors.shadows import Shadows

Options = dict[str, Any]
Fill = Callable[[Any], None]


def lazy_rule(shadows: Shadows, func: Any, name: str, args: Any, kwargs: Options) -> Fill | None:
    """The rule that leaves open tokens and truth values open; None where they have to be decided."""
    function = elementwise.lazy_rule(name, args)
    if function is not None:
        return partial(elementwise.apply, shadows, function, args)
    if name in LAZY_REDUCED:
        return partial(reduced, shadows, LAZY_REDUCED[name], Arguments(func, args, kwargs))
    if name in LAZY_ALONG and may_stay_open(name, args[0], shadows.values(args[0])):
        return partial(along, shadows, LAZY_ALONG[name], Arguments(func, args, kwargs))
    return None


def rule(
    shadows: Shadows, func: Any, name: str, args: Any, kwargs: Options, *, is_exact: bool
) -> Fill | None:
    """The rule for exact and random numbers, if there is one.

    Args:
        shadows: those of the run.
        func: the operation.
        name: its name.
        args: its arguments, without open tokens and truth values.
        kwargs: those given by name.
        is_exact: whether none is random: what the operation stores is the payload then.
    """
    function = elementwise.rule(name, args, kwargs) or elementwise.lazy_rule(name, args)
    if function is not None:
        return partial(elementwise.apply, shadows, function, args[:2], is_stored=is_exact)
    given = Arguments(func, args, kwargs)
    if name in REDUCED or name in LAZY_REDUCED:
        return partial(reduced, shadows, REDUCED.get(name) or LAZY_REDUCED[name], given)
    if name in ALONG:
        return partial(along, shadows, ALONG[name], given, is_stored=is_exact)
    fill = ORDERS.get(name) or bounds.BOUNDS.get(name)
    return None if fill is None else partial(fill, shadows, given)
