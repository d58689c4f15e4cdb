"""The probability tree of one round as a networkx graph, and the paths that emit one sequence.

Every node knows its ``kind`` (round, draft, accept, reject, residual, bonus, or the rule's own
label), its ``token``, its ``probability`` given its parent and its ``mass`` from the root; a leaf
also what was ``emitted``, how many drafts were ``accepted``, and the ``state`` behind it. An edge
repeats its lower node's kind, token and probability.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactspec.chance import Token
from exactspec.errors import BudgetReached
from exactspec.expand.replay import Path, Step
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import STOPPED, State

if TYPE_CHECKING:
    import networkx as nx

ROOT = 0
_ONE = Fraction(1)


def round_tree(rounds: Rounds, state: State, most_nodes: int) -> "nx.DiGraph[int]":
    """The whole tree of one round from a state.

    Raises:
        BudgetReached: where it has more than ``most_nodes`` nodes.
    """
    import networkx as nx  # here, because most checks need no tree, and the import is slow

    tree: nx.DiGraph[int] = nx.DiGraph()
    tree.add_node(ROOT, kind="round", token=None, probability=_ONE, mass=_ONE)
    branch = [ROOT]
    for path in rounds.paths(state):
        del branch[path.first_new_step + 1 :]
        for step in path.steps[path.first_new_step :]:
            branch.append(_grow(tree, branch[-1], step))
        if path.last is None:
            _end(tree, branch[-1], path, path.tokens, rounds.after(state, path.tokens, path.state))
        else:
            for token, weight in path.last.items():
                leaf = _grow(tree, branch[-1], Step("draw", path.last_label, token, weight))
                tokens = (*path.tokens, token)
                _end(tree, leaf, path, tokens, rounds.after(state, tokens, path.state))
        if tree.number_of_nodes() > most_nodes:
            raise BudgetReached(
                "max-nodes",
                f"the tree has more than {most_nodes:,} nodes",
                "raise it with --max-nodes",
            )
    return tree


def _grow(tree: "nx.DiGraph[int]", parent: int, step: Step) -> int:
    node = tree.number_of_nodes()
    look = {
        "kind": step.name,
        "token": step.outcome if step.kind == "draw" else None,
        "probability": step.probability,
    }
    tree.add_node(node, **look, mass=tree.nodes[parent]["mass"] * step.probability)
    tree.add_edge(parent, node, **look)
    return node


def _end(
    tree: "nx.DiGraph[int]", leaf: int, path: Path, tokens: tuple[Token, ...], state: State
) -> None:
    tree.nodes[leaf].update(emitted=tokens, accepted=path.accepted, state=state)


@dataclass(frozen=True)
class SequencePath:
    """One way to emit a sequence: for each round the nodes on the way, as (kind, token, probability)."""

    rounds: tuple[tuple[tuple[str, Any, Fraction], ...], ...]

    @property
    def factors(self) -> tuple[Fraction, ...]:
        """The probabilities along the way, 1 left out."""
        return tuple(f for steps in self.rounds for _, _, f in steps if f != 1)

    @property
    def mass(self) -> Fraction:
        product = _ONE
        for factor in self.factors:
            product *= factor
        return product


class SequencePaths:
    """Finds every way in which rounds emit a sequence.

    Args:
        rounds: the expanded rounds.
        most_nodes: the size of a tree that may be built.
    """

    def __init__(self, rounds: Rounds, most_nodes: int) -> None:
        self._rounds, self._most_nodes = rounds, most_nodes
        self._trees: dict[State, nx.DiGraph[int]] = {}

    def emitting(self, tokens: tuple[Token, ...], *, ended: bool) -> Iterator[SequencePath]:
        """Every path of rounds that emits these tokens first, or exactly these where ``ended``.

        A part of a tree in which every path emits the rest of the tokens counts as one path.
        """
        waiting: list[tuple[State, tuple[Token, ...], tuple[Any, ...]]] = [
            (self._rounds.start, tokens, ())
        ]
        while waiting:
            state, rest, before = waiting.pop()
            for way, behind, left in reversed(list(self._in_one_round(state, rest, ended))):
                if behind is None or (not left and ended):
                    yield SequencePath((*before, way))
                else:
                    waiting.append((behind, left, (*before, way)))

    def _tree(self, state: State) -> "nx.DiGraph[int]":
        if state not in self._trees:
            self._trees[state] = round_tree(self._rounds, state, self._most_nodes)
        return self._trees[state]

    def _in_one_round(
        self, state: State, rest: tuple[Token, ...], ended: bool
    ) -> Iterator[tuple[tuple[Any, ...], State | None, tuple[Token, ...]]]:
        """The ways through one round's tree, the next state and the tokens still to emit.

        The next state is None where the whole rest is emitted and nothing more is asked.
        """
        tree = self._tree(state)
        covered = _covered(tree, rest, ended)
        waiting: list[tuple[int, tuple[Any, ...]]] = [(ROOT, ())]
        while waiting:
            node, way = waiting.pop()
            look = tree.nodes[node]
            if node != ROOT:
                way = (*way, (look["kind"], look["token"], look["probability"]))
            if node in covered:
                yield (*way, *_sure_steps(tree, node)), None, ()
            elif "emitted" in look:
                left = _left_behind(look["emitted"], rest)
                behind = look["state"]
                if left is not None and (left or ended) and (behind is STOPPED) == (not left):
                    yield way, behind, left
            else:
                waiting.extend((child, way) for child in reversed(list(tree.successors(node))))


def _sure_steps(tree: "nx.DiGraph[int]", node: int) -> Iterator[tuple[str, Any, Fraction]]:
    """The steps below a node as long as there is only one."""
    while len(below := list(tree.successors(node))) == 1:
        (node,) = below
        look = tree.nodes[node]
        yield look["kind"], look["token"], look["probability"]


def _left_behind(emitted: tuple[Token, ...], rest: tuple[Token, ...]) -> tuple[Token, ...] | None:
    """What of ``rest`` is still to be emitted, or None where the block is not a part of it."""
    return rest[len(emitted) :] if rest[: len(emitted)] == emitted else None


def _covered(tree: "nx.DiGraph[int]", rest: tuple[Token, ...], ended: bool) -> set[int]:
    """The nodes below which every path emits all of ``rest`` first."""
    if ended:
        return set()
    covered: set[int] = set()
    for node in reversed(range(tree.number_of_nodes())):
        look = tree.nodes[node]
        if "emitted" in look:
            if look["emitted"][: len(rest)] == rest:
                covered.add(node)
        elif all(child in covered for child in tree.successors(node)):
            covered.add(node)
    return covered
