"""B01 · jaymody/speculative-sampling #3, fixed by PR #4 · confirmed by the owner, fixed

The draft takes its most probable token, but ratio and residual use its whole law, as if the token
had been drawn from it.
"""

from exactspec import Distribution, Round, algorithm, minimum, residual
from exactspec.transforms import argmax


def _verified(chance, token, p, q):
    """The ratio test and the residual for one drafted token, with q as it was declared."""
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def greedy_draft_soft_q(chance, target, draft, context):
    """Draft the argmax, and declare the whole law."""
    q = draft(context)
    return _verified(chance, argmax(q), target(context), q)


@algorithm
def greedy_draft_declared(chance, target, draft, context):
    """Repaired: draft the argmax, and declare the law that gives it probability 1."""
    token = argmax(draft(context))
    return _verified(chance, token, target(context), Distribution.one_hot(token))


@algorithm
def sampled_draft(chance, target, draft, context):
    """Repaired: draw the draft from the law that is declared."""
    q = draft(context)
    return _verified(chance, chance.draw(q, "draft"), target(context), q)
