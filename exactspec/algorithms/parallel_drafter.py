"""Parallel drafters: one head for each position, none of which sees the other drafted tokens."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Gloeckle et al. 2024, multi-token prediction, 2404.19737; DFlash, 2602.06036; PARD, "
    "2504.18583; P-EAGLE, 2602.01469",
    lossless_when="the ratio has the law of the head that each token was drawn from",
    acceptance="a drafted x with min(1, p(x)/h(x)), h the law of its head, so the sum of min(p, h)",
    edge_cases="h(x) > 0 = q(x): judged by h as any token; p = h: nothing is rejected; p(x) = 0: "
    "rejected surely; all paths have ended: no further heads",
)
def parallel_drafter(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draft each position by a head that sees the context only, and verify by the token rule.

    Head i has the law of the draft model's i-th token, given that it has not ended before: the most
    that such a head can learn from it. Our own formulation.
    """
    laws = heads(draft, context, draft_length)
    drafted: list[Token] = []
    for law in laws:
        if not draft.ends(drafted):
            drafted.append(chance.draw(law, "draft"))
    return token_by_token(chance, target, context, drafted, laws[: len(drafted)])


def heads(draft: Model, context: Context, count: int) -> list[Distribution[Token]]:
    """The laws of the draft model's next ``count`` tokens; fewer where it can't go on so long."""
    laws = []
    paths: dict[tuple[Token, ...], Fraction] = {(): Fraction(1)}
    for _ in range(count):
        going_on = [(path, mass) for path, mass in paths.items() if not draft.ends(path)]
        rows = [(path, mass, draft(context + path)) for path, mass in going_on]
        paths = {(*path, x): mass * w for path, mass, q in rows for x, w in q.items()}
        if paths:
            law: dict[Token, Fraction] = {}
            for path, mass in paths.items():
                law[path[-1]] = law.get(path[-1], Fraction(0)) + mass
            laws.append(Distribution.normalised(law))
    return laws
