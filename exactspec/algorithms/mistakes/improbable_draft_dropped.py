"""The token rule that drops a draft which the target finds improbable."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="a drafted x with min(1, p(x)/q(x)) if p(x) >= τ, else never",
    seen_in="nowhere that we know of; a variant that suggests itself",
)
def improbable_draft_dropped(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """End the draft before a token with p(x) < τ, and draw from the target in its place.

    The right rule keeps the token and drafts no further. It violates "non-anticipating
    admission": whether x is verified depends on x. Looking at the target is harmless where the
    token stays.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if p[token] < threshold:
            return Round((*drafted[:i], chance.draw(p, "in place of the dropped")), accepted=i)
        if not chance.accept(minimum(1, p[token] / q[token])):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
