"""Sampler match: the target samples by itself, and the draft only saves the calls that it foresaw."""

from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="the rule of llama.cpp's speculative examples; Xia et al. 2023 for greedy decoding",
    lossless_when="always, whatever the drafts: the target's own samples are emitted",
    acceptance="a drafted x with p(x), so the sum of p q for a sampled draft",
    edge_cases="p = q: accepted with the sum of p², not surely; p(x) = 1: accepted surely; "
    "p(x) = 0: never emitted",
)
def sampler_match(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Emit the target's own samples, and go on as long as each is the drafted token."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = chance.draw(target(context + drafted[:i]), "target")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
