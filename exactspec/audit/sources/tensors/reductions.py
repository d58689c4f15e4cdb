"""Operations along dimensions: sums, products, running ones, softmax."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import accumulate
from typing import Any

import torch

from exactspec.audit import comparison
from exactspec.audit.arithmetic import add, decided, divide, exp, log, multiply, no_rule, subtract
from exactspec.audit.sources.tensors.arguments import Arguments
from exactspec.audit.sources.tensors.counts import Count, truth
from exactspec.audit.sources.tensors.shadows import Shadows
from exactspec.audit.symbols import NAN, is_discrete, is_plain
from exactspec.audit.world import Deferred

_ZERO, _ONE = Fraction(0), Fraction(1)


def rows_along(shadows: Shadows, tensor: Any, dims: Any) -> Iterator[list[Any]]:
    """The values along some dimensions, for each place in the others, in order; None for all of them."""
    rank = tensor.dim()
    if isinstance(dims, int):
        dims = [dims]
    chosen = [dim % rank for dim in dims] if dims and rank else list(range(rank))
    kept = [dim for dim in range(rank) if dim not in chosen]
    values = shadows.values(tensor.permute(kept + chosen) if chosen != [rank - 1] else tensor)
    size = math.prod(tensor.shape[dim] for dim in chosen)
    return (values[i : i + size] for i in range(0, len(values), size or 1))


def write_along(
    shadows: Shadows,
    out: Any,
    dim: int,
    rows: Sequence[Sequence[Any]],
    *,
    is_stored: bool = False,
) -> None:
    """Put rows of values into a result along a dimension."""
    values = [value for row in rows for value in row]
    is_last = dim in (-1, out.dim() - 1) or not out.dim()
    shadows.write(out if is_last else out.movedim(dim, -1), values, is_stored=is_stored)


def softmax(row: Sequence[Any]) -> list[Any]:
    """Exponentials divided by their sum."""
    weights = [exp(value) for value in _shifted(row)]
    total = reduce(add, weights)
    if type(total) is Fraction and total == 1:
        return weights
    return [divide(weight, total) if total != 0 else NAN for weight in weights]


def _shifted(row: Sequence[Any]) -> Sequence[Any]:
    """A row of numbers up to one that is added to all, so that no exponential is too large."""
    if not all(map(is_plain, row)) or not any(type(value) is Fraction for value in row):
        return row
    largest = max(row)
    return [subtract(value, largest) for value in row]


def log_softmax(row: Sequence[Any]) -> list[Any]:
    """The logarithms of a softmax."""
    return [log(share) for share in softmax(row)]


def log_sum_exp(row: Sequence[Any]) -> Any:
    """The logarithm of the sum of exponentials."""
    return log(reduce(add, map(exp, row)))


def mean(row: Sequence[Any]) -> Any:
    """The sum divided by how many there are."""
    return divide(reduce(add, row), Fraction(len(row)))


def extreme(largest: bool) -> Callable[[Sequence[Any]], Any]:
    """The largest or the least value of a row."""

    def call(row: Sequence[Any]) -> Any:
        position = comparison.position_of_best(row, largest=largest)
        return row[position] if isinstance(position, int) else no_rule("the extreme", *row)

    return call


REDUCED: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": lambda row: reduce(add, row, _ZERO),
    "prod": lambda row: reduce(multiply, row, _ONE),
    "mean": mean,
    "amax": extreme(True),
    "amin": extreme(False),
    "logsumexp": log_sum_exp,
}
ALONG: dict[str, Callable[[Sequence[Any]], list[Any]]] = {
    "_softmax": softmax,
    "_log_softmax": log_softmax,
    "_safe_softmax": softmax,
    "cumsum": lambda row: list(accumulate(row, add)),
    "cumprod": lambda row: list(accumulate(row, multiply)),
    "logcumsumexp": lambda row: [log(total) for total in accumulate(map(exp, row), add)],
}


def running_product(row: Sequence[Any]) -> list[Any]:
    """Products of the first so many: behind an open value that comes out as 0 all stay open."""
    return [Deferred(partial(_product, row[:end])) for end in range(1, len(row) + 1)]


def _product(factors: Sequence[Any]) -> int:
    product = 1
    for factor in factors:
        product *= int(decided(factor))
        if not product:
            break
    return product


def running_count(row: Sequence[Any]) -> list[Any]:
    """How many of the first so many truth values hold."""
    return [Count(row[:end]) for end in range(1, len(row) + 1)]


# these take tokens and truth values that are open, and leave them so
LAZY_ALONG: dict[str, Callable[[Sequence[Any]], list[Any]]] = {
    "cumprod": running_product,
    "cumsum": running_count,
}
LAZY_REDUCED: dict[str, Callable[[Sequence[Any]], Any]] = {
    "any": lambda row: Deferred(lambda: any(map(truth, row))),
    "all": lambda row: Deferred(lambda: all(map(truth, row))),
}


def reduced(
    shadows: Shadows, function: Callable[[Sequence[Any]], Any], given: Arguments, out: Any
) -> None:
    """Fill a result with what each row comes to."""
    shadows.write(out, [function(row) for row in rows_along(shadows, given["self"], given["dim"])])


def along(
    shadows: Shadows,
    function: Callable[[Sequence[Any]], list[Any]],
    given: Arguments,
    out: Any,
    *,
    is_stored: bool = False,
) -> None:
    """Fill a result with a row for each row."""
    dim = given["dim"]
    rows = [function(row) for row in rows_along(shadows, given["self"], dim)]
    write_along(shadows, out, dim, rows, is_stored=is_stored)


def may_stay_open(name: str, tensor: Any, values: Sequence[Any]) -> bool:
    """Whether a running sum or product is one of open truth values."""
    if name == "cumsum" and tensor.dtype != torch.bool:
        return False
    return all(
        value.denominator == 1 if isinstance(value, Fraction) else is_discrete(value)
        for value in values
    )
