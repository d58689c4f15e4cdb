"""B62 · ggml-org/llama.cpp PR #5625, issue #5384 · merged; the questions were discussed in the
thread

A paper's rule for several candidates, while (a) the drafts were still the deterministic top tokens,
and (b) candidates were tried in order instead of at random. Only (a) does harm.
"""

from exactspec import Round, algorithm, minimum, residual


def _tried_in_order(chance, p, q, candidates):
    """Each candidate by the ratio test, the target's row replaced by the residual in between."""
    for token in candidates:
        if chance.accept(minimum(1, p[token] / q[token])):
            return Round((token,), accepted=1)
        p = residual(p, q)
    return Round((chance.draw(p, "residual"),), accepted=0)


@algorithm
def top_two_with_soft_q(chance, target, draft, context):
    """(a) The two most probable tokens, verified as if they had been drawn."""
    q = draft(context)
    best, second, *_ = sorted(q, key=lambda x: q[x], reverse=True)
    return _tried_in_order(chance, target(context), q, (best, second))


@algorithm
def independent_in_fixed_order(chance, target, draft, context):
    """(b) Two independent draws, tried in the order in which they were drawn."""
    q = draft(context)
    candidates = chance.draw(q, "draft"), chance.draw(q, "draft")
    return _tried_in_order(chance, target(context), q, candidates)
