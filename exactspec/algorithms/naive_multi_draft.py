"""Naive multi-draft: the target samples, and its token is looked up among the candidates."""

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Svirschevski et al. 2024, SpecExec, 2406.02532; naive sampling in SpecInfer, 2305.09781",
    lossless_when="always, whatever the candidates",
    acceptance="the target's x if it is a candidate, so the sum of p(x) (1 - (1 - q(x))^K)",
    edge_cases="duplicates: count once; p = q: rejections remain; q(x) = 0 < p(x): ends the "
    "round; p(x) = 0: never emitted",
)
def naive_multi_draft(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Emit the target's own samples, and go on as long as each is among the candidates."""

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        drafted = [chance.draw(q, "draft") for _ in range(candidates)]
        sampled = chance.draw(p, "target")
        return sampled, sampled in drafted

    return down_the_tree(chance, target, draft, context, draft_length, step)
