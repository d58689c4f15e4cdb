"""Toy models with the class names by which transformers chooses its generator for Gemma 4 assistants.

The target hands out its key states; the assistant reads the accepted tokens from them, the last token
from its embedding, and the tokens in between from the hidden state that it hands on to itself.
"""

from typing import Any

from transformers.utils import ModelOutput

from exactspec.audit.adapters.toys.table_models import TableModel, torch_logits
from exactspec.audit.adapters.toys.transformers_models import ToyConfig, ToyModel


class Gemma4Toy(ToyModel):
    """A target whose embedding of a token is its number."""

    def __init__(self, config: ToyConfig, table: TableModel) -> None:
        import torch

        super().__init__(config, table)
        self.embedding.weight.data[:, 0] = torch.arange(config.vocab_size)

    def forward(
        self,
        input_ids: Any = None,
        cache: Any = None,
        attention_mask: Any = None,
        position_ids: Any = None,
        **options: Any,
    ) -> Any:
        """The logits, with hidden states of zeros and the key states in the cache."""
        import torch

        output = super().forward(input_ids, cache, attention_mask, position_ids)
        output["hidden_states"] = (torch.zeros(1, input_ids.shape[1], self.config.hidden_size),)
        output["shared_kv_states"] = {"all": (cache.layers[0].keys, cache.layers[0].values)}
        return output


class Gemma4AssistantToy(ToyModel):
    """An assistant for it. A hidden state holds how many tokens came before the last one, and these."""

    def forward(self, **inputs: Any) -> Any:  # type: ignore[override]
        """Logits behind the last token, and the hidden state for the next one."""
        import torch

        accepted = inputs["shared_kv_states"]["all"][0].flatten().tolist()
        embedding, hidden = (half.tolist() for half in inputs["inputs_embeds"][0, 0].chunk(2))
        last, count = int(embedding[0]), int(hidden[0])
        between = [*map(int, hidden[1 : count + 1]), last]
        ids = [*accepted[: int(inputs["position_ids"])], *between]
        handed_on = torch.zeros(1, 1, self.config.hidden_size)
        handed_on[0, 0, : count + 2] = torch.tensor([count + 1, *between])
        logits = torch_logits([self.table.row(ids)])[None]
        return ModelOutput(logits=logits, last_hidden_state=handed_on)
