"""Operations that only move elements: they run a second time on the shadows."""

from collections.abc import Sequence
from typing import Any

import torch

from exactspec.audit.sources.tensors.shadows import Shadows, tensors_in

# which arguments hold the elements that are moved; the others say where to, and are looked at
MOVED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("cat", "stack", "hstack", "vstack", "clone", "repeat", "flip", "roll"), (0,)),
    **dict.fromkeys(("index", "_unsafe_index", "index_select", "gather", "take"), (0,)),
    **dict.fromkeys(("masked_select", "repeat_interleave", "tril", "triu", "rot90"), (0,)),
    **dict.fromkeys(("unfold_copy", "diagonal_copy", "as_strided_copy"), (0,)),
    **dict.fromkeys(
        (
            "expand_copy",
            "squeeze_copy",
            "view_copy",
            "permute_copy",
            "_unsafe_view",
            "_reshape_copy",
            "_pin_memory",
        ),
        (0,),
    ),
    **dict.fromkeys(("slice_scatter", "select_scatter", "diagonal_scatter", "fill"), (0, 1)),
    **dict.fromkeys(("index_put", "_index_put_impl", "_unsafe_index_put"), (0, 2)),
    **dict.fromkeys(("index_copy", "scatter", "index_fill"), (0, 3)),
    **dict.fromkeys(("masked_fill", "masked_scatter", "constant_pad_nd"), (0, 2)),
    "where": (1, 2),
    "copy": (1,),
}
_INTO_THE_FIRST = ("fill", "masked_fill", "index_fill", "slice_scatter", "select_scatter")
_SUMS = ("index_put", "_index_put_impl", "_unsafe_index_put")


def only_moves(name: str, arguments: Sequence[Any], options: dict[str, Any]) -> bool:
    """Whether an operation computes nothing with the elements."""
    if name in _SUMS:
        return not (len(arguments) > 3 and arguments[3]) and not options.get("accumulate")
    return (
        name in MOVED
        and "reduce" not in options
        and not (name == "scatter" and len(arguments) > 4)
        and not (name in _INTO_THE_FIRST and _converts(name, arguments))
    )


def _converts(name: str, arguments: Sequence[Any]) -> bool:
    """Whether floats become whole numbers or truth values where they are put."""
    target = arguments[0].dtype
    moved = tensors_in(arguments[i] for i in MOVED[name] if i < len(arguments))
    return any(each.dtype != target and not target.is_floating_point for each in moved)


def looked_at(name: str, arguments: Sequence[Any]) -> list[Any]:
    """The tensors that say where elements go."""
    moved = MOVED[name]
    return tensors_in(each for i, each in enumerate(arguments) if i not in moved)


def moved_ids(
    shadows: Shadows, func: Any, name: str, arguments: Sequence[Any], options: dict[str, Any]
) -> Any:
    """The ids of the result."""
    moved = MOVED[name]
    on_ids = [_ids_in(shadows, each) if i in moved else each for i, each in enumerate(arguments)]
    return func(*on_ids, **options)


def _ids_in(shadows: Shadows, argument: Any) -> Any:
    if isinstance(argument, torch.Tensor):
        ids = shadows.ids(argument)
        return torch.zeros(argument.shape, dtype=torch.int64) if ids is None else ids
    if isinstance(argument, list | tuple):
        return [_ids_in(shadows, each) for each in argument]
    return 0
