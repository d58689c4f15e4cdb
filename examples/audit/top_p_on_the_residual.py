"""A request's top-p, applied once more to the residual, with PyTorch.

The rows that a sampler compares are those after top-p; the residual is a law of its own, and no filter
belongs there. On ``examples/audit/tables/peaked-draft.yaml``, with p = (1/4, 1/2, 1/4) and
q = (7/8, 1/16, 1/16), the residual is (0, 7/10, 3/10) and a top-p of 3/5 leaves its first token:
the token is (1/4, 11/16, 1/16), a total variation of 3/16. ``with_minus_infinity`` puts minus infinity in
the place of what is filtered out, as one does with logits, and raises on every rejection: with 5/8.
"""

import torch

TOP_P = 0.6


def step(block):
    """Tokens behind the first 3/5 of the residual's mass get the weight 0."""
    return _verified(block, 0.0)


def with_minus_infinity(block):
    """They get the weight minus infinity."""
    return _verified(block, float("-inf"))


def repaired(block):
    """The residual is drawn from as it is."""
    return _verified(block, None)


def _verified(block, filtered_out):
    p, q = block.torch.target_probs, block.torch.draft_probs
    for i, token in enumerate(block.drafted):
        if torch.rand(()) * q[i, token] >= p[i, token]:
            residual = (p[i] - q[i]).clamp(min=0)
            residual = residual / residual.sum()
            if filtered_out is not None:
                residual = residual.masked_fill(_behind_top_p(residual), filtered_out)
            return [*block.drafted[:i], torch.multinomial(residual, 1)]
    return [*block.drafted, torch.multinomial(p[-1], 1)]


def _behind_top_p(law):
    ordered, places = law.sort(descending=True)
    is_behind = ordered.cumsum(0) - ordered >= TOP_P
    return torch.zeros_like(is_behind).scatter(0, places, is_behind)
