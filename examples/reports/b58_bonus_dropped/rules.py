"""B58 · ohdearquant/lattice PR #509, issue #389 · confirmed, and lossless

The bonus token is dropped where the whole block is accepted. That is slower, but the next round
draws the same position from the same law.
"""

from exactspec import Round, algorithm, draft_tokens, minimum, residual


@algorithm
def bonus_dropped(chance, target, draft, context, *, draft_length):
    """The token rule without a bonus token."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return Round(drafted, accepted=len(drafted))
