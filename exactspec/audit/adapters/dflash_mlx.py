"""DFlash: ``_rejection_sample`` of its MLX model."""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "dflash"
VERSIONS = ("0.1.0",)


def step(block: Block) -> Any:
    """One call: how many drafts are accepted, and the token behind them."""
    from dflash.model_mlx import _rejection_sample

    given = block.mlx
    accepted, token = _rejection_sample(
        given.draft_ids[None], given.target_probs[None], given.draft_probs[None]
    )
    return [*block.drafted[:accepted], token]
