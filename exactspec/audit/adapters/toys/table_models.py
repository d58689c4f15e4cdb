"""Table-driven models in the shapes that packages call: what they answer depends on all tokens so far."""

from collections.abc import Callable, Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from exactspec.audit.numbers import categorical
from exactspec.audit.tables import Ids, Row, Tables
from exactspec.audit.world import boundary

_BEGIN = 0


class TableModel:
    """A language model that answers from one of the tables.

    A package's prompt has at least one token. Where the tables' prompt is empty, a token is put before
    every sequence, and the tables are asked without it.
    """

    def __init__(self, tables: Tables, row_after: Callable[[Ids], Row]) -> None:
        self.prompt: Ids = tables.context or (_BEGIN,)
        self._added = len(self.prompt) - len(tables.context)
        self._row_after = row_after

    def row(self, ids: Sequence[int]) -> Row:
        """The probabilities after a sequence that begins with ``prompt``."""
        return self._row_after(tuple(ids)[self._added :])

    def rows(self, ids: Sequence[int], last: int | None = None) -> list[Row]:
        """The probabilities after each of the last tokens of a sequence; by default after each."""
        first = 0 if last is None else len(ids) - last
        return [self.row(ids[: end + 1]) for end in range(first, len(ids))]

    def logits(self, ids: Any, last: int | None = None) -> Any:
        """The logarithms of ``rows`` as a tensor of shape (1, tokens, vocabulary)."""
        sequence = ids[0].tolist() if hasattr(ids, "tolist") else list(ids)
        return torch_logits(self.rows(sequence, last))[None]

    def answer(self, ids: Any, **options: Any) -> Any:
        """What models of transformers answer: an object with ``logits``."""
        return SimpleNamespace(logits=self.logits(ids), past_key_values=None)


def torch_logits(rows: Sequence[Row]) -> Any:
    """Logarithms of rows as a tensor of shape (rows, vocabulary)."""
    return import_module("exactspec.audit.sources.from_torch").logits(rows, None)


def torch_probs(rows: Sequence[Row]) -> Any:
    """Rows of probabilities as a tensor of shape (rows, vocabulary)."""
    return import_module("exactspec.audit.sources.from_torch").probs(rows, None)


def target_of(tables: Tables) -> TableModel:
    """The target as a model."""
    return TableModel(tables, tables.target)


def draft_of(tables: Tables) -> TableModel:
    """The draft as a model."""
    return TableModel(tables, tables.draft)


def drawn(row: Row) -> int:
    """A token drawn from a row of probabilities."""
    return int(categorical(row, "draft").look())


def continued(tables: Tables, block: Sequence[Any], length: int) -> Ids:
    """What a round has emitted, continued by draws from the target to so many tokens."""
    ids = tables.up_to_end(tuple(map(int, block)))
    while len(ids) < length and (tables.end is None or tables.end not in ids):
        boundary(ids)
        ids = (*ids, int(categorical(tables.target(tables.context + ids), "target").look()))
    return ids
