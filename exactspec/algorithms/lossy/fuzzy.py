"""Fuzzy speculative decoding: where the two rows are close, the draft passes."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.distribution import residual, total_variation
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Holsman, Huang, Dhingra 2025, Fuzzy Speculative Decoding for a Tunable "
    "Accuracy-Runtime Tradeoff, 2502.20704",
    acceptance="a drafted x surely where TV(p, q) <= threshold, else with min(1, p(x)/q(x))",
    edge_cases="p(x) = 0: accepted where the rows are close",
)
def fuzzy(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(1, 4),
) -> Round:
    """Accept any draft where TV(p, q) is at most a threshold, and elsewhere by the token rule.

    It differs from the token rule where the rows are close: there the draft is emitted
    unverified. It violates "no second chance": what the coin would have rejected is kept. Known
    bound: the law of the next token is nowhere further from p than the threshold. A token of
    target probability 0 can pass. The paper proposes other divergences, too; total variation is a
    rational one.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        is_close = total_variation(p, q) <= threshold
        if not is_close and not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return all_accepted(chance, target, context, drafted)
