"""litgpt: ``speculative_decoding``, a round with its own drafts, continued by the target."""

from collections.abc import Sequence
from typing import Any

from exactspec.audit.adapters.toys.table_models import (
    TableModel,
    continued,
    draft_of,
    target_of,
    torch_logits,
)
from exactspec.audit.tables import Tables

PACKAGE = "litgpt"
VERSIONS = ("0.5.13",)


class _Model:
    """A model as litgpt calls it; its cache holds the tokens by their positions."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._cache = dict(enumerate(model.prompt))

    def __call__(self, idx: Any, input_pos: Any, input_pos_maxp1: int) -> Any:
        positions = input_pos.tolist()
        self._cache.update(zip(positions, idx[0].tolist(), strict=True))
        return torch_logits([self._model.row(self._seen(end)) for end in positions])[None]

    def _seen(self, end: int) -> Sequence[int]:
        return [self._cache[position] for position in range(end + 1)]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round without filters."""
    return continued(tables, block_of(tables, drafts), length)


def block_of(tables: Tables, drafts: int, **filters: Any) -> Sequence[int]:
    """What one round emits; ``filters`` are those of litgpt: temperature, top_k, top_p."""
    import torch
    from litgpt.generate.speculative_decoding import speculative_decoding

    target, draft = target_of(tables), draft_of(tables)
    end = len(target.prompt)
    tokens = speculative_decoding(
        _Model(draft),
        _Model(target),
        torch.tensor([target.prompt[-1]]),
        torch.tensor([end - 1]),
        end,
        drafts,
        **filters,
    )
    return tokens.tolist()  # type: ignore[no-any-return]
