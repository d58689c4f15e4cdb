"""No coin: a draft passes exactly if the target finds it at least as probable."""

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="MAX (Modular), the documentation of its RejectionSampler; folklore",
    acceptance="a drafted x surely if p(x) >= q(x), else never, so q's mass on these tokens",
    edge_cases="p = q: nothing is rejected, the residual is never drawn",
)
def no_coin(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Accept a drafted token iff p(x) >= q(x), and correct the first rejection by [p - q]+ / β.

    It differs from the token rule where p(x) < q(x): the coin, which accepts there with p/q,
    never does. It violates "fresh randomness": there is none. No bound on the law is known: a
    token with p(x) < q(x) is emitted as a bonus only. One of target probability 0 is never
    accepted.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if p[token] < q[token]:
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return all_accepted(chance, target, context, drafted)
