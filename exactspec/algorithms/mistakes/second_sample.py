"""Sampler match that compares with one sample of the target and emits another."""

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="the rule of llama.cpp's speculative examples, with one mistake",
    acceptance="a drafted x with p(x), so the sum of p q",
    seen_in="claimed of sampler match in mlx-swift-lm PR 459; true only of this rule, which "
    "throws the compared sample away",
)
def second_sample(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draw from the target, and where the draft is another token, draw from the target again.

    The right rule emits the sample that was compared. It violates "no second chance": the first
    sample is thrown away exactly where it was not the draft, which favours the draft.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p = target(context + drafted[:i])
        if chance.draw(p, "compared") != token:
            return Round((*drafted[:i], chance.draw(p, "emitted")), accepted=i)
    return all_accepted(chance, target, context, drafted)
