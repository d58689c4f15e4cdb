"""B51 · duoan/TorchCode #16 · an open question; not a bug for exact laws

Can the branch for a residual that sums to 0 be reached? Not if p and q sum to 1: a rejected x has
p(x) < q(x), so another token has p > q. It can if q is not normalised.
"""

from fractions import Fraction

from exactspec import Broken, Distribution, Round, algorithm, minimum, positive_part


def _round(chance, token, p, q, if_the_residual_is_zero):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    over = {x: positive_part(p[x] - q[x]) for x in p}
    if not sum(over.values()):
        return Round((if_the_residual_is_zero(),), accepted=0)
    return Round((chance.draw(Distribution.normalised(over), "residual"),), accepted=0)


@algorithm
def exact_laws(chance, target, draft, context):
    """With laws that sum to 1: a broken outcome stands in the branch, and is never emitted."""
    p, q = target(context), draft(context)
    return _round(chance, chance.draw(q, "draft"), p, q, lambda: Broken("0/0"))


@algorithm
def q_not_normalised(chance, target, draft, context):
    """With a q that sums to 5/4: the branch is reached, and draws evenly."""
    p, q = target(context), draft(context)
    declared = {x: Fraction(5, 4) * q[x] for x in (*p, *q)}
    even = Distribution.normalised(dict.fromkeys(p, Fraction(1)))
    token = chance.draw(q, "draft")
    return _round(chance, token, p, declared, lambda: chance.draw(even, "fallback"))
