"""economize: ``RejectionVerifier.verify_tree``, a chain of drafts and a sibling of the first one."""

from typing import Any

from exactspec.audit.adapters.economize import PACKAGE, VERSIONS, Selector, verifier
from exactspec.audit.adapters.toys.table_models import (
    continued,
    draft_of,
    drawn,
    target_of,
    torch_logits,
    torch_probs,
)
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round, continued by the target. The sibling is drawn anew from the first draft's row."""
    import torch
    from economize.decoding.protocols import Draft

    target, draft = target_of(tables), draft_of(tables)
    ids, draft_rows = target.prompt, []
    for _ in range(drafts):
        draft_rows.append(draft.row(ids))
        ids = (*ids, drawn(draft_rows[-1]))
    sibling = drawn(draft_rows[0])
    nodes = (*ids[-drafts:], sibling)
    tree = Draft(
        torch.tensor([nodes]),
        [drafts + 1],
        parents=torch.tensor([[*range(-1, drafts - 1), -1]]),
        probs=torch_probs([*draft_rows, draft_rows[0]])[None],
    )
    rows = [*target.rows(ids, drafts + 1), target.row((*target.prompt, sibling))]
    paths, tokens = verifier().verify_tree(torch_logits(rows)[None], tree, Selector())
    return continued(tables, [*(nodes[node] for node in paths[0]), tokens[0]], length)
