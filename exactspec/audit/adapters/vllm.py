"""vLLM: ``rejection_sample`` of V1, in PyTorch and Triton; not run by exactspec's own tests.

Written against 0.33.0, which needs a GPU's libraries to be imported. Where it finds no GPU it does
without Triton, unless ``CUDA_VISIBLE_DEVICES`` is set to nothing.
"""

from types import SimpleNamespace
from typing import Any

from exactspec.audit.block import Block

PACKAGE = "vllm"
VERSIONS = ("0.33.0",)
TRITON = True


def step(block: Block) -> Any:
    """One call for one request without a seed; its caller samples the bonus token."""
    return verified(block, {})


def verified(block: Block, generators: dict[int, Any]) -> Any:
    """What is emitted for one request; places behind the last token hold -1."""
    import torch
    from vllm.triton_utils import HAS_TRITON
    from vllm.v1.sample.rejection_sampler import rejection_sample

    if not HAS_TRITON:
        raise ImportError(
            "it found no GPU and does without Triton; set CUDA_VISIBLE_DEVICES to nothing"
        )
    given, drafts = block.torch, block.draft_length
    settings = SimpleNamespace(
        all_greedy=False, all_random=True, temperature=torch.ones(1), generators=generators
    )
    tokens = rejection_sample(
        given.draft_ids.to(torch.int32),
        [drafts],
        drafts,
        torch.tensor([drafts], dtype=torch.int32),
        given.draft_probs,
        given.target_logits[:-1],
        torch.multinomial(given.target_probs[-1:], 1),
        settings,
    )[0]
    return tokens[tokens >= 0]
