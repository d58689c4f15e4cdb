"""Greedy decoding with a greedy draft: temperature 0 on both sides."""

from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax

Row = Distribution[Token]


def _greedy(p: Row, q: Row) -> Row:
    return Distribution.one_hot(argmax(p))


@algorithm(
    paper="Stern, Shazeer, Uszkoreit 2018, Blockwise Parallel Decoding, 1811.03115",
    lossless_when="measured against the target at temperature 0, ties broken alike everywhere",
    acceptance="the drafted argmax of q surely where it is the argmax of p, else never",
    edge_cases="p = q: nothing is rejected; equal weights: the vocabulary's first token on both "
    "sides; p(x) = 0: never emitted",
    wanted=_greedy,
)
def greedy_match(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Emit the target's most probable tokens, and go on as long as each is the drafted one.

    The draft is the draft model's own argmax. The promised law is that of the target at temperature
    0; of equally probable tokens the vocabulary's first one is taken on both sides.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        law = Distribution.one_hot(argmax(draft(context + drafted)))
        drafted = (*drafted, chance.draw(law, "draft"))
    for i, token in enumerate(drafted):
        best = argmax(target(context + drafted[:i]))
        if best != token:
            return Round((*drafted[:i], best), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    return Round((*drafted, argmax(target(context + drafted))), accepted=len(drafted))
