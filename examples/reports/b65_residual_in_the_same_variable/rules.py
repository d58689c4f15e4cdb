"""B65 · NJUNLP/MCSD #5 · not a bug

The final token seems to be drawn from the target's row; but the variable was overwritten by the
residual before.
"""

from exactspec import Round, algorithm, minimum, residual


@algorithm
def p_is_overwritten(chance, target, draft, context):
    """Three independent siblings; p becomes the residual after each rejection."""
    p, q = target(context), draft(context)
    for _ in range(3):
        token = chance.draw(q, "draft")
        if chance.accept(minimum(1, p[token] / q[token])):
            return Round((token,), accepted=1)
        p = residual(p, q)
    return Round((chance.draw(p, "p"),), accepted=0)
