"""B03 · huggingface/transformers #47932 · reproduced in the report, closed

Three block drafters draw from the filtered law and hand back the unfiltered one: ratio and residual
are built on a law that is too wide.
"""

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import top_k


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def raw_q_returned(chance, target, draft, context):
    """Draw from the two most probable tokens, and declare the law before that filter."""
    token = chance.draw(top_k(draft(context), 2), "draft")
    return _verified(chance, token, target(context), draft(context))


@algorithm
def processed_q_returned(chance, target, draft, context):
    """The fix: declare the law that was drawn from."""
    q = top_k(draft(context), 2)
    return _verified(chance, chance.draw(q, "draft"), target(context), q)
