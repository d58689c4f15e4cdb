"""What rules with several candidates for a position share: the candidates, and the way down their tree.

A node's candidates are drawn when the rule comes to the node; the law is that of a tree drawn beforehand.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import prod

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution, remembered, residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round
from exactspec.transforms import top_k
from exactspec.transport import membership_plan

Row = Distribution[Token]
Candidate = tuple[Token, Row]
Step = Callable[[Row, Row], tuple[Token, bool]]
Tokens = tuple[Token, ...]
Moves = dict[Token, tuple[Fraction, Fraction]]


def down_the_tree(
    chance: Chance, target: Model, draft: Model, context: Context, depth: int, step: Step
) -> Round:
    """Settle one node after another, going down as long as a candidate is accepted.

    Args:
        chance: the door to randomness.
        target: the model whose law is emitted.
        draft: the model that proposes candidates.
        context: the root.
        depth: how many levels of candidates there are.
        step: (p, q) -> the token emitted at a node, and whether it is an accepted candidate.
    """
    kept: tuple[Token, ...] = ()
    while len(kept) < depth and not target.ends(kept):
        token, accepted = step(target(context + kept), draft(context + kept))
        if not accepted:
            return Round((*kept, token), accepted=len(kept))
        kept = (*kept, token)
    return all_accepted(chance, target, context, kept)


def with_replacement(chance: Chance, q: Row, count: int) -> list[Candidate]:
    """Independent candidates, each with the law it is drawn from.

    Args:
        chance: the door to randomness.
        q: the law of each.
        count: how many.
    """
    return [(chance.draw(q, "draft"), q) for _ in range(count)]


def without_replacement(chance: Chance, q: Row, count: int) -> Iterator[Candidate]:
    """Distinct candidates, each with its law given those before it; fewer where q gives fewer tokens.

    Args:
        chance: the door to randomness.
        q: the law of the first.
        count: how many, at most.
    """
    for _ in range(count):
        token = chance.draw(q, "draft")
        yield token, q
        if q[token] == 1:
            return
        q = without(q, token)


def without(law: Row, token: Token) -> Row:
    """A law given that it does not give one token.

    Raises:
        ValueError: where it gives nothing else.

    >>> without(Distribution({"a": 1}), "b")
    Distribution({a: 1})
    """
    return Distribution.normalised(law.reweighted(lambda x: 0 if x == token else law[x]))


def recursive_rejection(
    chance: Chance, p: Row, candidates: Iterable[Candidate]
) -> tuple[Token, bool]:
    """Judge candidates one after another, the target's row replaced by its residual at each rejection.

    Args:
        chance: the door to randomness.
        p: the target's row.
        candidates: each with its law given those before it.

    Returns:
        The emitted token, and whether it is an accepted candidate.

    Source: Miao et al. 2024, SpecInfer, algorithm 2 (verify stochastic).
    """
    r = p
    for token, q in candidates:
        if chance.accept(minimum(1, r[token] / q[token])):
            return token, True
        r = residual(r, q)
    return chance.draw(r, "residual"), False


def one_after_another(chance: Chance, p: Row, candidates: Iterable[Token]) -> tuple[Token, bool]:
    """Accept each of some distinct candidates with what p, given that none before was it, gives to it.

    Args:
        chance: the door to randomness.
        p: the target's row.
        candidates: distinct tokens.

    Returns:
        The emitted token, and whether it is an accepted candidate. Its law is p.
    """
    left = p
    for token in candidates:
        if chance.accept(left[token]):
            return token, True
        left = without(left, token)
    return chance.draw(left, "residual"), False


@remembered
def law_of_sets(q: Row, count: int) -> Distribution[tuple[Token, ...]]:
    """The law of the set of ``count`` independent candidates, each set in alphabetical order.

    >>> half = Fraction(1, 2)
    >>> law = law_of_sets(Distribution({"a": half, "b": half}), 2)
    >>> law["a", "b"], law["a",]
    (Fraction(1, 2), Fraction(1, 4))
    """
    law: dict[tuple[Token, ...], Fraction] = {}
    for drawn in product(q, repeat=count):
        found = tuple(sorted(set(drawn)))
        law[found] = law.get(found, Fraction(0)) + prod(map(q.__getitem__, drawn))
    return Distribution(law)


@remembered
def plan_of_pairs(p: Row, q: Row, a: Token) -> tuple[dict[bool, Moves], dict[Token, Fraction]]:
    """How much of which mass moves to a pair's tokens, and what p has left.

    Pairs (i, a) are under False, pairs (a, i) under True.
    """
    left = {x: p[x] for law in (p, q) for x, _ in law.possible()}
    moves: dict[bool, Moves] = {False: {}, True: {}}

    def move(token: Token, mass: Fraction, a_first: bool) -> Fraction:
        moved = minimum(left[token], mass)
        left[token] -= moved
        moves[a_first][token] = moved, mass
        return mass - moved

    others = without(q, a)
    behind = sum((move(i, q[i], False) for i, _ in others.possible()), Fraction(0))
    before = sum((move(i, q[a] * w, True) for i, w in others.possible()), Fraction(0))
    move(a, before, True)
    move(a, behind, False)
    return moves, left


@remembered
def scale_of_k_seq(p: Row, q: Row, candidates: int, bisections: int) -> Fraction:
    """A valid ρ: ``candidates``, or less after some bisections."""
    invalid, valid = Fraction(1), Fraction(candidates)
    for _ in range(bisections):
        middle = (invalid + valid) / 2
        beta = sum((minimum(q[x], p[x] / middle) for x in q), Fraction(0))
        if 1 - (1 - beta) ** candidates <= middle * beta:
            valid = middle
        else:
            invalid = middle
    return valid


@remembered
def selection(p: Row, q: Row, candidates: int, weights: str) -> tuple[dict[Tokens, Row], Row]:
    """For each set of candidates the law of the selected one; and its law over all sets."""
    sets = law_of_sets(q, candidates)
    ratio = {s: {x: p[x] / q[x] for x in s if p[x]} for s in sets}
    chosen = {"transport": membership_plan(sets, p).plan, "ratio": ratio}[weights]
    laws = {s: Distribution.normalised(chosen[s] or dict.fromkeys(s, 1)) for s in sets}
    selected = {x: sum((w * laws[s][x] for s, w in sets.items()), Fraction(0)) for x in q}
    return laws, Distribution(selected)


def grown(draft: Model, context: Context, depth: int, candidates: int, kept: int) -> list[Tokens]:
    """The nodes of the tree; a node never comes before its parent."""
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
    """The nodes with the highest scores; of equal ones the earlier. All nodes where there are no more."""
    if len(scores) <= count:
        return list(scores)
    return sorted(scores, key=lambda node: scores[node], reverse=True)[:count]
