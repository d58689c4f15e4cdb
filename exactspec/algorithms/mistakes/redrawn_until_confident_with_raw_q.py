"""The token rule on drafts redrawn until the drafter is confident."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="the x that stays with min(1, p(x)/q(x)), q the law of the first draw",
    edge_cases="no q(x) reaches τ: x is drawn from q, as is right",
    seen_in="nowhere that we know of; a variant that suggests itself",
)
def redrawn_until_confident_with_raw_q(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """Redraw each draft until q(x) >= τ, where any token has that, and verify it with q.

    The right rule verifies with the law of the token that stays: q of the confident tokens,
    normalised. It violates "true proposal law": q is the law of the first draw, not of the last.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        q = draft(context + drafted)
        confident = {x: weight for x, weight in q.items() if weight >= threshold}
        redrawn = Distribution.normalised(confident) if confident else q
        drafted = (*drafted, chance.draw(redrawn, "draft"))
    laws = [draft(context + drafted[:i]) for i in range(len(drafted))]
    return token_by_token(chance, target, context, drafted, laws)
