"""Synthetic acceptance: a fixed rate in the place of the models' own, for benchmarks."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Broken, Chance
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="vLLM, rejection_sample_method='synthetic', PRs 38045 and 41035; AMD ATOM, "
    "--spec-decode-acceptance-length",
    acceptance="any drafted x with the fixed rate",
    edge_cases="p = q: a rejection emits no token (0/0); p(x) = 0: accepted with the rate, too",
)
def synthetic_acceptance(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    rate: Fraction = Fraction(7, 10),
) -> Round:
    """Accept each draft with one fixed rate, and correct the first rejection by [p - q]+ / β.

    It differs from the token rule in the coin, which looks at neither model. It violates "true
    proposal law": q is in the residual, and not in the acceptance. No bound on the law is known;
    a token of target probability 0 can pass. Where p = q a rejection has no residual, and the
    outcome is no token.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, _ in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(rate):
            corrected = Broken("0/0") if p == q else chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
