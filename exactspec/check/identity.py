"""The round identity: one round's emitted tokens, continued with the target, follow the target.

If it holds from every reachable state, every round emits at least one token, and nothing follows an
end token, then every sequence at every horizon has the target's probability, by induction on the
number of tokens. It is sufficient, not necessary.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.automaton import Node, Wanted
from exactspec.expand.states import State
from exactspec.expand.trie import BlockTrie

_ZERO = Fraction(0)
_ONE = Fraction(1)


@dataclass(frozen=True)
class RoundIdentity:
    """The round identity from one state.

    Args:
        state: where the round begins.
        strings: how many token strings were compared.
        failure: the first of the shortest strings for which it fails: tokens, got, want.
    """

    state: State
    strings: int
    failure: tuple[tuple[Token, ...], Fraction, Fraction] | None

    @property
    def holds(self) -> bool:
        """The law of one round, continued with the wanted law, is the wanted one."""
        return self.failure is None

    @property
    def first_token_holds(self) -> bool:
        """The law of the round's first token is the wanted one; shorter strings are compared first."""
        return self.failure is None or len(self.failure[0]) > 1


def round_identity(state: State, blocks: BlockTrie, wanted: Wanted) -> RoundIdentity:
    """Compare, for each string up to the longest block, the continued round with the target.

    A string's probability is the mass of the blocks that go on beyond it, plus the mass of those
    that ended along it, each continued with the target's rows.

    Args:
        state: where the round begins.
        blocks: its emitted blocks.
        wanted: the target's automaton.

    Raises:
        MissingRow: where the target has no row behind a string that a block begins with.
    """
    strings = 0
    start = _Behind(blocks, wanted.node_after(state.context, state.tokens_left), _ZERO, _ONE)
    waiting = deque([start])
    while waiting:
        for behind in _one_token_on(waiting.popleft(), wanted):
            strings += 1
            if behind.got != behind.want:
                failure = behind.blocks.tokens, behind.got, behind.want
                return RoundIdentity(state, strings, failure)
            if behind.blocks.open:
                waiting.append(behind)
    return RoundIdentity(state, strings, None)


@dataclass(frozen=True)
class _Behind:
    """The situation behind a string: the blocks that begin with it, and the target's node.

    Args:
        continued: the string's probability by blocks that ended along it, continued with the target.
        want: its probability by the target.
    """

    blocks: BlockTrie
    node: Node
    continued: Fraction
    want: Fraction

    @property
    def got(self) -> Fraction:
        return self.continued + self.blocks.open


def _one_token_on(here: _Behind, wanted: Wanted) -> Iterator[_Behind]:
    """The situations one token further, where blocks can still differ from the target.

    To draw a last token from the target's row is to end the block before it and to continue with
    the target; so where all open blocks do that, no further string can differ.
    """
    moves = wanted.moves(here.node)
    row = {token: weight for token, behind in moves.items() for weight in behind.values()}
    lasts = [(dict(last.items()), mass) for (last, _), mass in here.blocks.lasts.items()]
    by_target = sum((mass for last, mass in lasts if last == row), _ZERO)
    others = [(last, mass) for last, mass in lasts if last != row]
    if here.blocks.open == by_target:
        return
    continued = here.continued + by_target
    tokens = dict.fromkeys((*here.blocks.children, *(t for last, _ in others for t in last), *row))
    for token in tokens:
        blocks = here.blocks.children.get(token) or BlockTrie((*here.blocks.tokens, token))
        ended = sum((mass * last.get(token, _ZERO) for last, mass in others), blocks.ended)
        weight = row.get(token, _ZERO)
        node = next(iter(moves.get(token, {here.node: _ONE})))
        yield _Behind(blocks, node, continued * weight + ended, here.want * weight)
