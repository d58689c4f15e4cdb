"""SGLang: the same with block verification; not run by exactspec's own tests."""

from typing import Any

from exactspec.audit.adapters.sglang_chain import PACKAGE, TRITON, VERSIONS, verified
from exactspec.audit.block import Block

__all__ = ["PACKAGE", "TRITON", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call that verifies the block as a whole."""
    return verified(block, block_verification=True)
