"""B21 · ml-explore/mlx-lm PR #1085 · suspected from the description, closed unmerged

The equality test was replaced by the ratio test, but the token emitted after a rejection seems to
stay the target's sample that was drawn before.
"""

from exactspec import Round, algorithm, minimum


@algorithm
def ratio_with_a_pre_drawn_sample(chance, target, draft, context):
    """Accept by ratio, and emit the sample of the target that was drawn beforehand otherwise."""
    p, q = target(context), draft(context)
    sampled, drafted = chance.draw(p, "target"), (chance.draw(q, "draft"),)
    if chance.accept(minimum(1, p[drafted[0]] / q[drafted[0]])):
        bonus = chance.draw(target(context + drafted), "bonus")
        return Round((*drafted, bonus), accepted=1)
    return Round((sampled,), accepted=0)
