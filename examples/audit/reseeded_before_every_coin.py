"""A generator that is seeded anew before every coin, with PyTorch.

All positions of a block share one coin: a sampler with an option for a fixed seed does this if the seed
is set where a coin is tossed. On ``examples/audit/tables/one-in-two.yaml``, with p = (1/2, 1/2) and
q = (3/4, 1/4), the first token is right, and two tokens are aa with 3/8, ab with 1/8: a total variation
of 1/8. ``repaired`` sets the seed once.
"""

import torch

SEED = 17


def step(block):
    """Seed, toss, seed, toss."""
    return _verified(block, lambda: torch.manual_seed(SEED))


def repaired(block):
    """Seed once, then toss."""
    torch.manual_seed(SEED)
    return _verified(block, lambda: None)


def _verified(block, before_a_coin):
    p, q = block.torch.target_probs, block.torch.draft_probs
    for i, token in enumerate(block.drafted):
        before_a_coin()
        if torch.rand(()) * q[i, token] >= p[i, token]:
            residual = (p[i] - q[i]).clamp(min=0)
            return [*block.drafted[:i], torch.multinomial(residual, 1)]
    return [*block.drafted, torch.multinomial(p[-1], 1)]
