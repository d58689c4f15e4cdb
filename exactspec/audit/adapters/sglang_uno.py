"""SGLang: ``_sparse_rejection_from_support``, in PyTorch; not run by exactspec's own tests.

It verifies SGLang's UNO drafts. Written against 0.5.23, which needs a GPU's libraries to be imported.
"""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "sglang"
VERSIONS = ("0.5.23",)


def step(block: Block) -> Any:
    """One call without its compilation; every token is in the support. Its caller draws the numbers."""
    import torch
    from sglang.srt.speculative import uno_utils

    compiled = uno_utils._sparse_rejection_from_support
    verify = getattr(compiled, "_torchdynamo_orig_callable", compiled)
    given, drafts = block.torch, block.draft_length
    last = block.context[-1] if block.context else 0
    support = torch.arange(block.vocabulary_size)
    accepted, token = verify(
        torch.tensor([[last, *block.drafted]]),
        support.expand(1, drafts + 1, -1),
        given.target_probs[None],
        support.expand(1, drafts, -1),
        given.draft_probs[None],
        torch.rand(1, drafts + 1),
        torch.rand(1),
    )
    return [*block.drafted[: int(accepted[0])], token[0]]
