"""Dropping a drafted token by its own confidence, with the residual that repairs it."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum, positive_part
from exactspec.rule import Round, algorithm


@algorithm(
    paper="our own formulation: the token rule for a draft law of mass less than 1",
    lossless_when="a dropped token is corrected by [p - q 1(q >= τ)]+, not by p or [p - q]+",
    acceptance="a drafted x with min(1, p(x)/q(x)) if q(x) >= τ, so the sum of min(p, q) over "
    "these tokens",
    edge_cases="no q(x) reaches τ: all are dropped, corrected by p; p = q: only what is dropped "
    "is corrected; p(x) = 0: rejected surely",
)
def dropped_token_repaired(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """Drop a drafted token x with q(x) below τ, and all behind it; correct it by [p - q 1(q >= τ)]+.

    A token that is kept and rejected is corrected by the same law.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        p, q = target(context + drafted), draft(context + drafted)
        kept = {x: weight for x, weight in q.possible() if weight >= threshold}
        token = chance.draw(q, "draft")
        if token not in kept or not chance.accept(minimum(1, p[token] / q[token])):
            left = {x: positive_part(w - kept.get(x, 0)) for x, w in p.possible()}
            corrected = chance.draw(Distribution.normalised(left), "residual")
            return Round((*drafted, corrected), accepted=len(drafted))
        drafted = (*drafted, token)
    return all_accepted(chance, target, context, drafted)
