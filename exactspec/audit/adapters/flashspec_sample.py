"""flashspec: ``rejection_sample``, which leaves the bonus token to its caller."""

from typing import Any

from exactspec.audit.adapters.flashspec import PACKAGE, VERSIONS
from exactspec.audit.block import Block

__all__ = ["PACKAGE", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call, and a bonus token from the target where all drafts are accepted."""
    import torch
    from flashspec.sampling.rejection import rejection_sample

    given, drafts = block.torch, block.draft_length
    tokens, rejected_at, _ = rejection_sample(
        given.ids[None],
        given.draft_logits[None],
        given.target_logits[None, :-1],
        given.draft_ids[None],
        drafts,
    )
    accepted = int(rejected_at[0])
    if accepted == drafts:
        return [*block.drafted, torch.multinomial(given.target_probs[-1], 1)[0]]
    return tokens[0, : accepted + 1]
