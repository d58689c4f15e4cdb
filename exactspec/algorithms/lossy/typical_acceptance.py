"""Typical acceptance: keep what is not too improbable for the target's entropy."""

from fractions import Fraction
from math import lcm, prod

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Cai et al. 2024, Medusa, 2401.10774, typical acceptance; medusa/model/utils.py",
    acceptance="a drafted x surely if p(x) > min(ε, δ exp(-H(p))), else never",
)
def typical_acceptance(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    epsilon: Fraction = Fraction(3, 10),
    delta: Fraction = Fraction(9, 100),
) -> Round:
    """Accept while p(x) > min(ε, δ exp(-H(p))), and otherwise draw from the target.

    It differs from the token rule in that no coin is tossed and q plays no part: a draft typical
    of the target is kept however often it is drafted, and a rejected one may come back from p. It
    violates "no second chance". No bound on the law is known; a token of target probability 0 is
    never accepted. H(p) is the entropy; exp(-H(p)), the product of all p^p, is compared exactly.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p = target(context + drafted[:i])
        is_typical = p[token] > epsilon or _exp_of_minus_entropy_is_below(p, p[token] / delta)
        if not is_typical:
            return Round((*drafted[:i], chance.draw(p, "from the target")), accepted=i)
    return all_accepted(chance, target, context, drafted)


def _exp_of_minus_entropy_is_below(p: Distribution[Token], bound: Fraction) -> bool:
    """Whether the product of all p^p is below a bound, by whole powers of both."""
    common = lcm(*(weight.denominator for _, weight in p.items()))
    return prod(weight ** int(weight * common) for _, weight in p.items()) < bound**common
