"""B19 · huggingface/transformers PR #28508, the first of three faults · confirmed, fixed

The clamped difference of the two laws was put through a softmax instead of being divided by its
sum: tokens without a residual get mass.
"""

from exactspec import Distribution, Round, algorithm, minimum, positive_part, residual


def _softmax_like(p, q):
    """Weights 1 + r for r = [p - q]+: exp(r) to first order, because exp is not rational."""
    return Distribution.normalised({x: 1 + positive_part(p[x] - q[x]) for x in p})


def _round(chance, p, q, recovery):
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(recovery(p, q), "residual"),), accepted=0)


@algorithm
def softmax_of_the_residual(chance, target, draft, context):
    """After a rejection draw from a softmax of the residual."""
    return _round(chance, target(context), draft(context), _softmax_like)


@algorithm
def residual_over_its_sum(chance, target, draft, context):
    """Repaired: after a rejection draw from the residual over its sum."""
    return _round(chance, target(context), draft(context), residual)
