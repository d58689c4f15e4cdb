"""B57 · antonellof/ferrox PR #311 · found by its own test, fixed

max_tokens was compared before each round only, and a block makes more tokens than are left.
"""

from exactspec import Round, algorithm, draft_tokens

BLOCK = 2  # drafted in every round, however many tokens are left


@algorithm
def whole_blocks(chance, target, draft, context):
    """Sampler match with a whole block in every round."""
    drafted = draft_tokens(chance, draft, context, BLOCK)
    for i, token in enumerate(drafted):
        sampled = chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
