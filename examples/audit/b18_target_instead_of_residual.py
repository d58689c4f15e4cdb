"""B18 · ShopeeLLM/Spec-RL #14, a deliberate choice of its maintainers, with PyTorch.

After a rejection the token is drawn from the target's row p, not from the normalised [p - q]+. On
``examples/reports/b18_target_instead_of_residual/target-after-a-rejection.yaml``, with
p = (1/2, 1/3, 1/6) and q = (1/6, 1/3, 1/2), the token is (1/3, 4/9, 2/9): a total variation of 1/6.
"""

import torch


def step(block):
    """Accept with min(1, p/q); after a rejection draw from p."""
    p, q, token = _first_row(block)
    if torch.rand(()) < p[token] / q[token]:
        return [token]
    return torch.multinomial(p, 1)


def repaired(block):
    """After a rejection draw from the residual."""
    p, q, token = _first_row(block)
    if torch.rand(()) < p[token] / q[token]:
        return [token]
    residual = torch.clamp(p - q, min=0)
    return torch.multinomial(residual / residual.sum(), 1)


def _first_row(block):
    arrays = block.torch
    return arrays.target_probs[0], arrays.draft_probs[0], block.drafted[0]
