"""specdec: ``SpecDecoder.verify``."""

from types import SimpleNamespace
from typing import Any

from exactspec.audit.block import Block

PACKAGE = "specdec"
VERSIONS = ("0.2.0",)


def step(block: Block) -> Any:
    """One call, of a decoder that is made without the models that its constructor would load."""
    import torch
    from specdec.decoder import SpecDecoder

    given = block.torch
    decoder = object.__new__(SpecDecoder)
    decoder.device = "cpu"
    decoder.big_model = lambda ids: SimpleNamespace(logits=_padded(given.target_logits, ids)[None])
    draft_rows = [row[None] for row in given.draft_probs]
    before = torch.tensor([block.context or (0,)])
    return decoder.verify(before, list(block.drafted), draft_rows)


def _padded(logits: Any, ids: Any) -> Any:
    """The rows of the block at the end of a sequence, whose first rows nobody reads."""
    import torch

    missing = ids.shape[1] - len(logits)
    return torch.cat([logits[:1]] * missing + [logits])
