"""The target-only coin on siblings that may be the same token twice."""

from fractions import Fraction

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="SGLang, sgl-kernel/csrc/speculative/speculative_sampling.cuh, on a tree that it is "
    "not made for",
    acceptance="a sibling where U < the running sum of p",
    edge_cases="a duplicate: its p is added again, so that the sum can pass 1",
    seen_in="the precondition of SGLang's tree kernel, whose own trees have distinct siblings",
)
def target_coin_with_duplicates(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Accept the first sibling at which a uniform number is below the running sum of p.

    The right rule merges equal siblings first, so that each p is added once. It violates "no
    second chance": a token that the number has passed over is offered again, with its p counted
    twice.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        siblings = [chance.draw(q, "draft") for _ in range(candidates)]
        u, reached = chance.uniform(), Fraction(0)
        for token in siblings:
            reached += p[token]
            if u < reached:
                return token, True
        left = Distribution.normalised({x: w for x, w in p.items() if x not in siblings})
        return chance.draw(left, "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
