"""B43 · kekzl/imp #667, confirmed by the owner, in plain Python.

Where a whole block is accepted, the next token is decided from the row before the last accepted one.
On ``examples/reports/b43_bonus_from_the_row_before/bonus-from-the-row-before.yaml`` the draft is always
A, and AA has the probability 9/16 instead of 3/16: a total variation of 3/8.
"""

import random


def step(block):
    """Sampler match with a bonus token from the row of the last drafted token."""
    return _matched(block, bonus_row=len(block.drafted) - 1)


def repaired(block):
    """The bonus token's row is the one behind the last drafted token."""
    return _matched(block, bonus_row=len(block.drafted))


def _matched(block, bonus_row):
    rows = block.python.target_probs
    for i, token in enumerate(block.drafted):
        sampled = _drawn(rows[i])
        if sampled != token:
            return [*block.drafted[:i], sampled]
    return [*block.drafted, _drawn(rows[bonus_row])]


def _drawn(weights):
    return random.choices(range(len(weights)), weights)[0]
