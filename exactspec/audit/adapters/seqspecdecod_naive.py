"""sequential-speculative-decoding: ``naive_hsd_step``, a round with its own drafts, continued by the target."""

from typing import Any

from exactspec.audit.adapters.toys.seqspecdecod import round_of
from exactspec.audit.tables import Tables

PACKAGE = "sequential-speculative-decoding"
VERSIONS = ("0.1.1",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round."""
    from seqspecdecod.naive_hsd import naive_hsd_step

    return round_of(naive_hsd_step, tables, length, drafts)
