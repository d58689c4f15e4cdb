"""LMDeploy: ``CudaRejectionSamplingImpl``, in PyTorch and Triton; not run by exactspec's own tests.

Written against 0.18.0, whose package does not install everywhere.
"""

from typing import Any

from exactspec.audit.adapters.toys.lmdeploy import step_of
from exactspec.audit.block import Block

PACKAGE = "lmdeploy"
VERSIONS = ("0.18.0",)
TRITON = True


def step(block: Block) -> Any:
    """One call."""
    from lmdeploy.pytorch.backends.cuda.rejection_sampling import CudaRejectionSamplingImpl

    return step_of(CudaRejectionSamplingImpl(), block)
