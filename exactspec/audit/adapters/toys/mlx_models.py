"""A model of mlx-lm's whose answers are a table's, and whose past lies in its key-value cache."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
from mlx import nn
from mlx_lm.models.cache import KVCache

from exactspec.audit.sources.from_mlx import logits
from exactspec.audit.tables import Ids, Row


class Toy(nn.Module):
    """A model of one layer; the keys in its cache are the token ids. The first one only begins."""

    def __init__(self, row: Callable[[Ids], Row]) -> None:
        super().__init__()
        self.row = row
        self.layers = [None]

    def make_cache(self) -> list[Any]:
        """An empty cache for the layer."""
        return [KVCache()]

    def __call__(self, tokens: Any, cache: Any = None) -> Any:
        """The logits behind each of the new tokens."""
        keys = tokens.astype(mx.float32)[:, None, :, None]
        keys, _ = cache[0].update_and_fetch(keys, keys)
        past = tuple(int(token) for token in keys[0, 0, :, 0].tolist())
        ends = range(len(past) - tokens.shape[1] + 1, len(past) + 1)
        return logits([self.row(past[1:end]) for end in ends])[None]
