"""B24 · huggingface/transformers PR #28508, the second of three faults, in plain Python.

A slip of operator precedence: ``~`` takes the complement of a running sum, which is always below 1, where
the complement was to be summed up. The count of accepted tokens is the block's length, and every drafted
token is emitted. On ``examples/reports/b24_every_block_accepted/every-block-accepted.yaml``, with
p = (1/2, 1/2) and q = (3/4, 1/4), three tokens are off by a total variation of 5/16.
"""

import random
from itertools import accumulate


def step(block):
    """Count the accepted tokens; the slip makes the count the block's length."""
    is_accepted = _coins(block)
    return _emitted(block, sum(~total < 1 for total in accumulate(is_accepted)))


def repaired(block):
    """The count ends at the first rejection."""
    is_rejected = [1 - accepted for accepted in _coins(block)]
    return _emitted(block, sum(total < 1 for total in accumulate(is_rejected)))


def _coins(block):
    p, q = block.python.target_probs, block.python.draft_probs
    ratios = [p[i][token] / q[i][token] for i, token in enumerate(block.drafted)]
    return [int(random.random() < min(1, ratio)) for ratio in ratios]


def _emitted(block, accepted):
    weights = list(block.python.target_probs[accepted])
    if accepted < len(block.drafted):
        q = block.python.draft_probs[accepted]
        weights = [max(target - draft, 0) for target, draft in zip(weights, q, strict=True)]
    return [*block.drafted[:accepted], random.choices(range(len(weights)), weights)[0]]
