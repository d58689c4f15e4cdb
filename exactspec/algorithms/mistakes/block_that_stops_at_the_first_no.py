"""Block verification that stops at the first coin that shows no."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum, positive_part
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Sun et al. 2025, Block Verification, 2403.10444, algorithm 2, with one mistake",
    acceptance="i drafted tokens or more with the product of block verification's first i coins",
    edge_cases="a coin of 0/0: counts as 1",
    seen_in="demanded in an automatic review of vllm-ascend PR 11985",
)
def block_that_stops_at_the_first_no(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Toss the coins of block verification from the start, and keep the drafts before the first no.

    The right rule keeps the drafts up to the last yes, whatever the coins before it show. It
    violates "no second chance", by which what was accepted is emitted: a block that its own coin
    accepts is thrown away for a shorter one's no. A coin of 0/0 counts as 1.
    """
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    w = [Fraction(1)]
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        w.append(minimum(1, w[i] * p[token] / q[token]))

    def left(i: int) -> dict[Token, Fraction]:
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        return {x: positive_part(w[i] * p[x] - q[x]) for x in p}

    def kept_if_nothing_longer_is(i: int) -> Fraction:
        if i == len(drafted):
            return w[i]
        mass = sum(left(i).values(), Fraction(0))
        return mass / (mass + 1 - w[i]) if mass or w[i] < 1 else Fraction(1)

    kept = 0
    while kept < len(drafted) and chance.accept(kept_if_nothing_longer_is(kept + 1)):
        kept += 1
    if kept < len(drafted):
        corrected = chance.draw(Distribution.normalised(left(kept)), "residual")
        return Round((*drafted[:kept], corrected), accepted=kept)
    return all_accepted(chance, target, context, drafted)
