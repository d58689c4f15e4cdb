"""litgpt: ``speculative_decoding`` with ``top_p`` 0.95, which keeps all tokens of 1/16 and more.

So the tables are the laws of the request as long as no weight in them is smaller than that.
"""

from typing import Any

from exactspec.audit.adapters.litgpt import PACKAGE, VERSIONS, block_of
from exactspec.audit.adapters.toys.table_models import continued
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round with its own drafts, continued by the target."""
    return continued(tables, block_of(tables, drafts, top_p=0.95), length)
