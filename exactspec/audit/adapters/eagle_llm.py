"""eagle-llm: ``evaluate_posterior``, a chain of drafts at temperature 1."""

from typing import Any

from exactspec.audit.block import Block, Rows

PACKAGE = "eagle-llm"
VERSIONS = ("1.2.1",)


def step(block: Block) -> Any:
    """One call; its caller draws the last token from the returned row, as the package does."""
    return posterior(block, block.torch.target_logits, block.draft_rows, temperature=1.0)


def posterior(block: Block, target_logits: Any, draft_rows: Rows, temperature: float) -> Any:
    """A block verified at a temperature; the draft's rows are those that were drawn from."""
    import torch
    from eagle.model.utils import evaluate_posterior, prepare_logits_processor

    drafts, rows = block.draft_length, block.torch.probs(draft_rows)
    last = block.context[-1] if block.context else 0
    candidates = torch.tensor([[last, *block.drafted]])
    chosen = [rows[i, token][None] for i, token in enumerate(block.drafted)]
    _, accepted, probabilities = evaluate_posterior(
        target_logits[None],
        candidates,
        prepare_logits_processor(temperature=temperature),
        torch.cat([torch.ones(1), *chosen])[None],
        [row[None] for row in rows],
        [[0] * (drafts + 1)],
        candidates,
        [[[]] * (drafts + 1)],
    )
    return [*block.drafted[: int(accepted)], torch.multinomial(probabilities, 1)[0]]
