"""B96 · raullenchai/Rapid-MLX PR #2655, raised in review · a real defect, but lossless

The draft applies penalties with a history that misses the earlier tokens of its own block. Only q
changes by that, and q is declared as it was used.

The target's presence penalty is a step of the model file; the draft's is applied here. The state
between rounds is what was emitted.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import penalised

FACTOR = Fraction(1, 2)


def _round(chance, target, draft, context, draft_length, seen, history_lags):
    def q_after(drafted):
        known = seen if history_lags else seen.union(drafted)
        return penalised(draft(context + drafted), dict.fromkeys(known, FACTOR))

    drafted = ()
    for _ in range(draft_length):
        drafted = (*drafted, chance.draw(q_after(drafted), "draft"))
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), q_after(drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            emitted = (*drafted[:i], chance.draw(residual(p, q), "residual"))
            return Round(emitted, accepted=i, state=seen.union(emitted))
    emitted = (*drafted, chance.draw(target(context + drafted), "bonus"))
    return Round(emitted, accepted=len(drafted), state=seen.union(emitted))


@algorithm
def stale_history(chance, target, draft, context, *, draft_length, state=None):
    """The draft's penalty knows what was emitted, not what the block has drafted so far."""
    return _round(chance, target, draft, context, draft_length, state or frozenset(), True)


@algorithm
def full_history(chance, target, draft, context, *, draft_length, state=None):
    """The contrast: the draft's penalty knows both; more drafts are accepted."""
    return _round(chance, target, draft, context, draft_length, state or frozenset(), False)
