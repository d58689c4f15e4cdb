"""Block verification that tosses w itself at inner positions."""

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
    acceptance="i drafted tokens or more with 1 - the product of 1 - w(j) over j >= i",
    edge_cases="[w p - q]+ = 0: corrected by p",
    seen_in="the family of vllm-ascend issue 7807, whose inner coins were wrong",
)
def block_with_w_for_every_coin(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Keep the longest beginning of the draft whose coin w shows yes; correct it by [w p - q]+.

    The right rule's inner coins are S / (S + 1 - w), S the sum of [w p - q]+: the chance to keep
    i tokens given that no more are kept. It violates "no second chance": a draft whose longer
    block was rejected gets the whole chance w again. Where [w p - q]+ is 0 it draws from the
    target.
    """
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    w = [Fraction(1)]
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        w.append(minimum(1, w[i] * p[token] / q[token]))

    def left(i: int) -> dict[Token, Fraction]:
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        return {x: positive_part(w[i] * p[x] - q[x]) for x in p}

    kept = len(drafted)
    while not chance.accept(w[kept]):
        kept -= 1
    if kept < len(drafted):
        over = left(kept)
        p = target(context + drafted[:kept])
        corrected = chance.draw(
            Distribution.normalised(over) if any(over.values()) else p, "residual"
        )
        return Round((*drafted[:kept], corrected), accepted=kept)
    return all_accepted(chance, target, context, drafted)
