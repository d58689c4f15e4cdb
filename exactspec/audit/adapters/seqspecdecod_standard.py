"""sequential-speculative-decoding: ``standard_speculative_step``, a round with its own drafts, continued by the target."""

from typing import Any

from exactspec.audit.adapters.toys.seqspecdecod import round_of
from exactspec.audit.tables import Tables

PACKAGE = "sequential-speculative-decoding"
VERSIONS = ("0.1.1",)


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """One round."""
    from seqspecdecod.standard_sd import standard_speculative_step

    return round_of(standard_speculative_step, tables, length, drafts)
