"""Greedy drafting: all candidates but one are fixed, so that the sampled one is a draft like any other."""

from exactspec.algorithms.candidates import Row, down_the_tree, recursive_rejection
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import top_k


@algorithm(
    paper="Hu et al. 2025, Towards Optimal Multi-Draft Speculative Decoding, 2502.18779",
    lossless_when="always: the sampled candidate is judged by the law it was drawn from",
    acceptance="the sampled x with min(1, p(x)/q'(x)), q' = q without the fixed tokens F, or a "
    "correction in F, so p(F) + the sum of min(p, q')",
    edge_cases="K = 1: the token rule; q gives tokens of F only: the target's sample is looked up "
    "in F; p(x) = 0: rejected surely",
)
def greedy_drafting(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
) -> Round:
    """Fix the draft's K - 1 most probable tokens, sample one of the others, and judge that one alone.

    A correction that is one of the fixed tokens counts as accepted: it is in the tree, too. No rule
    accepts more with these candidates.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        fixed = list(top_k(q, candidates - 1)) if candidates > 1 else []
        others = q.reweighted(lambda x: 0 if x in fixed else q[x])
        if others.total == 0:
            sampled = chance.draw(p, "target")
            return sampled, sampled in fixed
        law = Distribution.normalised(others)
        token, accepted = recursive_rejection(chance, p, [(chance.draw(law, "draft"), law)])
        return token, accepted or token in fixed

    return down_the_tree(chance, target, draft, context, draft_length, step)
