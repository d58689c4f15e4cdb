"""B80 · lablup/mlxcel #902, PR #992 · not a bug: the author corrected the premise, with a proof

The issue says that the match rule biases sampled output. On the path that it names the verifier
compares with a fresh sample of the target and emits that on both branches: exact, only slower. Two
other paths do compare with the argmax.
"""

from exactspec import Round, algorithm, draft_tokens
from exactspec.transforms import argmax


def _matched(drafted, context, token_of):
    """Go on while each token of the target is the drafted one, and emit the target's in any case."""
    for i, token in enumerate(drafted):
        wanted = token_of(context + drafted[:i])
        if wanted != token:
            return Round((*drafted[:i], wanted), accepted=i)
    return Round((*drafted, token_of(context + drafted)), accepted=len(drafted))


@algorithm
def match_with_a_sample(chance, target, draft, context, *, draft_length):
    """Compare each drafted token with a sample of the target."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    return _matched(drafted, context, lambda here: chance.draw(target(here), "target"))


@algorithm
def match_with_the_argmax(chance, target, draft, context, *, draft_length):
    """Compare each drafted token with the target's argmax."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    return _matched(drafted, context, lambda here: argmax(target(here)))
