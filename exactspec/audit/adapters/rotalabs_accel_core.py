"""rotalabs-accel: ``verify_tokens`` with sampling, temperature 1 and ``top_p`` 0.99.

That keeps every token of weight 1/100 or more. With 1.0 the bonus token raises an exception.
"""

from typing import Any

from exactspec.audit.adapters.rotalabs_accel import PACKAGE, VERSIONS
from exactspec.audit.adapters.rotalabs_accel_eagle import answering, probabilities_of_drafts
from exactspec.audit.block import Block

__all__ = ["PACKAGE", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call, with a model that answers the target's rows."""
    import torch
    from rotalabs_accel.speculative.core import verify_tokens

    last = block.context[-1] if block.context else 0
    tokens, _, _ = verify_tokens(
        answering(block),
        torch.tensor([[last]]),
        block.torch.draft_ids,
        probabilities_of_drafts(block),
        None,
        temperature=1.0,
        top_p=0.99,
        use_sampling=True,
    )
    return tokens
