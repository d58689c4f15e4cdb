"""The token rule that drops a sampled draft in which the drafter has little confidence."""

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
    acceptance="a drafted x with min(1, p(x)/q(x)) if q(x) >= τ, else never",
    seen_in="a question to ask of vLLM PR 43522, which trims drafts; harmless where the drafts "
    "are greedy",
)
def unconfident_draft_dropped(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """End the draft before a token with q(x) < τ, and draw from the target in its place.

    The right rule keeps the token and drafts no further, or corrects by [p - q 1(q >= τ)]+. It
    violates "non-anticipating admission": whether x is verified depends on x. Tokens that are
    drafted with confidence get their chance as a draft, and a second one as the target's draw.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if q[token] < threshold:
            return Round((*drafted[:i], chance.draw(p, "in place of the dropped")), accepted=i)
        if not chance.accept(minimum(1, p[token] / q[token])):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
