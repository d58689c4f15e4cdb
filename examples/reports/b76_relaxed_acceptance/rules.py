"""B76 · NVIDIA/TensorRT-LLM PR #3865 · lossy by design

Relaxed acceptance for greedy requests: a draft passes if it is among the target's top N and within
delta of the greatest probability.
"""

from fractions import Fraction

from exactspec import Round, algorithm
from exactspec.transforms import argmax, top_k

TOP_N, DELTA = 2, Fraction(1, 10)


@algorithm
def top_n_within_delta(chance, target, draft, context):
    """Accept a token that is nearly the best one; emit the best one otherwise."""
    p, token = target(context), chance.draw(draft(context), "draft")
    best = argmax(p)
    if token in set(top_k(p, TOP_N)) and p[token] >= p[best] - DELTA:
        return Round((token,), accepted=1)
    return Round((best,), accepted=0)


@algorithm
def only_the_best(chance, target, draft, context):
    """The exact rule for a greedy request: accept the target's best token only."""
    best = argmax(target(context))
    return Round((best,), accepted=int(chance.draw(draft(context), "draft") == best))
