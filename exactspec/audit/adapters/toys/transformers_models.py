"""Language models for transformers' ``generate`` that answer from tables.

Their key states are the tokens themselves, kept in the library's own cache: a cache that is cropped
wrongly shows as another prefix.
"""

from collections.abc import Hashable, Iterator
from typing import Any

from transformers import GenerationMixin, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutputWithPast

from exactspec.audit.adapters.toys.table_models import TableModel, torch_logits
from exactspec.audit.tables import Ids
from exactspec.audit.world import boundary

_WIDTH = 8
_PLAIN = bool | int | float | str


class ToyConfig(PreTrainedConfig):
    """The sizes that caches and embeddings are made of."""

    model_type = "exactspec_toy"

    def __init__(self, vocab_size: int = 3, **options: Any) -> None:
        super().__init__(**options)
        self.vocab_size = vocab_size
        self.num_hidden_layers = self.num_attention_heads = 1
        self.hidden_size = _WIDTH


class ToyModel(PreTrainedModel, GenerationMixin):
    """A model without weights."""

    config_class = ToyConfig
    main_input_name = "input_ids"

    def __init__(self, config: ToyConfig, table: TableModel) -> None:
        import torch

        super().__init__(config)
        self.table = table
        zeros = torch.zeros(config.vocab_size, _WIDTH)
        self.embedding = torch.nn.Embedding(config.vocab_size, _WIDTH, _weight=zeros)
        self.post_init()

    def _init_weights(self, module: Any) -> None:
        """There are none."""

    def get_input_embeddings(self) -> Any:
        """A parameter, so that the model has a device."""
        return self.embedding

    def forward(
        self,
        input_ids: Any = None,
        cache: Any = None,
        attention_mask: Any = None,
        position_ids: Any = None,
        **options: Any,
    ) -> Any:
        """Logits after each token of the input, which follows those in the cache."""
        tokens = input_ids[:, None, :, None]
        if cache is not None:
            tokens, _ = cache.update(tokens, tokens, 0)
        _check_places(tokens.shape[2], input_ids.shape[1], attention_mask, position_ids)
        rows = self.table.rows(tokens.flatten().tolist(), input_ids.shape[1])
        return CausalLMOutputWithPast(logits=torch_logits(rows)[None], cache=cache)

    def _get_candidate_generator(self, *arguments: Any, **options: Any) -> Any:
        """The library's generator of drafts; each of its rounds begins with a boundary."""
        generator = super()._get_candidate_generator(*arguments, **options)
        get_candidates, cache = generator.get_candidates, options["model_kwargs"]["cache"]

        def from_a_boundary(input_ids: Any, **inputs: Any) -> Any:
            last_matches = inputs.get("n_last_matches")
            ids = tuple(input_ids[0].tolist())
            boundary(ids, tokens_in(cache), last_matches, tuple(remembered(generator)))
            return get_candidates(input_ids, **inputs)

        generator.get_candidates = from_a_boundary
        return generator


def _check_places(length: int, new: int, mask: Any, positions: Any) -> None:
    """The mask is of the cache and the new tokens; these are numbered as they follow."""
    if mask is not None and mask.tolist() != [[1] * length]:
        raise ValueError(f"the attention mask {mask.tolist()} for {length} tokens")
    if positions is not None and positions.tolist() != [list(range(length - new, length))]:
        raise ValueError(f"{new} tokens of {length} at positions {positions.tolist()}")


def tokens_in(cache: Any) -> Ids | None:
    """The tokens that a cache of a toy model holds."""
    if cache is None or not cache.get_seq_length():
        return None
    return tuple(cache.layers[0].keys.flatten().tolist())


def remembered(generator: Any) -> Iterator[Hashable]:
    """What a generator of drafts keeps from round to round: numbers, the settings it writes to, its cache."""
    for name, value in sorted(vars(generator).items()):
        if isinstance(value, _PLAIN):
            yield name, value
        elif isinstance(value, list) and all(isinstance(each, _PLAIN) for each in value):
            yield name, tuple(value)
        elif name.endswith("generation_config"):
            yield name, value.num_assistant_tokens, value.assistant_confidence_threshold
    options = getattr(generator, "assistant_kwargs", {})
    yield tokens_in(options.get("cache"))
    yield from ((name, tuple(v.shape)) for name, v in options.items() if hasattr(v, "shape"))


def toy(
    table: TableModel, size: int, end: int | None, of: type[ToyModel] = ToyModel, **settings: Any
) -> Any:
    """A model with an end token, and settings of its ``generation_config``."""
    model = of(ToyConfig(vocab_size=size), table).train(False)
    plain = {"num_assistant_tokens_schedule": "constant", "assistant_confidence_threshold": 0.0}
    # padding is no token of the tables: the library takes it for masked
    ends = {"eos_token_id": end, "pad_token_id": size}
    model.generation_config.update(**{**plain, **ends, **settings})
    return model
