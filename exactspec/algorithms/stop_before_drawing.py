"""Adaptive draft length: no draft where the drafter is unsure of its next token."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax


@algorithm(
    paper="vLLM confidence_stop.py; AdaEDL; SVIP, 2411.18462; Kangaroo, 2404.18911",
    lossless_when="the stop depends on what comes before the token that it holds back",
    acceptance="a drafted x with min(1, p(x)/q(x)), so the sum of min(p, q) at each position that "
    "is drafted",
    edge_cases="max q below the threshold at once: no draft, one token of p; p = q: nothing is "
    "rejected; p(x) = 0: rejected surely; a draft cut short: the bonus follows it",
)
def stop_before_drawing(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """Draft as long as the draft's greatest probability reaches a threshold; then the token rule."""
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < draft_length and not draft.ends(drafted):
        q = draft(context + drafted)
        if q[argmax(q)] < threshold:
            break
        laws.append(q)
        drafted = (*drafted, chance.draw(q, "draft"))
    return token_by_token(chance, target, context, drafted, laws)
