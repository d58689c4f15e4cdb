"""Recursive rejection on the draft's most probable tokens, tested as if sampled."""

from exactspec.algorithms.candidates import Row, down_the_tree, recursive_rejection
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Miao et al. 2024, SpecInfer, 2305.09781, algorithm 2, with one mistake",
    acceptance="a top-k candidate x with min(1, r(x)/q(x)), r the residual of the rejected ones",
    seen_in="the worry of EAGLE issue 221 (EAGLE-2 itself tests with q = 1, which is right); "
    "llama.cpp examples/speculative at temperature > 0",
)
def top_k_tree_with_soft_q(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Try the top k of the draft from the most probable on, with the draft's soft probabilities.

    The right rule tests candidates that are fixed by the table with q one-hot: accept with r(x),
    else take x out of r. It violates "true proposal law": the candidates do not follow the q of
    ratio and residual.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        likeliest = sorted(q, key=lambda token: q[token], reverse=True)[:candidates]
        return recursive_rejection(chance, p, [(token, q) for token in likeliest])

    return down_the_tree(chance, target, draft, context, draft_length, step)
