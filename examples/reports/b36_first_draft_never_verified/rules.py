"""B36 · ohdearquant/lattice #243 · confirmed, fixed

The check of an n-gram draft starts at its second token: the target's choice for the first one is
never computed, so that one is always committed.
"""

from exactspec import Round, algorithm, draft_tokens


@algorithm
def first_draft_never_verified(chance, target, draft, context, *, draft_length):
    """Sampler match from the second drafted token on."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = token if i == 0 else chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
