"""B47 · sgl-project/sglang #35771 · reproduced in the report, closed

A draft is accepted if coin <= p, and the coin can be exactly 0: a token that the filters removed
can be accepted. With < a grid is exact only where it hits p.
"""

from exactspec import Round, algorithm, residual

STEPS = 4  # the coin is 0, 1/4, 1/2 or 3/4


def _round(chance, p, q, token, is_accepted):
    if is_accepted:
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def at_most(chance, target, draft, context):
    """Accept iff coin <= p/q on a grid."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    return _round(chance, p, q, token, chance.grid(STEPS) <= p[token] / q[token])


@algorithm
def below(chance, target, draft, context):
    """Accept iff coin < p/q on a grid."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    return _round(chance, p, q, token, chance.grid(STEPS) < p[token] / q[token])


@algorithm
def below_without_a_grid(chance, target, draft, context):
    """The contrast: accept iff coin < p/q for a coin that is any number from 0 to 1."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    return _round(chance, p, q, token, chance.uniform() < p[token] / q[token])
