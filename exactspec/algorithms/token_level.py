"""Token-level verification, the rule that the field began with."""

from exactspec.chance import Chance
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, algorithm 1; Chen et al. 2023, algorithm 2",
    lossless_when="the drafted tokens are drawn from the q of ratio and residual",
    acceptance="a drafted x with min(1, p(x)/q(x)), so the sum of min(p, q) at each position",
    edge_cases="p = q: nothing is rejected, the residual is never drawn; q(x) = 0 < p(x): only as "
    "residual or bonus; p(x) = 0: rejected surely; an end token accepted: no bonus",
)
def token_level(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Accept drafted tokens one by one with min(1, p/q); correct the first rejection by [p - q]+ / β."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
