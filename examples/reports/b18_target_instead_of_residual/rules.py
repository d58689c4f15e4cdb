"""B18 · ShopeeLLM/Spec-RL #14; the same question: eth-sri/language-model-arithmetic #14 · confirmed
by the maintainers as a deliberate choice

After a rejection the token is drawn from the target's law, not from the residual.
"""

from exactspec import Round, algorithm, minimum, residual


@algorithm
def target_after_a_rejection(chance, target, draft, context):
    """Accept with min(1, p/q); after a rejection draw from p."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(p, "from the target"),), accepted=0)


@algorithm
def residual_after_a_rejection(chance, target, draft, context):
    """Repaired: after a rejection draw from [p - q]+."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)
