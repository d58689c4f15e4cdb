"""A round of sequential-speculative-decoding, whose verifications are all called alike."""

from collections.abc import Callable
from typing import Any

from exactspec.audit.adapters.toys.table_models import continued, draft_of, target_of
from exactspec.audit.tables import Tables


def round_of(step: Callable[..., Any], tables: Tables, length: int, drafts: int) -> Any:
    """What one round at temperature 1 emits, with its own drafts, continued by the target."""
    import torch

    target, draft = target_of(tables), draft_of(tables)
    ids, _, _ = step(
        draft.answer,
        target.answer,
        torch.tensor([target.prompt]),
        gamma=drafts,
        draft_temperature=1.0,
        target_temperature=1.0,
    )
    return continued(tables, ids[0, len(target.prompt) :].tolist(), length)
