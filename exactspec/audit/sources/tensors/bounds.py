"""Operations that keep elements between bounds, or put numbers in the place of what is none."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import torch

from exactspec.audit import comparison
from exactspec.audit.sources.tensors.arguments import Arguments
from exactspec.audit.sources.tensors.shadows import Shadows


def clamp(shadows: Shadows, given: Arguments, out: Any) -> None:
    """Each element brought between two bounds, each of which may be missing."""
    columns = [shadows.values(given["self"], out.shape)]
    for bound in (given["min"], given["max"]):
        is_missing = bound is None
        columns.append([None] * out.numel() if is_missing else shadows.values(bound, out.shape))
    shadows.write(out, [comparison.clamp(*each) for each in zip(*columns, strict=True)])


def nan_to_num(shadows: Shadows, given: Arguments, out: Any) -> None:
    """Numbers in the place of nan, inf and -inf."""
    limits = torch.finfo(out.dtype)
    nan, most = given.get("nan", 0), given.get("posinf", limits.max)
    least = given.get("neginf", limits.min)

    def number(value: Any) -> Any:
        if not isinstance(value, float):
            return value
        return Fraction(nan if math.isnan(value) else most if value > 0 else least)

    shadows.write(out, [number(value) for value in shadows.values(given["self"], out.shape)])


BOUNDS: dict[str, Callable[[Shadows, Arguments, Any], None]] = {
    "clamp": clamp,
    "nan_to_num": nan_to_num,
}
