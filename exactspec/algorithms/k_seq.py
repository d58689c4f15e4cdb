"""k-SEQ: candidates judged one after another, all by the same scaled ratio."""

from exactspec.algorithms.candidates import Row, down_the_tree, scale_of_k_seq, with_replacement
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Sun et al. 2023, SpecTr, 2310.15141, algorithm 2",
    lossless_when="ρ is large enough: 1 - (1-β)^K <= ρβ; ρ = K always is",
    acceptance="a candidate x with min(1, p(x)/(ρ q(x))), so 1 - (1-β)^K, β the sum of min(q, p/ρ)",
    edge_cases="disjoint rows: β = 0, corrected by p; p = q: accepted with 1 - (1 - 1/ρ)^K, "
    "corrected by p; q(x) = 0 < p(x): only as correction or bonus",
)
def k_seq(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
    bisections: int = 0,
) -> Round:
    """Accept the first of K independent candidates that passes min(1, p/(ρq)); correct by the rest.

    ρ is K, or with ``bisections`` a smaller valid one at each node: the least valid ρ is algebraic,
    and is approached from above by halving [1, K] so many times.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        rho = scale_of_k_seq(p, q, candidates, bisections)
        m = q.reweighted(lambda x: minimum(q[x], p[x] / rho))
        for token, _ in with_replacement(chance, q, candidates):
            if chance.accept(m[token] / q[token]):
                return token, True
        times = sum((1 - m.total) ** k for k in range(candidates))
        left = p.reweighted(lambda x: p[x] - m[x] * times)
        return chance.draw(Distribution.normalised(left), "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
