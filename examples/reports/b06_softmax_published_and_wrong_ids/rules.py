"""B06 · alibaba/rtp-llm PR #1311 · fix with an analysis, open

(a) The draft takes the argmax and publishes its softmax. (b) The published law stays in the draft's
own token ids, so that q is read at the wrong token.
"""

from exactspec import Distribution, Round, algorithm, minimum, residual
from exactspec.transforms import argmax

TARGET_IDS = ("A", "B", "C")
DRAFT_IDS = ("C", "A", "B")  # the token that the draft calls 0, 1, 2


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def argmax_draft_softmax_q(chance, target, draft, context):
    """(a) Draft the argmax, and publish the softmax."""
    q = draft(context)
    return _verified(chance, argmax(q), target(context), q)


@algorithm
def argmax_draft_one_hot_q(chance, target, draft, context):
    """(a) repaired: publish the law that gives the argmax probability 1."""
    token = argmax(draft(context))
    return _verified(chance, token, target(context), Distribution.one_hot(token))


@algorithm
def q_in_draft_ids(chance, target, draft, context):
    """(b) Draw in draft ids, map the token to the target's ids, but not the law."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    published = Distribution({TARGET_IDS[i]: q[drawn] for i, drawn in enumerate(DRAFT_IDS)})
    if published[token] == 0 or chance.accept(minimum(1, p[token] / published[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, published), "residual"),), accepted=0)


@algorithm
def q_in_target_ids(chance, target, draft, context):
    """(b) repaired: the law is mapped to the target's ids as the token is."""
    q = draft(context)
    return _verified(chance, chance.draw(q, "draft"), target(context), q)
