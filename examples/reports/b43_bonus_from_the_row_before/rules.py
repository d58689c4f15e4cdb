"""B43 · kekzl/imp #667 · confirmed by the owner, branch dropped

Where a whole block is accepted, the next token is decided from the row before the last accepted
one: a token is repeated.
"""

from exactspec import Round, algorithm, draft_tokens


@algorithm
def bonus_from_the_row_before(chance, target, draft, context, *, draft_length):
    """Sampler match with a bonus token from the row of the last drafted token."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i)
    bonus = chance.draw(target(context + drafted[:-1]), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
