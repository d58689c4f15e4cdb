"""B86 · sgl-project/sglang #10308 · not a bug, a feature request

One-hot drafts keep the law and lose acceptance: 3/5 instead of 9/10 in the example of the thread.
"""

from exactspec import Distribution, Round, algorithm, minimum, residual
from exactspec.transforms import argmax


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def one_hot_draft(chance, target, draft, context):
    """Draft the argmax, declared as certain."""
    token = argmax(draft(context))
    return _verified(chance, token, target(context), Distribution.one_hot(token))


@algorithm
def ratio_rule(chance, target, draft, context):
    """Draft a sample of the draft's law, declared as it is."""
    q = draft(context)
    return _verified(chance, chance.draw(q, "draft"), target(context), q)
