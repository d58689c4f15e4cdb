"""flashspec: ``rejection_step``."""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "flashspec"
VERSIONS = ("0.3.1",)


def step(block: Block) -> Any:
    """One call: how many drafts are accepted, and the token behind them."""
    from flashspec.sampling.rejection import rejection_step

    given = block.torch
    accepted, token = rejection_step(
        given.draft_ids[None], given.draft_logits[None], given.target_logits[None]
    )[0]
    return [*block.drafted[: int(accepted)], token]
