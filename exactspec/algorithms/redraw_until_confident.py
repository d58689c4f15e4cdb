"""Adaptive drafting: tokens that the drafter is unsure of are drawn again, and the law with them."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="our own formulation of a drafter that draws again until it is confident",
    lossless_when="the ratio has the law that redrawing leaves: q above the threshold, renormalised",
    acceptance="a drafted x with min(1, p(x)/q'(x)), q' the law that redrawing leaves, so the sum "
    "of min(p, q')",
    edge_cases="no q(x) reaches the threshold: q' = q; p = q': nothing is rejected; "
    "q'(x) = 0 < p(x): only as residual or bonus; p(x) = 0: rejected surely",
)
def redraw_until_confident(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """Draft from the tokens whose q(x) reaches a threshold, or from all if none does; then the token rule."""
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < draft_length and not draft.ends(drafted):
        q = draft(context + drafted)
        sure = {x: weight for x, weight in q.possible() if weight >= threshold}
        laws.append(Distribution.normalised(sure) if sure else q)
        drafted = (*drafted, chance.draw(laws[-1], "draft"))
    return token_by_token(chance, target, context, drafted, laws)
