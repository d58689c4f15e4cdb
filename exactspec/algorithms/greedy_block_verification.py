"""Greedy block verification: as many tokens as a coupling of whole blocks can accept, on credit."""

from fractions import Fraction

from exactspec.algorithms.debts import Debts, along, modified, paid
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Sun et al. 2025, Block Verification Accelerates Speculative Decoding, 2403.10444, appendix",
    lossless_when="the modified target is carried over to the old block's end",
    acceptance="i drafted tokens or more with min(1, P/Q), so the sum of min(P, Q) over the block",
    edge_cases="P = Q: all is kept; q(x) = 0 < p(x): pays all debts; p(x) = 0: never emitted",
)
def greedy_block_verification(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    state: Debts | None = None,
) -> Round:
    """Keep the draft as far as a coupling of whole blocks allows; the tokens that follow pay for it.

    P and Q are the joint laws of a block. After a rejection, all tokens up to the block's end follow
    [P - Q]+, those of later rounds, too; P is the law as earlier debts modify it. Our own formulation,
    the citation from memory.
    """
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    rows, debts = along(target, draft, context, drafted, state or ())
    ratio = [Fraction(1)]  # P / Q
    for (p, q), token in zip(rows, drafted, strict=True):
        ratio.append(ratio[-1] * p[token] / q[token])

    def kept_if_nothing_longer_is(i: int) -> Fraction:
        if i == len(drafted):
            return minimum(1, ratio[i])
        p, q = rows[i]
        shared = sum((minimum(ratio[i] * p[x], q[x]) for x in p), Fraction(0))
        return (minimum(1, ratio[i]) - shared) / (1 - shared)

    kept = len(drafted)
    while not chance.accept(kept_if_nothing_longer_is(kept)):
        kept -= 1
    owed = debts[kept]
    if kept < len(drafted):
        owed = (*owed, (1 / ratio[kept], draft_length - kept))
    elif target.ends(drafted):
        return Round(drafted, accepted=kept)
    p = target(context + drafted[:kept])
    q = draft(context + drafted[:kept]) if owed else p
    law = modified(p, q, owed)[-1]
    token = chance.draw(law, "residual" if kept < len(drafted) else "bonus")
    return Round((*drafted[:kept], token), accepted=kept, state=paid(owed, p, q, token) or None)
