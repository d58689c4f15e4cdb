"""The emitted sequences and the wanted ones as weighted automata over tokens.

A node stands for a situation between two emitted tokens. Its moves say with which weight each token
follows and where that leads; the weights of a node's moves sum to one, or there are none because
nothing follows. The sum of all weights along a string is the probability that a sequence begins
with it.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import STOPPED, State
from exactspec.expand.trie import BlockTrie, block_trie
from exactspec.expand.wanted import Law
from exactspec.model.scenario import Scenario

_ZERO = Fraction(0)
_ONE = Fraction(1)
Node = int
Moves = dict[Token, dict[Node, Fraction]]
Weights = dict[Node, Fraction]


class Automaton(ABC):
    """Nodes are numbers from 0 up; the moves of a node are worked out when first asked for."""

    start: Node

    def __init__(self) -> None:
        self._moves: dict[Node, Moves] = {}

    def moves(self, node: Node) -> Moves:
        """token -> next node -> weight."""
        if node not in self._moves:
            self._moves[node] = self._work_out(node)
        return self._moves[node]

    @abstractmethod
    def _work_out(self, node: Node) -> Moves: ...

    def step(self, weights: Weights, token: Token) -> Weights:
        """Where a weighted set of nodes is after one more token."""
        after: Weights = {}
        for node, weight in weights.items():
            for there, share in self.moves(node).get(token, {}).items():
                after[there] = after.get(there, _ZERO) + weight * share
        return after

    def prefix_probability(self, tokens: Iterable[Token]) -> Fraction:
        """The probability that a sequence begins with these tokens."""
        weights = {self.start: _ONE}
        for token in tokens:
            weights = self.step(weights, token)
        return sum(weights.values(), _ZERO)


class Wanted(Automaton):
    """The wanted sequences: the law's rows along what it sees, until the request's end.

    Args:
        scenario: the request.
        law: the law that is wanted; the target's by default.

    Raises:
        MissingRow: (on a move) where the law has no row for a context that it reaches.
    """

    def __init__(self, scenario: Scenario, law: Law | None = None) -> None:
        super().__init__()
        self._scenario, self._law = scenario, law or scenario.target
        self._numbers: dict[Hashable, Node] = {}
        self._contexts: list[tuple[tuple[Token, ...], int | None]] = []
        self.start = self.node_after(scenario.prompt, scenario.max_tokens)

    def node_after(self, context: tuple[Token, ...], left: int | None) -> Node:
        """The node behind a context, with so many tokens left."""
        key = (self._law.visible(context), left)
        if key not in self._numbers:
            self._numbers[key] = len(self._contexts)
            self._contexts.append((context, left))
        return self._numbers[key]

    def _work_out(self, node: Node) -> Moves:
        context, left = self._contexts[node]
        if left == 0:
            return {}
        less = None if left is None else left - 1
        end = self._scenario.end
        return {
            token: {self.node_after((*context, token), 0 if token == end else less): weight}
            for token, weight in self._law.row_after(context).items()
        }


class Emitted(Automaton):
    """The sequences that the rounds emit; situations inside a round with the same future are one node."""

    def __init__(self, rounds: Rounds) -> None:
        super().__init__()
        self._rounds = rounds
        self._numbers: dict[Hashable, Node] = {}
        self._tries: list[BlockTrie | None] = []
        self.round_starts: dict[Node, State] = {}
        self.stopped = self._number(STOPPED, None)
        self._of_state = {STOPPED: self.stopped}
        self.blocks = {state: block_trie(rounds, law) for state, law in rounds.laws.items()}
        for state, blocks in self.blocks.items():
            self._of_state[state] = self._add_round(state, blocks)
            self.round_starts[self._of_state[state]] = state
        self.start = self._of_state[rounds.start]

    def _number(self, key: Hashable, trie: BlockTrie | None) -> Node:
        if key not in self._numbers:
            self._numbers[key] = len(self._tries)
            self._tries.append(trie)
        return self._numbers[key]

    def _add_round(self, state: State, root: BlockTrie) -> Node:
        for trie in reversed(list(root.nodes())):
            if trie.open:
                begins = state if trie is root else None
                trie.number = self._number((begins, *self._future(trie)), trie)
        assert root.number is not None
        return root.number

    def _future(self, trie: BlockTrie) -> tuple[Hashable, Hashable]:
        """All that can still happen in the round: equal futures are the same node."""
        share = 1 / trie.open
        children = frozenset(
            (
                token,
                frozenset((state, mass * share) for state, mass in child.ends.items()),
                child.open * share,
                child.number,
            )
            for token, child in trie.children.items()
        )
        return children, frozenset((last, mass * share) for last, mass in trie.lasts.items())

    def _work_out(self, node: Node) -> Moves:
        trie = self._tries[node]
        if trie is None:
            return {}
        share = 1 / trie.open
        moves: Moves = {}
        for token, child in trie.children.items():
            for state, mass in child.ends.items():
                _add(moves, token, self._node_of(state), mass * share)
            if child.number is not None:
                _add(moves, token, child.number, child.open * share)
        for (last, before), mass in trie.lasts.items():
            for token, weight in last.items():
                there = self._rounds.after(before, (token,), before.carried)
                _add(moves, token, self._node_of(there), mass * share * weight)
        return moves

    def _node_of(self, state: State) -> Node:
        if state not in self._of_state:
            self._of_state[state] = self._number(("beyond the horizon", state), None)
        return self._of_state[state]


def _add(moves: Moves, token: Token, node: Node, weight: Fraction) -> None:
    row = moves.setdefault(token, {})
    row[node] = row.get(node, _ZERO) + weight
