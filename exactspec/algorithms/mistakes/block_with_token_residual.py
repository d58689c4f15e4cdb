"""Block verification that corrects by the residual of the token rule."""

from fractions import Fraction

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Token
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum, positive_part
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Sun et al. 2025, Block Verification, 2403.10444, algorithm 2, with one mistake",
    acceptance="i drafted tokens or more with w(i) = min(1, w(i-1) p/q), so the sum of Q w",
    seen_in="one half of vllm-ascend issue 7807, whose residual was not scaled by w",
)
def block_with_token_residual(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Keep drafts by the coins of block verification, and correct by [p - q]+ / β.

    The right rule corrects by [w p - q]+, which makes up for what the kept drafts left open. It
    violates "true proposal law": the residual is not that of the drafts that were kept. Where
    every residual has one token only, the two are the same, and the rule is lossless.
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
        return mass / (mass + 1 - w[i])

    kept = len(drafted)
    while not chance.accept(kept_if_nothing_longer_is(kept)):
        kept -= 1
    if kept < len(drafted):
        p, q = target(context + drafted[:kept]), draft(context + drafted[:kept])
        corrected = chance.draw(residual(p, q), "residual")
        return Round((*drafted[:kept], corrected), accepted=kept)
    return all_accepted(chance, target, context, drafted)
