"""eagle-llm: ``evaluate_posterior``, a chain of drafts at temperature 1/2.

The tables are the laws at that temperature: the target's logits are halves of their logarithms.
"""

from fractions import Fraction
from typing import Any

from exactspec.audit.adapters.eagle_llm import PACKAGE, VERSIONS, posterior
from exactspec.audit.arithmetic import square_root
from exactspec.audit.block import Block
from exactspec.audit.tables import Row

__all__ = ["PACKAGE", "VERSIONS", "step"]


def step(block: Block) -> Any:
    """One call; its caller draws the last token from the returned row, as the package does."""
    logits = block.torch.logits([_at_temperature_1(row) for row in block.target_rows])
    return posterior(block, logits, block.draft_rows, temperature=0.5)


def _at_temperature_1(row: Row) -> Row:
    """The law whose law at temperature 1/2 is a row: its square roots, normalised."""
    roots = [Fraction(square_root(weight / max(row))) for weight in row]
    return tuple(root / sum(roots) for root in roots)
