"""A request with a sampling setting: the wanted law is the warped target."""

from fractions import Fraction
from typing import Any

from exactspec.algorithms.one_path import warped
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution, residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens

Row = Distribution[Token]


def _wanted(p: Row, q: Row, **options: Any) -> Row:
    return warped(p, **options)


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, section 2.2 (standardised sampling)",
    lossless_when="measured against the warped target, which is also the law of the bonus token",
    acceptance="a drafted x with min(1, p'(x)/q(x)), p' the warped target, so the sum of min(p', "
    "q)",
    edge_cases="p' = q: nothing is rejected; q(x) = 0 < p'(x): only as residual or bonus; "
    "p'(x) = 0 < p(x): never emitted",
    wanted=_wanted,
)
def warped_target(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    inverse_temperature: int = 2,
    top_k: int | None = None,
    top_p: Fraction | None = None,
) -> Round:
    """The token rule with the target at a temperature and cut to its top tokens; the draft as it is.

    The steps are temperature, top-k, top-p, in this order; the temperature is 1 over
    ``inverse_temperature``. The promised law is the warped target's.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        q = draft(context + drafted[:i])
        p = warped(target(context + drafted[:i]), inverse_temperature, top_k, top_p)
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    p = warped(target(context + drafted), inverse_temperature, top_k, top_p)
    return Round((*drafted, chance.draw(p, "bonus")), accepted=len(drafted))
