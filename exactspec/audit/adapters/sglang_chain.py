"""SGLang: ``chain_speculative_sampling_triton``; not run by exactspec's own tests.

Written against 0.5.23, which needs a GPU's libraries to be imported.
"""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "sglang"
VERSIONS = ("0.5.23",)
TRITON = True


def step(block: Block) -> Any:
    """One call that verifies token by token; its caller draws the numbers."""
    return verified(block)


def verified(block: Block, **options: Any) -> Any:
    """What is emitted for one request: each token lies where the one before it was accepted."""
    import torch
    from sglang.kernels.ops.speculative.reject_sampling import chain_speculative_sampling_triton

    given, slots = block.torch, block.draft_length + 1
    last = block.context[-1] if block.context else 0
    tokens, places = torch.zeros(slots, dtype=torch.int32), torch.zeros(1, slots, dtype=torch.int32)
    accepted = torch.zeros(1, dtype=torch.int32)
    chain_speculative_sampling_triton(
        tokens,
        places,
        accepted,
        torch.tensor([[last, *block.drafted]]),
        torch.arange(slots)[None],
        None,
        None,
        torch.rand(1, slots),
        torch.rand(1),
        given.target_probs[None],
        given.draft_probs[None],
        threshold_single=1.0,
        threshold_acc=1.0,
        deterministic=True,
        **options,
    )
    return tokens[places[0, : int(accepted[0]) + 1]]
