"""What one verification step is given: a context, drafted tokens, and both models' rows.

The same block is read in the arrays of any library: ``block.torch``, ``block.numpy``, ``block.python``,
``block.mlx``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from exactspec.audit.tables import Ids, Row

Rows = tuple[Row, ...]


@dataclass(frozen=True)
class Block:
    """Drafted tokens with the rows that they were drawn from and are judged by.

    Args:
        context: token ids before the block.
        drafted: γ token ids, each drawn from its row of ``draft_rows``.
        draft_rows: the draft's γ rows of exact probabilities.
        target_rows: the target's γ + 1 rows; the last one is that of the bonus token.
        end: the id of the end token, or None.
    """

    context: Ids
    drafted: Ids
    draft_rows: Rows
    target_rows: Rows
    end: int | None = None

    @property
    def draft_length(self) -> int:
        """γ, the number of drafted tokens."""
        return len(self.drafted)

    @property
    def vocabulary_size(self) -> int:
        """How many tokens there are."""
        return len(self.target_rows[0])

    @cached_property
    def python(self) -> "Arrays":
        """The block in lists of numbers."""
        return Arrays(self, "random")

    @cached_property
    def numpy(self) -> "Arrays":
        """The block in NumPy arrays."""
        return Arrays(self, "numpy")

    @cached_property
    def torch(self) -> "Arrays":
        """The block in PyTorch tensors."""
        return Arrays(self, "torch")

    @cached_property
    def mlx(self) -> "Arrays":
        """The block in MLX arrays."""
        return Arrays(self, "mlx")


class Arrays:
    """A block in one library's arrays. Probabilities are exact there, or in float audits floats.

    ``dtype`` may be chosen for each: ``block.torch.with_dtype(torch.float64).draft_probs``.
    """

    def __init__(self, block: Block, library: str, dtype: Any = None) -> None:
        self._block, self._library, self._dtype = block, library, dtype
        self._source = import_module(f"exactspec.audit.sources.from_{library}")

    def with_dtype(self, dtype: Any) -> "Arrays":
        """The same with probabilities and logits of another type of float."""
        return Arrays(self._block, self._library, dtype)

    @property
    def ids(self) -> Any:
        """Context and drafted tokens, of shape (tokens,)."""
        return self._source.ids([*self._block.context, *self._block.drafted])

    @property
    def draft_ids(self) -> Any:
        """The drafted tokens, of shape (γ,)."""
        return self._source.ids(self._block.drafted)

    @property
    def draft_probs(self) -> Any:
        """The draft's rows, of shape (γ, vocabulary)."""
        return self.probs(self._block.draft_rows)

    @property
    def target_probs(self) -> Any:
        """The target's rows, of shape (γ + 1, vocabulary)."""
        return self.probs(self._block.target_rows)

    @property
    def draft_logits(self) -> Any:
        """The logarithms of the draft's rows, of shape (γ, vocabulary); that of 0 is minus infinity."""
        return self.logits(self._block.draft_rows)

    @property
    def target_logits(self) -> Any:
        """The logarithms of the target's rows, of shape (γ + 1, vocabulary)."""
        return self.logits(self._block.target_rows)

    def probs(self, rows: Sequence[Row]) -> Any:
        """Rows of probabilities."""
        return self._source.probs(rows, self._dtype)

    def logits(self, rows: Sequence[Row]) -> Any:
        """The logarithms of rows of probabilities."""
        return self._source.logits(rows, self._dtype)
