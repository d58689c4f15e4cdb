"""B29 · zhongkaifu/TensorSharp PR #74 · raised in the review of a merged PR

The buffer that should hold the draft's law is never filled, and a tiny floor in the denominator
turns that into ratio 1 for nearly every token.
"""

from fractions import Fraction

from exactspec import Distribution, Round, algorithm, minimum, residual

FLOOR = Fraction(1, 10**9)


def _verified(chance, token, p, q_at_the_token, recovery):
    if chance.accept(minimum(1, p[token] / max(q_at_the_token, FLOOR))):
        return Round((token,), accepted=1)
    return Round((chance.draw(recovery, "residual"),), accepted=0)


@algorithm
def q_buffer_left_at_zero(chance, target, draft, context):
    """Draw from q, and read 0 for it when verifying."""
    p = target(context)
    buffer = dict.fromkeys(p, Fraction(0))
    recovery = Distribution.normalised({x: p[x] - buffer[x] for x in p})
    return _verified(chance, chance.draw(draft(context), "draft"), p, Fraction(0), recovery)


@algorithm
def q_buffer_filled(chance, target, draft, context):
    """Repaired: the buffer holds the law that was drawn from."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    return _verified(chance, token, p, q[token], residual(p, q))
