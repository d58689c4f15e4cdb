"""The target-only coin whose running sum is divided by a threshold."""

from fractions import Fraction

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="SGLang, sgl-kernel/csrc/speculative/speculative_sampling.cuh (threshold_acc)",
    acceptance="a sibling where U < the running sum of p / acc, so min(1, p's mass on the "
    "siblings / acc)",
)
def threshold_acc(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
    acc: Fraction = Fraction(3, 4),
) -> Round:
    """Accept the first sibling at which a uniform number is below the running sum of p over acc.

    It differs from the target-only coin in the division: siblings are accepted more often than
    the target draws them. It violates "no second chance": the number stands for the target's own
    sample, which is thrown away where it lies between the sum and the sum over acc. Known bound:
    no context gives a token more than p / acc. With acc = 1 it is the target-only coin. Siblings
    are the draft's most probable tokens, the most probable first.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        siblings = sorted(q, key=lambda token: q[token], reverse=True)[:candidates]
        u, reached = chance.uniform(), Fraction(0)
        for token in siblings:
            reached += p[token]
            if u < reached / acc:
                return token, True
        left = Distribution.normalised({x: w for x, w in p.items() if x not in siblings})
        return chance.draw(left, "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
