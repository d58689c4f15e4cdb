"""B60 · SafeAILab/EAGLE #50, fixed by PR #47; #74 · the bug is confirmed by the owner, its content
is our reading of #74

Siblings are drawn without replacement: the second one's law is q without the first, normalised.
Testing it with q itself is wrong, and invisible on some tables.
"""

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import penalised


def _without(row, token):
    return penalised(row, {token: 0})


def _two_siblings(chance, p, q, law_declared_for_the_second):
    first = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[first] / q[first])):
        return Round((first,), accepted=1)
    p = residual(p, q)
    second = chance.draw(_without(q, first), "draft")
    q = law_declared_for_the_second(first)
    if chance.accept(minimum(1, p[second] / q[second])):
        return Round((second,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def q_not_updated(chance, target, draft, context):
    """Test the second sibling with the original q."""
    q = draft(context)
    return _two_siblings(chance, target(context), q, lambda first: q)


@algorithm
def q_without_the_first(chance, target, draft, context):
    """The right rule: test the second sibling with the law that it was drawn from."""
    q = draft(context)
    return _two_siblings(chance, target(context), q, lambda first: _without(q, first))
