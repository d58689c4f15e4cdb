"""The token rule on a greedy draft that is verified as if it had been sampled."""

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="the drafted x = argmax q with min(1, p(x)/q(x))",
    seen_in="jaymody/speculative-sampling issue 3, fixed; transformers issue 47932 (one of its "
    "generators); llama.cpp examples/speculative at temperature > 0",
)
def argmax_draft_with_soft_q(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draft the most probable token, and verify it with the draft's soft probabilities.

    The right rule verifies a greedy draft with q one-hot: accept with p(x), else draw from p
    without x. It violates "true proposal law": the drafted token does not follow the q of ratio
    and residual.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        best = Distribution.one_hot(argmax(draft(context + drafted)))
        drafted = (*drafted, chance.draw(best, "draft"))
    laws = [draft(context + drafted[:i]) for i in range(len(drafted))]
    return token_by_token(chance, target, context, drafted, laws)
