"""B88 · feifeibear/LLMSpeculativeSampling #36, #29, #1, #41 · not a bug

The ratio looks inverted, because two papers swap the names p and q; rows look conditioned on the
whole draft, but are causal; two runs differ, because they are equal in law only.
"""

from exactspec import Round, algorithm, draft_tokens, minimum, residual


@algorithm
def names_of_the_other_paper(chance, target, draft, context, *, draft_length):
    """The token rule with q for the target and p for the draft."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        q, p = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, q[token] / p[token])):
            return Round((*drafted[:i], chance.draw(residual(q, p), "residual")), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
