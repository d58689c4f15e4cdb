"""B79 · ddalcu/mlx-serve #419, a rule from youssofal/MTPLX #485 · lossy by design

A cascade: drafts close enough to the target's greatest probability are taken without a coin, the
others go through the exact rule.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import argmax

SHARE = Fraction(1, 2)


@algorithm
def taken_without_a_coin(chance, target, draft, context):
    """Take x if p(x) is at least half of the greatest probability; else accept with min(1, p/q)."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if p[token] >= SHARE * p[argmax(p)] or chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)
