"""B89 · vllm-project/vllm-project.github.io PR #80 · not a bug: a published text, checked

"Accept if p >= q, otherwise with probability p/q" was questioned in review. It is min(1, p/q) in
two branches; only the first branch alone would be wrong.
"""

from exactspec import Round, algorithm, residual


@algorithm
def two_branches(chance, target, draft, context):
    """Accept if p >= q, else with p/q."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if p[token] >= q[token] or chance.accept(p[token] / q[token]):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def first_branch_only(chance, target, draft, context):
    """Accept iff p >= q."""
    p, q = target(context), draft(context)
    token = chance.draw(q, "draft")
    if p[token] >= q[token]:
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)
