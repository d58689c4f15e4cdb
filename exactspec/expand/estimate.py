"""The size of a round's tree before it is expanded, from a few of its paths (Knuth 1975)."""

import random
from collections.abc import Callable, Hashable
from typing import TypeVar

from exactspec.chance import Chance
from exactspec.distribution import Distribution
from exactspec.rule import as_round

T = TypeVar("T", bound=Hashable)
_PROBES = 64


class _Probe(Chance):
    """A chance that answers with any outcome and counts how many others there were."""

    def __init__(self, generator: random.Random) -> None:
        super().__init__()
        self._generator = generator
        self._width = 1
        self.nodes = 1

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        self._width *= len(distribution)
        self.nodes += self._width
        return self._generator.choice(list(distribution))


def estimate_nodes(run: Callable[[Chance], object]) -> int:
    """About how many nodes the tree of a round has: no bound, and never part of a verdict.

    The mean over probed paths of the sum of the widths on the way, which is right on average.
    """
    generator = random.Random(0)
    total = 0
    for _ in range(_PROBES):
        probe = _Probe(generator)
        as_round(run(probe))
        total += probe.nodes
    return total // _PROBES
