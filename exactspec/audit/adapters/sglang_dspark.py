"""SGLang: ``blockwise_rejection_torch`` for DSpark, in PyTorch; not run by exactspec's own tests.

Written against 0.5.23, which needs a GPU's libraries to be imported. The function of that name for
GPUs writes out a generator of its own, which is not followed.
"""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "sglang"
VERSIONS = ("0.5.23",)


def step(block: Block) -> Any:
    """One call at temperature 1: how many drafts are accepted, and the token behind them."""
    import torch
    from sglang.kernels.ops.speculative.dspark import blockwise_rejection

    given = block.torch
    last = block.context[-1] if block.context else 0
    accepted, token, _ = blockwise_rejection.blockwise_rejection_torch(
        candidates=torch.tensor([[last, *block.drafted]]),
        target_logits=given.target_logits,
        draft_logits=given.draft_logits[None],
        target_temperatures=torch.ones(1),
        draft_temperatures=torch.ones(1),
        noise=blockwise_rejection.make_rejection_noise(0, "cpu"),
    )
    return [*block.drafted[: int(accepted[0])], token[0]]
