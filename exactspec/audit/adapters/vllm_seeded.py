"""vLLM: the same for a request with a seed; not run by exactspec's own tests."""

from typing import Any

from exactspec.audit.adapters.vllm import PACKAGE, TRITON, VERSIONS, verified
from exactspec.audit.block import Block

__all__ = ["PACKAGE", "TRITON", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call for one request, whose generator draws coins and noise."""
    import torch

    return verified(block, {0: torch.Generator().manual_seed(0)})
