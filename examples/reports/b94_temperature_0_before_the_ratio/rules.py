"""B94 · jaymody/speculative-sampling #9 · not a bug, answered

For a greedy request, temperature 0 has to be applied to both laws first. Read as a draft by argmax
with a ratio of the raw laws, the rule emits the draft's choice.
"""

from exactspec import Distribution, Round, algorithm, minimum, residual
from exactspec.transforms import argmax


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def temperature_0_in_both(chance, target, draft, context):
    """(b) Temperature 0 makes both laws certain; then the token rule."""
    p = Distribution.one_hot(argmax(target(context)))
    q = Distribution.one_hot(argmax(draft(context)))
    return _verified(chance, chance.draw(q, "draft"), p, q)


@algorithm
def raw_laws(chance, target, draft, context):
    """(a) The misreading: draft the argmax, and take the ratio of the raw laws."""
    q = draft(context)
    return _verified(chance, argmax(q), target(context), q)
