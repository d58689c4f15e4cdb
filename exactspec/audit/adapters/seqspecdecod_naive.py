"""sequential-speculative-decoding: ``naive_hsd_step``, a round with its own drafts, continued by the target."""

from typing import Any

from exactspec.audit.adapters.toys.table_models import continued, draft_of, target_of
from exactspec.audit.tables import Tables

PACKAGE = "sequential-speculative-decoding"
VERSIONS = ("0.1.1",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round at temperature 1."""
    import torch
    from seqspecdecod.naive_hsd import naive_hsd_step

    target, draft = target_of(tables), draft_of(tables)
    ids, _, _ = naive_hsd_step(
        draft.answer,
        target.answer,
        torch.tensor([target.prompt]),
        gamma=drafts,
        draft_temperature=1.0,
        target_temperature=1.0,
    )
    return continued(tables, ids[0, len(target.prompt) :].tolist(), length)
