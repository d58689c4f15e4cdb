"""Blocks verified by products of coins, with the residual of single tokens, in plain Python.

A prefix of the drafts counts as accepted if the product of min(1, p/q) over it is at least the product of
its coins; after the longest one the token-wise residual is drawn. With p = (1/2, 1/2), q = (3/4, 1/4) and
three drafts (``examples/audit/tables/one-in-two.yaml``, ``--drafts 3``) a block of three a is accepted
whole with 27/64 (8/27) (1 + L + L^2/2), L = ln(27/8): 0.3695 where block verification allows 1/8. The first
token is a with 0.7060 instead of 1/2. The probabilities hold logarithms, so they are worked out to sixty
digits, and the report says so.
"""

import random


def step(block):
    """The longest prefix that the product of the coins lets through."""
    p, q = block.python.target_probs, block.python.draft_probs
    ratio, coins, accepted = 1, 1, 0
    for i, token in enumerate(block.drafted):
        ratio = ratio * min(1, p[i][token] / q[i][token])
        coins = coins * random.random()
        if coins <= ratio:
            accepted = i + 1
    if accepted == block.draft_length:
        weights = p[-1]
    else:
        pairs = zip(p[accepted], q[accepted], strict=True)
        weights = [max(target - draft, 0) for target, draft in pairs]
    return [*block.drafted[:accepted], *random.choices(range(len(weights)), weights)]
