"""Relaxed acceptance: a greedy draft passes if it is nearly the target's best."""

from fractions import Fraction
from typing import Any

from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax


def _greedy_target(
    p: Distribution[Token], q: Distribution[Token], **options: Any
) -> Distribution[Token]:
    return Distribution.one_hot(argmax(p))


@algorithm(
    paper="TensorRT-LLM, tech blog 2 on DeepSeek-R1 and MTP; Stern et al. 2018, 1811.03115, for "
    "its criteria",
    acceptance="the drafted x surely if among the target's N best and p(x) >= max p - δ, else "
    "never",
    edge_cases="δ >= max p and fewer than N tokens in p: p(x) = 0 passes",
    wanted=_greedy_target,
)
def relaxed_acceptance(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    among: int = 3,
    delta: Fraction = Fraction(1, 3),
) -> Round:
    """Accept a drafted token among the N most probable of the target and within δ of the best one.

    The draft is greedy, and so is the target: on a mismatch its argmax is emitted, and what the
    rule comes near to is the target at temperature 0. It differs from greedy match, which accepts
    the argmax alone. It violates "no second chance": the target's own choice is thrown away. No
    bound on the law is known; with δ >= max p tokens of target probability 0 can pass. A token as
    probable as the N-th counts as one of the N.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        best = Distribution.one_hot(argmax(draft(context + drafted)))
        drafted = (*drafted, chance.draw(best, "draft"))
    for i, token in enumerate(drafted):
        p = target(context + drafted[:i])
        rank = sum(p[other] > p[token] for other in p)
        if rank >= among or p[token] < p[argmax(p)] - delta:
            return Round((*drafted[:i], argmax(p)), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    return Round((*drafted, argmax(target(context + drafted))), accepted=len(drafted))
