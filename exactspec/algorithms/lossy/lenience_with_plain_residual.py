"""Lenience with the residual of the token rule."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, appendix on lenience",
    acceptance="a drafted x with min(1, p(x)/(l q(x))), so the sum of min(p/l, q)",
)
def lenience_with_plain_residual(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    lenience: Fraction = Fraction(1, 2),
) -> Round:
    """Accept with min(1, p / (l q)), and correct the first rejection by [p - q]+ / β.

    It differs from ``lenience`` in the residual, and from the token rule in the acceptance alone.
    It violates "true proposal law": the l q of the ratio is no law that drafts follow. Known
    bound: no context gives a token more than p / l.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / (lenience * q[token]))):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
