"""mini-infer: ``speculative_step``, a round with its own drafts, continued by the target."""

from typing import Any

from exactspec.audit.adapters.toys.table_models import continued, draft_of, target_of
from exactspec.audit.tables import Tables

PACKAGE = "mini-infer"
VERSIONS = ("0.2.5",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round at temperature 1."""
    import torch
    from mini_infer.speculative.verifier import speculative_step

    target, draft = target_of(tables), draft_of(tables)
    tokens, _ = speculative_step(
        lambda ids: (target.logits(ids), None),
        lambda ids: (draft.logits(ids), None),
        torch.tensor([target.prompt]),
        k_draft=drafts,
        temperature=1.0,
    )
    return continued(tables, tokens, length)
