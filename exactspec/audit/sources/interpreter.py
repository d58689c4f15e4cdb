"""Whether Triton interprets kernels, which the environment says before Triton is imported."""

import os

HINT = "set the environment variable TRITON_INTERPRET=1 before Triton is imported"


def is_interpreted() -> bool:
    """Whether kernels are interpreted."""
    return os.environ.get("TRITON_INTERPRET", "0").lower() in ("1", "on", "true", "y", "yes")
