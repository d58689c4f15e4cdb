"""B67 · flexflow/flexflow-train #1302, also flexflow/flexflow-serve #10 · the cause is unknown

A user's port of the multi-candidate algorithm gives nonsense. The toy is the slip that suggests
itself: p is not updated between siblings.
"""

from exactspec import Round, algorithm, minimum, residual


@algorithm
def p_not_updated(chance, target, draft, context):
    """Two independent siblings, both tested against the target's own row."""
    p, q = target(context), draft(context)
    for _ in range(2):
        token = chance.draw(q, "draft")
        if chance.accept(minimum(1, p[token] / q[token])):
            return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def p_updated(chance, target, draft, context):
    """Repaired: p becomes the residual after each rejection."""
    p, q = target(context), draft(context)
    for _ in range(2):
        token = chance.draw(q, "draft")
        if chance.accept(minimum(1, p[token] / q[token])):
            return Round((token,), accepted=1)
        p = residual(p, q)
    return Round((chance.draw(p, "residual"),), accepted=0)
