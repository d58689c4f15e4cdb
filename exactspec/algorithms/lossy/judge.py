"""Judge decoding: a draft passes if a judge finds it fine, whatever the target says."""

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Bachmann et al. 2025, Judge Decoding: Faster Speculative Sampling Requires Going "
    "Beyond Model Alignment, 2501.19309",
    acceptance="a drafted x surely if it is fine, else with min(1, p(x)/q(x))",
    edge_cases="p(x) = 0: accepted if it is fine",
)
def judge(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    fine: tuple[Token, ...] = ("b",),
) -> Round:
    """Accept a drafted token if the judge says that it is fine, or the token rule accepts it.

    It differs from the token rule in the judge, a trained classifier in the paper and here a list
    of tokens that are always fine. It violates "no second chance": what the coin would have
    rejected is kept. No bound on the law is known; a token of target probability 0 can pass.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if token not in fine and not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return all_accepted(chance, target, context, drafted)
