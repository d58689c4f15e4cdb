"""rotalabs-accel: ``eagle_verify`` with sampling."""

from types import SimpleNamespace
from typing import Any

from exactspec.audit.adapters.rotalabs_accel import PACKAGE, VERSIONS
from exactspec.audit.block import Block

__all__ = ["PACKAGE", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call, with a model that answers the target's rows."""
    from rotalabs_accel.speculative.eagle import eagle_verify

    tokens, _, _ = eagle_verify(
        answering(block),
        block.torch.ids[None],
        block.torch.draft_ids[None],
        probabilities_of_drafts(block)[None],
        None,
        use_sampling=True,
    )
    return tokens


def answering(block: Block) -> Any:
    """A model that answers the target's rows of a block."""
    logits = block.torch.target_logits[None]
    return lambda ids, **options: SimpleNamespace(logits=logits, past_key_values=None)


def probabilities_of_drafts(block: Block) -> Any:
    """The draft's probability of each drafted token."""
    import torch

    rows = block.torch.draft_probs
    return torch.stack([rows[i, token] for i, token in enumerate(block.drafted)])
