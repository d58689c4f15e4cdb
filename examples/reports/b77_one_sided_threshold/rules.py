"""B77 · AtomicBot-ai/atomic-llama-cpp-turboquant PR #8 · lossy by design, open

Where draft and target disagree, the greedy draft is kept if p(x) reaches a threshold.
"""

from fractions import Fraction

from exactspec import Round, algorithm

TAU = Fraction(3, 10)


@algorithm
def one_sided_threshold(chance, target, draft, context):
    """Sampler match that forgives a disagreement where p(x) >= tau."""
    p, token = target(context), chance.draw(draft(context), "draft")
    sampled = chance.draw(p, "target")
    if sampled == token or p[token] >= TAU:
        return Round((token,), accepted=1)
    return Round((sampled,), accepted=0)
