"""transformers: ``generate`` with prompt lookup: drafts are copied from what stands before."""

from typing import Any

from exactspec.audit.adapters.transformers import PACKAGE, VERSIONS, sampled
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop; the draft's table is not asked."""
    return sampled(tables, length, prompt_lookup_num_tokens=drafts)
