"""The size of a round's tree before it is expanded, from a few of its paths (Knuth 1975)."""

import random
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

from exactspec.chance import Chance
from exactspec.distribution import Distribution
from exactspec.rule import as_round

T = TypeVar("T", bound=Hashable)
_PROBES = 64
_YES_OF_16 = 15


class _Probe(Chance):
    """A chance that follows one path, and counts for it as many nodes as it is rarely taken.

    A draw is answered evenly. A coin is mostly answered yes, because long paths, on which drafts
    are accepted, hold most of the nodes.
    """

    def __init__(self, generator: random.Random) -> None:
        super().__init__()
        self._generator = generator
        self.weight = Fraction(1)
        self.nodes = Fraction(1)

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        outcomes = list(distribution)
        self.nodes += self.weight * len(outcomes)
        if kind != "accept" or len(outcomes) == 1:
            self.weight *= len(outcomes)
            return self._generator.choice(outcomes)
        yes = self._generator.randrange(16) < _YES_OF_16
        self.weight *= Fraction(16, _YES_OF_16 if yes else 16 - _YES_OF_16)
        return next(outcome for outcome in outcomes if outcome is yes)


def estimate_nodes(run: Callable[[Chance], object]) -> int:
    """About how many nodes the tree of a round has: no bound, and never part of a verdict.

    The mean over probed paths of the widths on the way, each weighted by how rarely the probe
    comes there; that is right on average. The outcomes of a last token that the rule never looks
    at count as one node, because nothing branches there.
    """
    generator = random.Random(0)
    total = Fraction(0)
    for _ in range(_PROBES):
        probe = _Probe(generator)
        as_round(run(probe), probe)
        total += probe.nodes + probe.weight
    return int(total / _PROBES)
