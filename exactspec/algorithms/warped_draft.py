"""A draft with a sampling setting of its own: temperature, top-k, top-p."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token, warped
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, section 2.2 (standardised sampling), for the draft alone",
    lossless_when="the warped draft law is the one in the ratio and the residual",
    acceptance="a drafted x with min(1, p(x)/q'(x)), q' the warped draft law, so the sum of "
    "min(p, q')",
    edge_cases="p = q': nothing is rejected; q'(x) = 0 < p(x): only as residual or bonus; "
    "p(x) = 0: rejected surely",
)
def warped_draft(
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
    """Draft at a temperature and from the top tokens, and verify by the token rule with that law.

    The steps are temperature, top-k, top-p, in this order; the temperature is 1 over
    ``inverse_temperature``.
    """
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < draft_length and not draft.ends(drafted):
        laws.append(warped(draft(context + drafted), inverse_temperature, top_k, top_p))
        drafted = (*drafted, chance.draw(laws[-1], "draft"))
    return token_by_token(chance, target, context, drafted, laws)
