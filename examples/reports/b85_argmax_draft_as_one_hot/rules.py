"""B85 · vllm-project/vllm PR #16899 · not a bug

Always draft with the argmax, and verify it as certain.
"""

from exactspec import Distribution, Round, algorithm, residual
from exactspec.transforms import argmax


@algorithm
def argmax_draft_as_one_hot(chance, target, draft, context, *, draft_length):
    """Accept the argmax x with p(x); otherwise draw from p without x."""
    drafted = ()
    for i in range(draft_length):
        token = argmax(draft(context + drafted))
        p = target(context + drafted)
        if not chance.accept(p[token]):
            corrected = chance.draw(residual(p, Distribution.one_hot(token)), "residual")
            return Round((*drafted, corrected), accepted=i)
        drafted = (*drafted, token)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
