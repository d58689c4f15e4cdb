"""B34 · vllm-project/vllm PR #35398, raised in review, in plain Python.

Seeds are looked up by positions of tokens where positions of requests are expected; in the toy all
positions of a block get one uniform number. On
``examples/reports/b34_one_uniform_for_a_block/one-uniform-for-a-block.yaml``, with p = (1/2, 1/2) and
q = (3/4, 1/4), the first token is right, and two tokens are AA with 3/8, AB with 1/8: a total variation
of 1/8.
"""

import random


def step(block):
    """Test all positions of the block with the same number."""
    coin = random.random()
    return _verified(block, lambda: coin)


def repaired(block):
    """Each position has a number of its own."""
    return _verified(block, random.random)


def _verified(block, coin):
    p, q = block.python.target_probs, block.python.draft_probs
    for i, token in enumerate(block.drafted):
        if coin() >= p[i][token] / q[i][token]:
            residual = [max(target - draft, 0) for target, draft in zip(p[i], q[i], strict=True)]
            return [*block.drafted[:i], _drawn(residual)]
    return [*block.drafted, _drawn(p[-1])]


def _drawn(weights):
    return random.choices(range(len(weights)), weights)[0]
