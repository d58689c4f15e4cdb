"""The benchmark's model files: order-1 tables of five sizes, the same on every machine.

Every row is integer weights over one denominator of at most 12 (W4 apart); the target gives every
token a positive probability, the draft has a zero in every third context, and in every other third
context both rows are equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass

END = "$"


@dataclass(frozen=True)
class Workload:
    """A size: tokens besides the end token, draft length, horizon, and whether one row serves everywhere."""

    name: str
    tokens: int
    draft_length: int
    horizon: int
    one_context: bool = False

    @property
    def outputs(self) -> int:
        """How many output sequences there are up to the horizon."""
        return sum(self.tokens**length for length in range(self.horizon + 1))


WORKLOADS = (
    Workload("W1", 2, 2, 4),
    Workload("W2", 3, 3, 6),
    Workload("W3", 4, 4, 8),
    Workload("W4", 1_000, 1, 1, one_context=True),
    Workload("W5", 2, 8, 12),
)


class _Numbers:
    """A linear congruential generator, so that no version of a library changes the tables."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2862933555777941757 + 3037000493) % 2**64
        for _ in range(4):
            self.below(7)

    def below(self, bound: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % bound

    def parts(self, total: int, count: int) -> list[int]:
        """``count`` positive integers that sum to ``total``."""
        weights = [1] * count
        for _ in range(total - count):
            weights[self.below(count)] += 1
        return weights


def _rows(workload: Workload) -> Iterator[tuple[list[int], list[int]]]:
    """The weights of target and draft in each context: the start, then after each token."""
    numbers = _Numbers(1_000 + workload.tokens * 10 + workload.draft_length)
    size = workload.tokens + 1
    if workload.one_context:
        target = [1 + numbers.below(12) for _ in range(size)]
        draft = [numbers.below(13) for _ in range(size)]
        yield target, draft
        return
    for context in range(size):
        target = numbers.parts(size + 2 + numbers.below(12 - size - 1), size)
        if context % 3 == 2:
            yield target, list(target)
            continue
        draft = numbers.parts(size + 1 + numbers.below(12 - size), size)
        if context % 3 == 1:
            zero = workload.tokens if workload.tokens == 2 else numbers.below(size)
            draft[(zero + 1) % size] += draft[zero]
            draft[zero] = 0
        yield target, draft


def model_text(workload: Workload) -> str:
    """The workload as a model file."""
    names = [*(f"t{number}" for number in range(workload.tokens)), END]
    keys = ['""'] if workload.one_context else ["^", *names[:-1]]
    rows = list(_rows(workload))
    lines = [
        "version: 1",
        f"title: {workload.name}",
        f"vocabulary: [{', '.join(names)}]",
        f"end: {END}",
        f"draft_length: {workload.draft_length}",
        f"horizon: {workload.horizon}",
    ]
    for side, table in enumerate(("target", "draft")):
        lines.append(f"{table}:")
        lines += [
            f"  {key}: {_row(names, pair[side])}" for key, pair in zip(keys, rows, strict=True)
        ]
    return "\n".join(lines) + "\n"


def _row(names: list[str], weights: list[int]) -> str:
    total = sum(weights)
    return "{" + ", ".join(f"{n}: {w}/{total}" for n, w in zip(names, weights, strict=True)) + "}"
