"""dspark-mlx: ``speculative_sample_accept``, in NumPy."""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "dspark-mlx"
VERSIONS = ("0.1.0",)


def step(block: Block) -> Any:
    """One call, with a generator made anew."""
    import numpy
    from dspark_mlx.verify import speculative_sample_accept

    given = block.numpy
    accepted = speculative_sample_accept(
        given.draft_ids, given.draft_probs, given.target_probs, numpy.random.default_rng(0)
    )
    return accepted.tokens
