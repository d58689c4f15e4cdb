"""B56 · vllm-project/vllm PR #32642, a gap known since PR #26317 · confirmed, fixed

For a while the verifier did not run the request's processors on the rows of drafted tokens: the end
token could be accepted before min_tokens. (E is the end token.)

The target's table is the network's; what is wanted has no end token at the start (min_tokens 1).
"""

from exactspec import Round, algorithm, draft_tokens


@algorithm
def mask_not_applied(chance, target, draft, context, *, draft_length):
    """Sampler match on the network's own rows."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
