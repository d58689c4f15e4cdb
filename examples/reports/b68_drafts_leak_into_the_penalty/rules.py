"""B68 · osaurus-ai/vmlx-swift #357, fixed by PR #361 · confirmed, fixed

Throw-away copies of the penalty's state share a counter: drafted tokens are recorded before they
are verified, and stay although they are rejected.

The target's table is the network's; what is wanted has the presence penalty 1/2 (the weight of a
token halves once it is emitted). The state between rounds is the penalty's record.
"""

from fractions import Fraction

from exactspec import Round, algorithm, draft_tokens
from exactspec.transforms import penalised

FACTOR = Fraction(1, 2)


def _round(chance, target, draft, context, draft_length, recorded, leaks):
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    if leaks:
        recorded = recorded.union(drafted)
    emitted = ()
    for i in range(len(drafted) + 1):
        row = target(context + emitted)
        factors = dict.fromkeys((*recorded, *emitted), FACTOR)
        emitted = (*emitted, chance.draw(penalised(row, factors), "target"))
        if emitted != drafted[: i + 1]:
            break
    return Round(emitted, accepted=len(emitted) - 1, state=recorded.union(emitted))


@algorithm
def drafts_are_recorded(chance, target, draft, context, *, draft_length, state=None):
    """Sampler match on rows penalised for drafted tokens; the record keeps rejected ones."""
    recorded = state or frozenset()
    return _round(chance, target, draft, context, draft_length, recorded, True)


@algorithm
def only_emitted_are_recorded(chance, target, draft, context, *, draft_length, state=None):
    """Repaired: the record holds what was emitted."""
    recorded = state or frozenset()
    return _round(chance, target, draft, context, draft_length, recorded, False)
