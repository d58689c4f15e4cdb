"""B07 · antirez/ds4 PR #482 · raised in the review of an open PR

A block drafter takes the argmax at every row; the new verifier, announced as exact at every
temperature, divides by the soft law.
"""

from exactspec import Distribution, Round, algorithm, minimum, residual
from exactspec.transforms import argmax


def _argmax_block(draft, context, draft_length):
    block = ()
    for _ in range(draft_length):
        block = (*block, argmax(draft(context + block)))
    return block


@algorithm
def argmax_block_soft_q(chance, target, draft, context, *, draft_length):
    """Verify a block of argmaxes as if each had been drawn from the draft's row."""
    block = _argmax_block(draft, context, draft_length)
    for i, token in enumerate(block):
        p, q = target(context + block[:i]), draft(context + block[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*block[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return Round((*block, chance.draw(target(context + block), "bonus")), accepted=len(block))


@algorithm
def argmax_block_one_hot_q(chance, target, draft, context, *, draft_length):
    """Repaired: each token of the block is declared as certain."""
    block = _argmax_block(draft, context, draft_length)
    for i, token in enumerate(block):
        p, q = target(context + block[:i]), Distribution.one_hot(token)
        if not chance.accept(p[token]):
            return Round((*block[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return Round((*block, chance.draw(target(context + block), "bonus")), accepted=len(block))
