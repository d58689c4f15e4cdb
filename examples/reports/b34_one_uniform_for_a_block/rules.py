"""B34 · vllm-project/vllm PR #35398 · raised in review, closed

Positions of tokens were passed where positions of requests are expected, so that seeds are looked
up wrongly; in the toy all positions of a block get one uniform number.
"""

from exactspec import Round, algorithm, draft_tokens, residual


@algorithm
def one_uniform_for_a_block(chance, target, draft, context, *, draft_length):
    """Test all positions of the block with the same number."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    u = chance.uniform()
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if u >= p[token] / q[token]:
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def one_uniform_for_each_position(chance, target, draft, context, *, draft_length):
    """Repaired: each position has a number of its own."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if chance.uniform() >= p[token] / q[token]:
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
