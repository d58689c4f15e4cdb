"""A round's emitted blocks, token by token: how much mass ends at each string, how much goes on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import RoundLaw, State

_ZERO = Fraction(0)


@dataclass(eq=False)
class BlockTrie:
    """All blocks that begin with the same tokens.

    Args:
        tokens: the tokens.
        open: mass of the blocks that go on.
        ends: state of the next round -> mass of the blocks that end here.
        lasts: (law of one last token, state before it) -> mass of the blocks that end by it.
        children: next token -> longer blocks.
        number: the automaton's node that stands for it.
    """

    tokens: tuple[Token, ...]
    open: Fraction = _ZERO
    ends: dict[State, Fraction] = field(default_factory=dict)
    lasts: dict[tuple[Distribution[Token], State], Fraction] = field(default_factory=dict)
    children: dict[Token, "BlockTrie"] = field(default_factory=dict)
    number: int | None = None

    @property
    def ended(self) -> Fraction:
        """Mass of the blocks that are exactly these tokens."""
        return sum(self.ends.values(), _ZERO)

    def nodes(self) -> Iterator["BlockTrie"]:
        """This node and all below it, each before its children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children.values()))


def block_trie(rounds: Rounds, law: RoundLaw) -> BlockTrie:
    """The blocks of one round as a trie."""
    root = BlockTrie(())
    for outcome, mass in law.outcomes.items():
        node = root
        for token in outcome.tokens:
            node.open += mass
            if token not in node.children:
                node.children[token] = BlockTrie((*node.tokens, token))
            node = node.children[token]
        behind = rounds.after(law.state, outcome.tokens, outcome.carried)
        if outcome.last is None:
            node.ends[behind] = node.ends.get(behind, _ZERO) + mass
        else:
            node.open += mass
            key = outcome.last, behind
            node.lasts[key] = node.lasts.get(key, _ZERO) + mass
    return root
