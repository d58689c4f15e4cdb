"""B39 · HabanaAI/vllm-fork PR #1780 · confirmed, fixed

With speculative and plain sequences in one batch the order of rows was wrong: a request is scored
with another request's rows.

The model is request 0; the row of request 1 stands here, and the law of request 0 is judged.
"""

from fractions import Fraction

from exactspec import Distribution, Round, algorithm, minimum, residual

BATCH_MATE = Distribution({"A": Fraction(1, 4), "B": Fraction(3, 4)})


@algorithm
def scored_with_the_batch_mate_s_row(chance, target, draft, context):
    """Verify the draft of request 0 with the target's row of request 1."""
    p, q = BATCH_MATE, draft(context)
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)
