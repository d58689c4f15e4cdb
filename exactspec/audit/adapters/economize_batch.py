"""economize: ``RejectionVerifier.verify_batch``, a batch of one sequence."""

from typing import Any

from exactspec.audit.adapters.economize import PACKAGE, VERSIONS, Selector, verifier
from exactspec.audit.block import Block

__all__ = ["PACKAGE", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call: how many drafts are accepted, and the token behind them."""
    from economize.decoding.protocols import Draft

    given = block.torch
    draft = Draft(given.draft_ids[None], [block.draft_length], probs=given.draft_probs[None])
    accepted, token = verifier().verify_batch(
        given.target_logits[None], draft, Selector(), given.ids[None], [len(block.context)]
    )
    return [*block.drafted[: int(accepted[0])], token[0]]
