"""B30 · vectorch-ai/ScaleLLM PR #202 · fix merged; only its title is informative

A guard against division by zero, added to the denominator, was too large: p/(q + guard) accepts too
little.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual


@algorithm
def guard_added_to_q(chance, target, draft, context, *, guard):
    """Accept with p/(q + guard)."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / (q[token] + Fraction(guard)))):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)
