"""mlx-lm: ``speculative_generate_step``, which draws at every position and compares."""

from typing import Any

from exactspec.audit.tables import Tables

PACKAGE = "mlx-lm"
VERSIONS = ("0.32.2",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop with its own key-value caches; it reads each of its draws, so runs are many."""
    import mlx.core as mx
    from mlx_lm.generate import speculative_generate_step

    from exactspec.audit.adapters.toys.mlx_models import Toy

    # the loop needs a prompt: a token that no table knows stands before it
    steps = speculative_generate_step(
        mx.array([tables.size, *tables.context]),
        Toy(tables.target),
        Toy(tables.draft),
        num_draft_tokens=drafts,
        max_tokens=length,
        sampler=mx.random.categorical,
    )
    return [int(token) for token, _, _ in steps]
