"""LMDeploy: ``CudaRejectionSamplingImpl``, in PyTorch and Triton; not run by exactspec's own tests.

Written against 0.18.0, whose package does not install everywhere.
"""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "lmdeploy"
VERSIONS = ("0.18.0",)
TRITON = True


def step(block: Block) -> Any:
    """One call; the caller samples the bonus token, and places behind the last one are negative."""
    import torch
    from lmdeploy.pytorch.backends.cuda.rejection_sampling import CudaRejectionSamplingImpl

    given = block.torch
    bonus = torch.multinomial(given.target_probs[-1], 1)
    tokens, rejected, _ = CudaRejectionSamplingImpl().forward(
        given.target_logits[None, :-1],
        given.draft_ids[None],
        bonus,
        is_greedy=None,
        draft_probs=given.draft_probs[None],
    )
    return tokens[0, : block.draft_length + 1 - int(rejected[0])]
