"""B54 · huggingface/transformers PR #28508, the third point of a review · confirmed, fixed

Where the draft ends in the end token and all of it is accepted, the last position is drawn again by
the target instead of stopping. (E is the end token.)
"""

from exactspec import Round, algorithm, draft_tokens, minimum, residual


@algorithm
def accepted_end_drawn_again(chance, target, draft, context, *, draft_length):
    """The token rule, with a new draw in the place of an accepted end token."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        again = chance.draw(target(context + drafted[:-1]), "drawn again")
        return Round((*drafted[:-1], again), accepted=len(drafted) - 1)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
