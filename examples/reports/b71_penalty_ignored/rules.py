"""B71 · NVIDIA/TensorRT-LLM PR #17701 · confirmed, feature added

Penalties are silently ignored in the one-model speculative modes.

The target's table is the network's; what is wanted has the presence penalty 1/2.
"""

from exactspec import Round, algorithm, draft_tokens


@algorithm
def penalty_ignored(chance, target, draft, context, *, draft_length):
    """Sampler match on the network's own rows."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
