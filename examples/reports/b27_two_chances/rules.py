"""B27 · alibaba/rtp-llm PR #1295 · the reviewers agree; closed, a later one goes on (see B06)

A draft passes if it equals a pre-drawn sample of the target, or else if the ratio test passes: two
chances, and then the residual as usual.
"""

from exactspec import Round, algorithm, minimum, residual


@algorithm
def two_chances(chance, target, draft, context):
    """Accept if the target's sample agrees or the coin says so."""
    p, q = target(context), draft(context)
    token, sampled = chance.draw(q, "draft"), chance.draw(p, "target")
    if token == sampled or chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def only_the_coin(chance, target, draft, context):
    """Repaired: the ratio test alone."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def only_the_match(chance, target, draft, context):
    """Repaired: the equality test alone, and the sample emitted in any case."""
    token, sampled = chance.draw(draft(context), "draft"), chance.draw(target(context), "target")
    return Round((sampled,), accepted=int(token == sampled))
