"""B70 · sgl-project/sglang PR #28200, PR #28242 · open, debated

A remedy for endless repetition applies the penalty to the bonus row only, and is called
mathematically consistent.

The target's table is the network's; what is wanted has the presence penalty 1/2 on every row.
"""

from fractions import Fraction

from exactspec import Round, algorithm, draft_tokens
from exactspec.transforms import penalised

FACTOR = Fraction(1, 2)


@algorithm
def penalty_on_the_bonus_only(chance, target, draft, context, *, draft_length, state=None):
    """Sampler match on the network's rows, with a penalised bonus row; the state is what was seen."""
    seen = state or frozenset()
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            emitted = (*drafted[:i], sampled)
            return Round(emitted, accepted=i, state=seen.union(emitted))
    seen = seen.union(drafted)
    row = penalised(target(context + drafted), dict.fromkeys(seen, FACTOR))
    bonus = chance.draw(row, "bonus")
    return Round((*drafted, bonus), accepted=len(drafted), state=seen.union((bonus,)))
