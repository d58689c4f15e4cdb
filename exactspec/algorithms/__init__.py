"""The catalogue: one file, one rule of the field; lossless ones, lossy ones and mistakes kept apart."""

import importlib
from collections.abc import Iterator, Mapping

from exactspec.rule import Algorithm

LOSSLESS = (
    "token_level",
    "block_verification",
    "greedy_block_verification",
    "sampler_match",
    "one_hot_draft",
    "draft_as_one_hot",
    "greedy_match",
    "recursive_rejection_with_replacement",
    "recursive_rejection_without_replacement",
    "k_seq",
    "naive_multi_draft",
    "target_only_coin",
    "dynamic_tree",
    "canonical_decomposition",
    "spec_hub",
    "greedy_drafting",
    "gumbel_coupling",
    "staged",
    "parallel_drafter",
    "stop_before_drawing",
    "stop_after_keeping",
    "stop_by_target",
    "length_by_history",
    "redraw_until_confident",
    "dropped_token_repaired",
    "common_cut",
    "warped_draft",
    "warped_target",
)
LOSSY = (
    "lenience",
    "lenience_with_plain_residual",
    "typical_acceptance",
    "threshold_acc",
    "threshold_single",
    "relaxed_acceptance",
    "fuzzy",
    "judge",
    "synthetic_acceptance",
    "no_coin",
)
MISTAKES = (
    "target_instead_of_residual",
    "argmax_draft_with_soft_q",
    "processed_draft_with_raw_q",
    "second_sample",
    "one_uniform_for_all_positions",
    "block_with_token_residual",
    "block_with_w_for_every_coin",
    "block_that_stops_at_the_first_no",
    "staged_with_small_q",
    "draft_noise_reused",
    "unconfident_draft_dropped",
    "improbable_draft_dropped",
    "redrawn_until_confident_with_raw_q",
    "admitted_by_the_next_position",
    "likelier_of_two_with_plain_q",
    "duplicates_without_residual_update",
    "target_coin_with_duplicates",
    "top_k_tree_with_soft_q",
)
_FOLDERS = {
    **dict.fromkeys(LOSSLESS, "exactspec.algorithms"),
    **dict.fromkeys(LOSSY, "exactspec.algorithms.lossy"),
    **dict.fromkeys(MISTAKES, "exactspec.algorithms.mistakes"),
}


class Catalogue(Mapping[str, Algorithm]):
    """All rules by name, each imported when it is first asked for."""

    def __getitem__(self, name: str) -> Algorithm:
        module = importlib.import_module(f"{_FOLDERS[name]}.{name}")
        rule = getattr(module, name)
        assert isinstance(rule, Algorithm)
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(_FOLDERS)

    def __len__(self) -> int:
        return len(_FOLDERS)


CATALOGUE = Catalogue()
