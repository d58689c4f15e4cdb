"""SpecHub: two candidates of which one is always the draft's favourite."""

from fractions import Fraction
from functools import lru_cache

from exactspec.algorithms.candidates import Row, down_the_tree, recursive_rejection, without
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax

Masses = dict[Token, Fraction]


@algorithm(
    paper="Sun, Zhou, Chen, Sun 2024, SpecHub, 2411.05289",
    lossless_when="the two candidates are drawn by its own pair law",
)
def spec_hub(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draft a pair that holds the draft's favourite a; accept the other token first, else a, up to p.

    No rule accepts more with these pairs: (i, a) for a drafted i, or (a, i) with i from q without a.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        a, first = argmax(q), chance.draw(q, "draft")
        if len(q) == 1:
            return recursive_rejection(chance, p, [(first, q)])
        other = chance.draw(without(q, a), "draft") if first == a else first
        coins, left = plan(p, q, a)
        for token in (other, a):
            if chance.accept(coins[first == a][token]):
                return token, True
        return chance.draw(Distribution.normalised(left), "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)


@lru_cache(maxsize=4096)
def plan(p: Row, q: Row, a: Token) -> tuple[dict[bool, Masses], Masses]:
    """The coins of a pair's tokens, for pairs (i, a) under False and (a, i) under True; what p has left."""
    left = {x: p[x] for x in (*p, *q)}
    coins: dict[bool, Masses] = {False: {}, True: {}}

    def move(token: Token, mass: Fraction, a_first: bool) -> Fraction:
        moved = minimum(left[token], mass)
        left[token] -= moved
        coins[a_first][token] = moved / mass if mass else moved
        return mass - moved

    others = without(q, a)
    behind = sum((move(i, q[i], False) for i in others), Fraction(0))
    before = sum((move(i, q[a] * others[i], True) for i in others), Fraction(0))
    move(a, before, True)
    move(a, behind, False)
    return coins, left
