"""rotalabs-accel: ``rejection_sample``, called for each draft until one is rejected."""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "rotalabs-accel"
VERSIONS = ("1.1.1",)


def step(block: Block) -> Any:
    """A call for each draft, and a bonus token from the target where all are accepted."""
    import torch
    from rotalabs_accel.speculative.sampling import rejection_sample

    given = block.torch
    target, draft, logits = given.target_probs, given.draft_probs, given.target_logits
    emitted: list[Any] = []
    for i, token in enumerate(block.drafted):
        is_accepted, chosen = rejection_sample(
            target[i, token], draft[i, token], given.draft_ids[i], logits[i]
        )
        emitted.append(chosen.reshape(()))
        if not is_accepted:
            return emitted
    return [*emitted, torch.multinomial(target[-1], 1)[0]]
