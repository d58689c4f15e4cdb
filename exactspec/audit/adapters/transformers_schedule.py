"""transformers: ``generate`` with an assistant whose draft length follows the accepted drafts."""

from typing import Any

from exactspec.audit.adapters.transformers import PACKAGE, VERSIONS, generated
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop with ``num_assistant_tokens_schedule`` "heuristic"."""
    return generated(tables, length, drafts, num_assistant_tokens_schedule="heuristic")
