"""B74 · vllm-project/vllm #5015, PR #5131 · lossy by design

Typical acceptance: a draft is taken where p(x) passes a threshold made from the entropy, and the
target's argmax is emitted otherwise.
"""

from fractions import Fraction

from exactspec import Round, algorithm
from exactspec.transforms import argmax

THRESHOLD = Fraction(1, 4)  # a stand-in: the entropy is not rational


@algorithm
def typical_acceptance(chance, target, draft, context):
    """Accept iff p(x) reaches the threshold."""
    p, token = target(context), chance.draw(draft(context), "draft")
    if p[token] >= THRESHOLD:
        return Round((token,), accepted=1)
    return Round((argmax(p),), accepted=0)
