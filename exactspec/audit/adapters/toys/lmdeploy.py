"""One call of a rejection sampler of LMDeploy, whose implementations are all called alike."""

from typing import Any

from exactspec.audit.block import Block


def step_of(implementation: Any, block: Block) -> Any:
    """The emitted ids; the caller samples the bonus token, and places behind the last one are negative."""
    import torch

    given = block.torch
    bonus = torch.multinomial(given.target_probs[-1], 1)
    tokens, rejected, _ = implementation.forward(
        given.target_logits[None, :-1],
        given.draft_ids[None],
        bonus,
        is_greedy=None,
        draft_probs=given.draft_probs[None],
    )
    return tokens[0, : block.draft_length + 1 - int(rejected[0])]
