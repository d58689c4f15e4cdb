"""Recursive rejection sampling with distinct candidates (RSD, Sequoia, EAGLE-1; RRSwo)."""

from exactspec.algorithms.candidates import (
    Row,
    down_the_tree,
    recursive_rejection,
    without_replacement,
)
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Jeon et al. 2024, Recursive Speculative Decoding, 2402.14160; Chen et al. 2024, Sequoia, "
    "2402.12374; Li et al. 2024, EAGLE, 2401.15077",
    lossless_when="the draft law is renormalised after each candidate",
    acceptance="a candidate x with min(1, r(x)/q(x)), r the residual and q the draft law after "
    "the rejections before it",
    edge_cases="p = q: the first candidate is accepted surely; q gives fewer tokens than "
    "candidates: all of them are tried; r(x) = 0: rejected surely",
)
def recursive_rejection_without_replacement(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Judge distinct candidates by the token rule, each against what the rejected ones have left.

    At each of ``draft_length`` levels, p is replaced by its residual after a rejection, and q by q
    without the candidate. Where q gives fewer tokens than ``candidates``, there are fewer.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        return recursive_rejection(chance, p, without_replacement(chance, q, candidates))

    return down_the_tree(chance, target, draft, context, draft_length, step)
