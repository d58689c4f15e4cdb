"""Transport plans between a law of candidates and the target, by exact maximum flow.

A rule that picks its token among candidates whenever it can is a plan that moves the candidates' mass
to tokens that they hold. The most mass that can be moved is the highest acceptance that any rule
reaches with these candidates in a single step.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from exactspec.distribution import Distribution

T = TypeVar("T", bound=Hashable)
_SOURCE, _SINK = ("source",), ("sink",)


@dataclass(frozen=True)
class Transport(Generic[T]):
    """A plan of largest value; plans are not unique, their value is.

    Args:
        value: the mass that is moved to a token among its candidates.
        plan: candidates -> token -> mass moved there.
    """

    value: Fraction
    plan: Mapping[tuple[T, ...], Mapping[T, Fraction]]


def membership_plan(
    candidates: Distribution[tuple[T, ...]], target: Distribution[T]
) -> Transport[T]:
    """Move as much of the candidates' mass as possible to tokens that they hold, never beyond the target.

    Args:
        candidates: the law of the tuple of candidates.
        target: the wanted law of the token.

    Source: Sun et al. 2023, SpecTr, section 3 (optimal transport with membership cost).

    >>> half = Fraction(1, 2)
    >>> candidates = Distribution({("a", "b"): half, ("a", "a"): half})
    >>> membership_plan(candidates, Distribution({"a": Fraction(1, 4), "b": Fraction(3, 4)})).value
    Fraction(3, 4)
    """
    import networkx as nx  # here, because the import is slow

    weights = [weight for law in (candidates, target) for _, weight in law.items()]
    scale = lcm(*(weight.denominator for weight in weights))
    graph: nx.DiGraph[object] = nx.DiGraph()
    graph.add_nodes_from((_SOURCE, _SINK))
    for group, weight in candidates.items():
        graph.add_edge(_SOURCE, ("group", group), capacity=int(weight * scale))
        for token in dict.fromkeys(group):
            if target[token]:
                graph.add_edge(("group", group), ("token", token))
    for token, weight in target.items():
        graph.add_edge(("token", token), _SINK, capacity=int(weight * scale))
    value, flow = nx.maximum_flow(graph, _SOURCE, _SINK)
    plan = {
        group: {
            token: Fraction(flow["group", group]["token", token], scale)
            for token in dict.fromkeys(group)
            if flow["group", group].get(("token", token))
        }
        for group in candidates
    }
    return Transport(Fraction(int(value), scale), plan)
