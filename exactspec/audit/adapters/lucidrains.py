"""speculative-decoding (lucidrains): the whole loop ``speculative_decoding``, with all tokens kept."""

from itertools import count
from typing import Any

from exactspec.audit.adapters.toys.table_models import TableModel, draft_of, target_of
from exactspec.audit.tables import Tables
from exactspec.audit.world import boundary

PACKAGE = "speculative-decoding"
VERSIONS = ("0.2.0",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop, for one sequence. It knows no end token: what follows one is cut off."""
    import torch
    from speculative_decoding import speculative_decoding

    target, draft = target_of(tables), draft_of(tables)
    tokens, _ = speculative_decoding(
        _network(target),
        _from_a_boundary(_network(draft), drafts),
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


def _from_a_boundary(network: Any, drafts: int) -> Any:
    """The draft's network: a round begins with its first call, and what follows hangs on the tokens alone."""
    calls = count()

    def called(ids: Any, **options: Any) -> Any:
        if next(calls) % drafts == 0:
            boundary(tuple(ids[0].tolist()))
        return network(ids, **options)

    return called
