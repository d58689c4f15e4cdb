"""B63 · SafeAILab/EAGLE #110, #171, #183, #93, #221 · not a bug, answered by the owners

The top tokens of the draft are tested with q = 1, and p(x) is set to 0 and p normalised after each
rejection; readers suspect a bias. With a list that is not random the rule is exact.
"""

from exactspec import Round, algorithm
from exactspec.transforms import penalised


def _siblings(chance, p, candidates):
    for token in candidates:
        if chance.accept(p[token]):
            return Round((token,), accepted=1)
        p = penalised(p, {token: 0})
    return Round((chance.draw(p, "residual"),), accepted=0)


@algorithm
def top_k_with_q_1(chance, target, draft, context, *, siblings):
    """Try the most probable tokens of the draft, each as if it were certain."""
    q = draft(context)
    best_first = sorted(q, key=lambda x: q[x], reverse=True)
    return _siblings(chance, target(context), best_first[:siblings])
