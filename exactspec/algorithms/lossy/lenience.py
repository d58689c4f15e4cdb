"""Lenience: the token rule with the draft's probabilities scaled down."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum, positive_part
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, appendix on lenience",
    acceptance="a drafted x with min(1, p(x)/(l q(x))), so the sum of min(p/l, q)",
)
def lenience(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    lenience: Fraction = Fraction(1, 2),
) -> Round:
    """Accept with min(1, p / (l q)), and correct the first rejection by [p - l q]+.

    It differs from the token rule in l q in the place of q. It violates "true proposal law": l q
    is no law that drafts follow. Known bound: no context gives a token more than p / l. With l =
    1 it is the token rule.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / (lenience * q[token]))):
            over = {x: positive_part(p[x] - lenience * q[x]) for x in p}
            corrected = chance.draw(Distribution.normalised(over), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
