"""Recursive rejection that skips a candidate drawn twice."""

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Miao et al. 2024, SpecInfer, 2305.09781, algorithm 2, with one mistake",
    acceptance="a candidate x with min(1, r(x)/q(x)), r the residual of the rejected ones",
    edge_cases="a duplicate: skipped, r stays as it is",
    seen_in="MasterGodzilla/Speculative_decoding_OT (SpecHub), mode RRS, a baseline there",
)
def duplicates_without_residual_update(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Try candidates drawn from q one after another, and skip one that was rejected before.

    The right rule takes a duplicate as a candidate like the others: it is rejected surely, and
    the residual is updated once more. It violates "true proposal law": the candidates that are
    tried are drawn from q without the rejected ones, and tested as if from q. Where every
    residual has one token only, the update changes nothing, and the rule is lossless.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        r = p
        rejected: list[Token] = []
        for _ in range(candidates):
            token = chance.draw(q, "draft")
            if token in rejected:
                continue
            if chance.accept(minimum(1, r[token] / q[token])):
                return token, True
            rejected.append(token)
            r = residual(r, q)
        return chance.draw(r, "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
