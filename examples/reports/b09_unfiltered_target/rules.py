"""B09 · vllm-project/vllm #9834, fixed by PR #10198 · confirmed, fixed

Scoring built the target's law with default sampling parameters, while the draft's law was filtered:
the output follows the unfiltered target.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import top_p

TOP_P = Fraction(3, 4)


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def unfiltered_target(chance, target, draft, context):
    """The draft's row is filtered, the target's is not."""
    q = top_p(draft(context), TOP_P)
    return _verified(chance, chance.draw(q, "draft"), target(context), q)


@algorithm
def filters_on_both_sides(chance, target, draft, context):
    """The fix: both rows are filtered as the request says."""
    p, q = top_p(target(context), TOP_P), top_p(draft(context), TOP_P)
    return _verified(chance, chance.draw(q, "draft"), p, q)
