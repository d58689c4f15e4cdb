"""B26 · 1bit-MONSTER/1bit-MONSTER #637 · reported from the code, closed

A draft is accepted with min(1, p(x)/max p): its own probability is not used at all. That a rejected
one is replaced by a token of p is our assumption.
"""

from exactspec import Round, algorithm, minimum
from exactspec.transforms import argmax


@algorithm
def ratio_to_the_maximum(chance, target, draft, context):
    """Accept with p(x)/max p; after a rejection draw from p."""
    p = target(context)
    token = chance.draw(draft(context), "draft")
    if chance.accept(minimum(1, p[token] / p[argmax(p)])):
        return Round((token,), accepted=1)
    return Round((chance.draw(p, "from the target"),), accepted=0)
