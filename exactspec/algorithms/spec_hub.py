"""SpecHub: two candidates of which one is always the draft's favourite."""

from exactspec.algorithms.candidates import Row, down_the_tree, recursive_rejection, without
from exactspec.algorithms.candidates import plan_of_pairs as plan
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax


@algorithm(
    paper="Sun, Zhou, Chen, Sun 2024, SpecHub, 2411.05289",
    lossless_when="the two candidates are drawn by its own pair law",
    acceptance="i of (i, a) with min(1, p(i)/q(i)), then i of (a, i), then a, up to what p has "
    "left",
    edge_cases="q(a) = 1: one candidate, by the token rule; p = q: nothing is rejected; p(x) = 0: "
    "rejected surely; equal q: a is the vocabulary's first",
)
def spec_hub(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draft a pair that holds the draft's favourite a; accept the other token first, else a, up to p.

    No rule accepts more with these pairs: (i, a) for a drafted i, or (a, i) with i from q without a.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        a, first = argmax(q), chance.draw(q, "draft")
        if q[a] == 1:
            return recursive_rejection(chance, p, [(first, q)])
        other = chance.draw(without(q, a), "draft") if first == a else first
        moves, left = plan(p, q, a)
        for token in (other, a):
            moved, mass = moves[first == a][token]
            if chance.accept(moved / mass):
                return token, True
        return chance.draw(Distribution.normalised(left), "residual"), False

    return down_the_tree(chance, target, draft, context, draft_length, step)
