"""B04 · deepseek-ai/DeepSpec #31, fixed by PR #30 · confirmed by the author, fix named

The draft is drawn from a softmax of low precision and verified with one of full precision: two
nearly equal, but different laws.
"""

from fractions import Fraction

from exactspec import Distribution, Round, algorithm, minimum, residual


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


def _rounded(q):
    """Every probability rounded to quarters: a stand-in for a softmax of low precision."""
    return Distribution.normalised({x: Fraction(round(4 * weight), 4) for x, weight in q.items()})


@algorithm
def drawn_from_the_rounded_law(chance, target, draft, context):
    """Draw from the rounded law, and declare the exact one."""
    token = chance.draw(_rounded(draft(context)), "draft")
    return _verified(chance, token, target(context), draft(context))


@algorithm
def rounded_law_declared(chance, target, draft, context):
    """Repaired: declare the rounded law, which is the one that was drawn from."""
    q = _rounded(draft(context))
    return _verified(chance, chance.draw(q, "draft"), target(context), q)
