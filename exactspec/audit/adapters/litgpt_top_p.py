"""litgpt: ``speculative_decoding`` with ``top_p`` 0.99, which keeps every token of weight 1/100 or more."""

from typing import Any

from exactspec.audit.adapters.litgpt import PACKAGE, VERSIONS, block_of
from exactspec.audit.adapters.toys.table_models import continued
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round with its own drafts, continued by the target."""
    return continued(tables, block_of(tables, drafts, top_p=0.99), length)
