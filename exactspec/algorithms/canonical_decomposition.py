"""Canonical decomposition: select one candidate, then verify it as if it were the only draft."""

from typing import Literal

from exactspec.algorithms.candidates import Row, down_the_tree, recursive_rejection, selection
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Khisti et al. 2025, Multi-Draft Speculative Sampling: Canonical Decomposition, 2410.18234",
    lossless_when="the ratio has the law of the selected token, whatever selects it",
    acceptance="the selected x with min(1, p(x)/π(x)), π its law over all sets, or a correction "
    "that is a candidate",
    edge_cases="p = q: transport accepts surely; a set that gets no weight: selects evenly; "
    "p(x) = 0: rejected surely; disjoint rows: corrected by p",
)
def canonical_decomposition(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
    weights: Literal["transport", "ratio"] = "transport",
) -> Round:
    """Select one of the candidates, and accept it by the token rule with the law of the selected token.

    A set of independent candidates selects by an optimal ``transport`` plan (as much as any rule can
    is accepted then), or, with ``weights: ratio``, in proportion to p/q. A correction that is one of
    the candidates counts as accepted. Plans are not unique: the emitted law does not depend on the
    plan, the law of a round and the mean number accepted can.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        drawn = {chance.draw(q, "draft") for _ in range(candidates)}
        laws, law = selection(p, q, candidates, weights)
        selected = chance.draw(laws[tuple(sorted(drawn))], "select")
        token, accepted = recursive_rejection(chance, p, [(selected, law)])
        return token, accepted or token in drawn

    return down_the_tree(chance, target, draft, context, draft_length, step)
