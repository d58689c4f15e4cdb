"""B92 · ikawrakow/ik_llama.cpp PR #1820, a port of ggml-org/llama.cpp #22506 · lossless in its
setting, a trap elsewhere

A last drafted token below a confidence limit is dropped. That is harmless under sampler match.
Under the ratio rule with sampled drafts it depends on the drawn token and so changes the law of
what is proposed: biased even for p = q.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual

LIMIT = Fraction(1, 3)


@algorithm
def dropped_under_sampler_match(chance, target, draft, context):
    """(a) Compare with the target's sample, if a draft is left to compare."""
    q = draft(context)
    token, sampled = chance.draw(q, "draft"), chance.draw(target(context), "target")
    return Round((sampled,), accepted=int(q[token] >= LIMIT and sampled == token))


@algorithm
def dropped_under_the_ratio_rule(chance, target, draft, context):
    """(b) Where the draft is dropped, draw from p; else the token rule."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if q[token] < LIMIT:
        return Round((chance.draw(p, "target"),), accepted=0)
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)
