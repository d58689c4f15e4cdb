"""B45 · jaymody/speculative-sampling #5 · confirmed, a small fix proposed

Where p and q agree, as near temperature 0, and a float error rejects the token nevertheless, the
residual is 0/0 and the law is NaN.
"""

from fractions import Fraction

from exactspec import Broken, Round, algorithm, excess, minimum, residual

FLOAT_ERROR = Fraction(7, 8)  # the computed ratio over the exact one: a stand-in


def _round(chance, p, q, where_p_is_q):
    token = chance.draw(q, "draft")
    if chance.accept(FLOAT_ERROR * minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    if not excess(p, q):
        return Round((where_p_is_q(),), accepted=0)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def zero_over_zero(chance, target, draft, context):
    """A rejection where p = q gives NaN."""
    p, q = target(context), draft(context)
    return _round(chance, p, q, lambda: Broken("nan"))


@algorithm
def falls_back_to_the_target(chance, target, draft, context):
    """The proposed fix: a rejection where p = q draws from p."""
    p, q = target(context), draft(context)
    return _round(chance, p, q, lambda: chance.draw(p, "from the target"))
