"""Block verification: the drafted block is judged as a whole, and never accepted less than token by token."""

from fractions import Fraction

from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution, Masses, excess
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Sun et al. 2025, Block Verification Accelerates Speculative Decoding, algorithm 2",
    lossless_when="the drafted tokens are drawn from the q of weights and residual",
    acceptance="i drafted tokens or more with w(i) = min(1, w(i-1) p/q), so the sum of Q w over "
    "the block",
    edge_cases="p = q behind w(i) = 1: a coin of 0/0 is never tossed, a longer one shows yes "
    "surely; p(x) = 0: w is 0 from there on; an end token accepted: no bonus",
)
def block_verification(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Keep the longest beginning of the draft whose coin shows yes; correct it by [w p - q]+."""
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    w = [Fraction(1)]
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        w.append(minimum(1, w[i] * p[token] / q[token]))

    def left_over(i: int) -> Masses[Token]:
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        return excess(p, q, w[i])

    def kept_if_nothing_longer_is(i: int) -> Fraction:
        if i == len(drafted):
            return w[i]
        mass = left_over(i).total
        return mass / (mass + 1 - w[i])

    kept = len(drafted)
    while not chance.accept(kept_if_nothing_longer_is(kept)):
        kept -= 1
    if kept < len(drafted):
        corrected = chance.draw(Distribution.normalised(left_over(kept)), "residual")
        return Round((*drafted[:kept], corrected), accepted=kept)
    if target.ends(drafted):
        return Round(drafted, accepted=kept)
    return Round((*drafted, chance.draw(target(context + drafted), "bonus")), accepted=kept)
