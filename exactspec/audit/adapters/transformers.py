"""transformers: ``_speculative_sampling`` as a step; ``generate`` with an assistant model as a loop."""

from typing import Any

from exactspec.audit.adapters.toys.table_models import draft_of, target_of
from exactspec.audit.block import Block
from exactspec.audit.tables import Tables

PACKAGE = "transformers"
VERSIONS = ("5.24.0",)


def step(block: Block) -> Any:
    """One call of the function that accepts drafts and draws the next token."""
    from transformers.generation.utils import _speculative_sampling

    given = block.torch
    tokens, _ = _speculative_sampling(
        given.ids[None], given.draft_logits[None], block.draft_length, given.target_logits[None]
    )
    return tokens[0]


def sequences(tables: Tables, length: int, drafts: int) -> Any:
    """``generate`` with sampling; both models are made anew, for the library writes to them."""
    return generated(tables, length, drafts)


def generated(tables: Tables, length: int, drafts: int, **settings: Any) -> Any:
    """``generate`` with an assistant model, whose ``generation_config`` gets the settings."""
    from exactspec.audit.adapters.toys.transformers_models import toy

    assistant = toy(
        draft_of(tables), tables.size, tables.end, num_assistant_tokens=drafts, **settings
    )
    return sampled(tables, length, assistant_model=assistant)


def sampled(tables: Tables, length: int, of: Any = None, **options: Any) -> Any:
    """What ``generate`` samples behind the prompt, without any filter; ``of`` is the target's class."""
    import torch

    from exactspec.audit.adapters.toys.transformers_models import ToyModel, toy

    table = target_of(tables)
    prompt = torch.tensor([table.prompt])
    ids = toy(table, tables.size, tables.end, of or ToyModel).generate(
        prompt,
        do_sample=True,
        top_k=0,
        max_new_tokens=length,
        **options,
    )
    return ids[0, len(table.prompt) :]
