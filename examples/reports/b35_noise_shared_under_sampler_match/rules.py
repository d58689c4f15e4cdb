"""B35 · hao-ai-lab/LookaheadDecoding PR #6 · not a bug

Draft and target share Gumbel noise on purpose, and a draft is accepted iff it equals the target's
token: only the rate of agreement changes.
"""

from exactspec import Round, algorithm


@algorithm
def shared_noise(chance, target, draft, context):
    """Draw draft and target by one race; emit the target's token in any case."""
    noise = chance.race()
    drafted, sampled = noise.draw(draft(context), "draft"), noise.draw(target(context), "target")
    return Round((sampled,), accepted=int(drafted == sampled))


@algorithm
def independent_noise(chance, target, draft, context):
    """The contrast: two races."""
    drafted = chance.race().draw(draft(context), "draft")
    sampled = chance.race().draw(target(context), "target")
    return Round((sampled,), accepted=int(drafted == sampled))
