"""EAGLE-2's dynamic tree: likely candidates, reranked by the drafter, verified with q = 1."""

from fractions import Fraction

from exactspec.algorithms.candidates import one_after_another
from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import top_k

Tokens = tuple[Token, ...]


@algorithm(
    paper="Li et al. 2024, EAGLE-2, 2406.16858; EAGLE-3, 2503.01840 (evaluate_posterior, qx = 1)",
    lossless_when="the tree is a function of what the drafter computes, not of sampled tokens",
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


def grown(draft: Model, context: Context, depth: int, candidates: int, kept: int) -> list[Tokens]:
    """The nodes of the tree, the most probable first; a node never comes before its parent."""
    scores: dict[Tokens, Fraction] = {}
    level: dict[Tokens, Fraction] = {(): Fraction(1)}
    for _ in range(depth):
        children: dict[Tokens, Fraction] = {}
        for node in (n for n in best(level, candidates) if not draft.ends(n)):
            q = draft(context + node)
            children |= {(*node, x): level[node] * q[x] for x in top_k(q, candidates)}
        scores, level = scores | children, children
    return best(scores, kept)


def best(scores: dict[Tokens, Fraction], count: int) -> list[Tokens]:
    """The nodes with the highest scores; of equal ones the earlier."""
    return sorted(scores, key=lambda node: scores[node], reverse=True)[:count]
