"""The round identity: one round's emitted tokens, continued with the target, follow the target.

If it holds from every reachable state, every round emits at least one token, and nothing follows an
end token, then every sequence at every horizon has the target's probability, by induction on the
number of tokens. It is sufficient, not necessary.
"""

from collections import deque
from dataclasses import dataclass
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.automaton import Wanted
from exactspec.expand.rounds import RoundLaw, Rounds, State
from exactspec.expand.trie import BlockTrie, block_trie

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
        return self.failure is None


def round_identity(rounds: Rounds, law: RoundLaw, wanted: Wanted) -> RoundIdentity:
    """Compare, for each string up to the longest block, the continued round with the target.

    A string's probability is the mass of the blocks that go on beyond it, plus the mass of those
    that ended along it, each continued with the target's rows.
    """
    state = law.state
    strings = 0
    begin = wanted.node_after(state.context, state.tokens_left)
    waiting = deque([(block_trie(rounds, law), begin, _ZERO, _ONE)])
    while waiting:
        trie, node, continued, want_here = waiting.popleft()
        row = {
            token: (there, weight)
            for token, moves in (wanted.moves(node) if want_here else {}).items()
            for there, weight in moves.items()
        }
        shares = {token: weight for token, (_, weight) in row.items()}
        lasts, by_target = _split_lasts(trie, shares)
        continued += by_target
        if trie.open == by_target:
            continue
        for token in dict.fromkeys((*trie.children, *(t for last, _ in lasts for t in last), *row)):
            strings += 1
            child = trie.children.get(token)
            there, weight = row.get(token, (node, _ZERO))
            ended = (child.ended if child else _ZERO) + sum(
                (mass * last.get(token, _ZERO) for last, mass in lasts), _ZERO
            )
            behind = continued * weight + ended
            want = want_here * weight
            got = behind + (child.open if child else _ZERO)
            if got != want:
                return RoundIdentity(state, strings, ((*trie.tokens, token), got, want))
            if child is not None and child.open:
                waiting.append((child, there, behind, want))
    return RoundIdentity(state, strings, None)


def _split_lasts(
    trie: BlockTrie, target_row: dict[Token, Fraction]
) -> tuple[list[tuple[dict[Token, Fraction], Fraction]], Fraction]:
    """The laws of a last token, and the mass of those that are the target's own row.

    To draw the last token from the target's row is to end the block before it and to continue with
    the target, so such a law needs no comparison token by token.
    """
    others, by_target = [], _ZERO
    for (last, _), mass in trie.lasts.items():
        weights = dict(last.items())
        if weights == target_row:
            by_target += mass
        else:
            others.append((weights, mass))
    return others, by_target
