"""The two ways in which transformers' ``_speculative_sampling`` is audited for mutants.

``plain`` is speculative sampling. ``relaxed`` takes the other branch: with the weight w the function
verifies against w p + (1 - w) q, so it is given p = (v - (1 - w) q) / w, and has to emit v, which is what
the tables call the target. The bonus token comes from p itself there, so its row is v.
"""

import random
from fractions import Fraction

WEIGHT = Fraction(15, 16)


def plain(block):
    """Speculative sampling; the number of matches that is returned must be that of the tokens."""
    return _called(block, block.target_rows)


def relaxed(block):
    """Verification with a weight below 1, or 1 where the tables have no p of this weight."""
    weight = WEIGHT
    rows = _unmixed(block, weight)
    if any(number < 0 for row in rows for number in row):
        weight, rows = Fraction(1), block.target_rows
    return _called(block, rows, assistant_ensemble_weight=float(weight))


def _unmixed(block, weight):
    drafted = [
        [(v - (1 - weight) * q) / weight for v, q in zip(wanted, draft, strict=True)]
        for wanted, draft in zip(block.target_rows, block.draft_rows, strict=False)
    ]
    return [*drafted, block.target_rows[-1]]


def _called(block, rows, **options):
    from transformers.generation.utils import _speculative_sampling

    given = block.torch
    tokens, matches = _speculative_sampling(
        given.ids[None],
        given.draft_logits[None],
        block.draft_length,
        given.logits(rows)[None],
        **options,
    )
    assert tokens.shape[1] == matches + 1
    return tokens[0]


def either(block):
    """Both of them, each in half of the runs: lossless if both are, and each one's faults show."""
    return (plain if random.random() < 1 / 2 else relaxed)(block)
