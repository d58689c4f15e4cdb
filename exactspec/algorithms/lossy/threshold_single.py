"""The target-only coin that also accepts what is probable enough by itself."""

from fractions import Fraction

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="SGLang, sgl-kernel/csrc/speculative/speculative_sampling.cuh (threshold_single)",
    acceptance="a sibling x where U < the running sum of p, and surely where p(x) >= single",
)
def threshold_single(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
    single: Fraction = Fraction(1, 2),
) -> Round:
    """Accept a sibling by the target-only coin, or where p(x) is at least a threshold.

    It differs from the target-only coin in that second way to be accepted. It violates "no second
    chance": a token that the number has passed over is accepted nevertheless. No bound on the law
    is known; a token of target probability 0 is never accepted. Siblings are the draft's most
    probable tokens, the most probable first; their order matters.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        siblings = sorted(q, key=lambda token: q[token], reverse=True)[:candidates]
        u, reached = chance.uniform(), Fraction(0)
        for token in siblings:
            reached += p[token]
            if u < reached or p[token] >= single:
                return token, True
        left = Distribution.normalised({x: w for x, w in p.items() if x not in siblings})
        return chance.draw(left, "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
