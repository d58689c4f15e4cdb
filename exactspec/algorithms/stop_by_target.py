"""Adaptive draft length: the draft ends behind a token that the target finds improbable."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="our own formulation: looking at the target is harmless where the token stays",
    lossless_when="the token that ends the draft is kept, and verified",
    acceptance="a drafted x with min(1, p(x)/q(x)), so the sum of min(p, q) at each position that "
    "is drafted",
    edge_cases="the token that ends the draft: judged as any, then the bonus; p = q: nothing is "
    "rejected; p(x) = 0: rejected surely",
)
def stop_by_target(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """Draft up to and with the first token x whose p(x) is below a threshold; then the token rule."""
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < draft_length and not draft.ends(drafted):
        p, q = target(context + drafted), draft(context + drafted)
        laws.append(q)
        drafted = (*drafted, chance.draw(q, "draft"))
        if p[drafted[-1]] < threshold:
            break
    return token_by_token(chance, target, context, drafted, laws)
