"""transformers: ``generate`` with an assistant that stops drafting behind a token it holds unlikely."""

from typing import Any

from exactspec.audit.adapters.transformers import PACKAGE, VERSIONS, generated
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop with ``assistant_confidence_threshold`` 0.4, the library's own default."""
    return generated(tables, length, drafts, assistant_confidence_threshold=0.4)
