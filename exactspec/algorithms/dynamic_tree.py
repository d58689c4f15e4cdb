"""EAGLE-2's dynamic tree: likely candidates, reranked by the drafter, verified with q = 1."""

from exactspec.algorithms.candidates import Tokens, grown, one_after_another
from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Li et al. 2024, EAGLE-2, 2406.16858; EAGLE-3, 2503.01840 (evaluate_posterior, qx = 1)",
    lossless_when="the tree is a function of what the drafter computes, not of sampled tokens",
    acceptance="a node's child x with p(x), so p's mass on its children",
    edge_cases="all of p on the children: accepted surely; p(x) = 0: never accepted; no child is "
    "kept in the tree: the bonus follows",
)
def dynamic_tree(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    candidates: int = 2,
    kept: int = 60,
) -> Round:
    """Accept a node's candidates one after another with p(x), taking each rejected one out of p.

    The tree has the ``kept`` nodes of the highest draft probability; at each level, the best
    ``candidates`` nodes have that many children.
    """
    tree = grown(draft, context, draft_length, candidates, kept)
    path: Tokens = ()
    while children := [node[-1] for node in tree if node[:-1] == path]:
        token, accepted = one_after_another(chance, target(context + path), children)
        if not accepted:
            return Round((*path, token), accepted=len(path))
        path = (*path, token)
    return all_accepted(chance, target, context, path)
