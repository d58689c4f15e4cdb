"""B36 · ohdearquant/lattice #243, confirmed and fixed, with PyTorch.

The check of an n-gram draft starts at its second token: the target's choice for the first one is never
computed, so that one is always committed. On
``examples/reports/b36_first_draft_never_verified/first-draft-never-verified.yaml`` the lookup proposes A,
which has the probability 1/4: two tokens are off by a total variation of 3/4.
"""

import torch


def step(block):
    """Compare the drafted tokens with the target's from the second one on."""
    return _matched(block, first=1)


def repaired(block):
    """Compare every drafted token."""
    return _matched(block, first=0)


def _matched(block, first):
    sampled = torch.multinomial(block.torch.target_probs, 1).flatten()
    drafted = block.torch.draft_ids
    accepted = first
    while accepted < len(drafted) and sampled[accepted] == drafted[accepted]:
        accepted += 1
    return torch.cat([drafted[:accepted], sampled[accepted : accepted + 1]])
