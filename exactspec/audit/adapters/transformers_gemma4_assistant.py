"""transformers: ``generate`` with an assistant of the Gemma 4 kind, which drafts from the target's states."""

from typing import Any

from exactspec.audit.adapters.toys.table_models import draft_of
from exactspec.audit.adapters.transformers import PACKAGE, VERSIONS, sampled
from exactspec.audit.tables import Tables

__all__ = ["PACKAGE", "VERSIONS", "sequences"]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """The loop. Loop, generator of drafts and verifier are the library's, chosen by the models' class names."""
    from exactspec.audit.adapters.toys.gemma4_models import (
        Gemma4AssistantToy,
        Gemma4Toy,
    )
    from exactspec.audit.adapters.toys.transformers_models import toy

    assistant = toy(
        draft_of(tables), tables.size, tables.end, Gemma4AssistantToy, num_assistant_tokens=drafts
    )
    return sampled(tables, length, of=Gemma4Toy, assistant_model=assistant)
