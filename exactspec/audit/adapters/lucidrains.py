"""speculative-decoding (lucidrains): the whole loop ``speculative_decoding``, with all tokens kept."""

from typing import Any

from exactspec.audit.adapters.toys.table_models import TableModel, draft_of, target_of
from exactspec.audit.tables import Tables

PACKAGE = "speculative-decoding"
VERSIONS = ("0.2.0",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop, for one sequence. It knows no end token: what follows one is cut off."""
    import torch
    from speculative_decoding import speculative_decoding

    target, draft = target_of(tables), draft_of(tables)
    tokens, _ = speculative_decoding(
        _network(target),
        _network(draft),
        torch.tensor([target.prompt]),
        len(target.prompt) + length,
        gamma=drafts,
        filter_thres=0.0,
    )
    return tokens[0]


def _network(model: TableModel) -> Any:
    """A model as the loop calls it: the whole sequence each time; its cache holds nothing."""

    def network(ids: Any, **options: Any) -> Any:
        import torch

        return model.logits(ids), (torch.zeros(1, 1, ids.shape[1], 1), None)

    return network
