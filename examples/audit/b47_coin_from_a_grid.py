"""B47 · sgl-project/sglang #35771, reproduced in the report, in plain Python.

A draft is accepted if the coin is at most p, and the coin can be exactly 0: a token that the filters
removed passes. On ``examples/reports/b47_coin_from_a_grid/at-most.yaml`` the draft is always C, p(C) is
0, and with a coin of 0, 1/4, 1/2 or 3/4 the token C has the probability 1/4: a total variation of 1/4.
``step_with_the_librarys_coin`` has the same slip with ``random.random()``, whose coin is 0 with 2^-53:
only ``--level grid`` sees it.
"""

import random

STEPS = 4


def step(block):
    """Accept where a coarse coin is at most p/q."""
    return _verified(block, lambda ratio: random.randrange(STEPS) / STEPS <= ratio)


def repaired(block):
    """Accept where the coarse coin is below p/q; exact where the grid hits p/q."""
    return _verified(block, lambda ratio: random.randrange(STEPS) / STEPS < ratio)


def step_with_the_librarys_coin(block):
    """The same slip with a fine coin."""
    return _verified(block, lambda ratio: random.random() <= ratio)


def _verified(block, is_accepted):
    p, q = block.python.target_probs[0], block.python.draft_probs[0]
    token = block.drafted[0]
    if is_accepted(p[token] / q[token]):
        return [token]
    residual = [max(target - draft, 0) for target, draft in zip(p, q, strict=True)]
    return random.choices(range(len(residual)), residual)
