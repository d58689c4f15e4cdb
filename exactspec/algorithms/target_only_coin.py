"""SGLang's tree kernel: one uniform number for all siblings of a node, and no draft law."""

from fractions import Fraction

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import top_k


@algorithm(
    paper="SGLang, sgl-kernel/csrc/speculative/speculative_sampling.cuh (thresholds 1)",
    lossless_when="the siblings are distinct, and the last draw has a number of its own",
    acceptance="a sibling x with p(x), so p's mass on the siblings",
    edge_cases="all of p on the siblings: accepted surely, no correction is drawn; p(x) = 0: "
    "never accepted; q gives fewer tokens than candidates: so many siblings",
)
def target_only_coin(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Accept the first sibling at which one uniform number is below the running sum of p.

    The siblings are the draft's most probable tokens. Where the number is above all of p's mass on
    them, a token is drawn from p without them.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        siblings = list(top_k(q, candidates))
        u, reached = chance.uniform(), Fraction(0)
        for token in siblings:
            reached += p[token]
            if u < reached:
                return token, True
        left = p.reweighted(lambda x: 0 if x in siblings else p[x])
        return chance.draw(Distribution.normalised(left), "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
