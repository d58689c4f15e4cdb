"""B14 · sgl-project/sglang PR #39253 · fix with a benchmark, open

On one backend every request takes the greedy branch of the verifier, a stand-in for a missing
kernel: the temperature is dropped.
"""

from exactspec import Round, algorithm, draft_tokens
from exactspec.transforms import argmax


@algorithm
def greedy_verification(chance, target, draft, context, *, draft_length):
    """Compare each drafted token with the target's argmax, and go on from that."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        best = argmax(target(context + drafted[:i]))
        if best != token:
            return Round((*drafted[:i], best), accepted=i)
    return Round((*drafted, argmax(target(context + drafted))), accepted=len(drafted))
