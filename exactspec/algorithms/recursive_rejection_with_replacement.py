"""Recursive rejection sampling with independent candidates (SpecInfer, RRSw)."""

from exactspec.algorithms.candidates import (
    Row,
    down_the_tree,
    recursive_rejection,
    with_replacement,
)
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Miao et al. 2024, SpecInfer, 2305.09781; Yang et al. 2024, Multi-Candidate Speculative "
    "Decoding, 2401.06706",
    lossless_when="the candidates are independent, each judged by the law it was drawn from",
    acceptance="a candidate x with min(1, r(x)/q(x)), so 1 - the product of all 1 - sum of min(r, "
    "q), r = p first and the residual after each rejection",
    edge_cases="r = q: accepted surely, no residual is drawn; a duplicate: r(x) = 0, rejected "
    "surely; disjoint rows: none is accepted, r stays p",
)
def recursive_rejection_with_replacement(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Judge independent candidates by the token rule, each against what the rejected ones have left.

    At each of ``draft_length`` levels, p is replaced by its residual [p - q]+ / β after every
    rejection. A candidate drawn a second time has nothing left, is rejected, and still takes its
    residual.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        return recursive_rejection(chance, p, with_replacement(chance, q, candidates))

    return down_the_tree(chance, target, draft, context, draft_length, step)
