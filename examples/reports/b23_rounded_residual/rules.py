"""B23 · vllm-project/vllm PR #46665 · confirmed, fixed

log(1 - q/p) loses small ratios, so that the residual of tokens with q far below p leans towards p.
"""

from fractions import Fraction

from exactspec import Distribution, Round, algorithm, minimum, positive_part, residual


def _rounded(p, q):
    """p (1 - q/p) with the bracket rounded to quarters: a stand-in for a lossy log(1 - q/p)."""
    share = {x: Fraction(round(4 * positive_part(1 - q[x] / p[x])), 4) for x in p}
    return Distribution.normalised({x: p[x] * share[x] for x in p})


def _round(chance, p, q, recovery):
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(recovery(p, q), "residual"),), accepted=0)


@algorithm
def rounded_residual(chance, target, draft, context):
    """After a rejection draw from the rounded residual."""
    return _round(chance, target(context), draft(context), _rounded)


@algorithm
def exact_residual(chance, target, draft, context):
    """Repaired: after a rejection draw from the exact residual."""
    return _round(chance, target(context), draft(context), residual)
