"""B82 · z-lab/dflash #74, PR #77 · not a bug

A greedy draft, a sampled target and an equality test are said to break the guarantee. They do not:
the draft's temperature is free under sampler match.
"""

from exactspec import Round, algorithm
from exactspec.transforms import argmax


@algorithm
def greedy_draft_sampled_target(chance, target, draft, context, *, draft_length):
    """Draft the argmax; go on while the target's sample equals it."""
    drafted = ()
    for i in range(draft_length):
        drafted = (*drafted, argmax(draft(context + drafted)))
        sampled = chance.draw(target(context + drafted[:-1]), "target")
        if sampled != drafted[-1]:
            return Round((*drafted[:-1], sampled), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
