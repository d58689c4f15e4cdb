"""Greedy block verification: as many tokens as a coupling of whole blocks can accept, on credit."""

from fractions import Fraction

from exactspec.algorithms.debts import Debts, Row, modified, paid
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Sun et al. 2025, Block Verification Accelerates Speculative Decoding, 2403.10444, appendix",
    lossless_when="the modified target is carried over to the old block's end",
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
    joint_p, joint_q, debts = [Fraction(1)], [Fraction(1)], [state or ()]
    rows: list[tuple[Row, Row]] = []
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        rows.append((modified(p, q, debts[i])[-1], q))
        joint_p.append(joint_p[i] * rows[i][0][token])
        joint_q.append(joint_q[i] * q[token])
        debts.append(paid(debts[i], p, q, token))

    def kept_if_nothing_longer_is(i: int) -> Fraction:
        if i == len(drafted):
            return minimum(1, joint_p[i] / joint_q[i])
        p, q = rows[i]
        shared = sum((minimum(joint_p[i] * p[x], joint_q[i] * q[x]) for x in p), Fraction(0))
        return (minimum(joint_p[i], joint_q[i]) - shared) / (joint_q[i] - shared)

    kept = len(drafted)
    while not chance.accept(kept_if_nothing_longer_is(kept)):
        kept -= 1
    owed = debts[kept]
    if kept < len(drafted):
        owed = (*owed, (joint_q[kept] / joint_p[kept], draft_length - kept))
    elif target.ends(drafted):
        return Round(drafted, accepted=kept)
    p = target(context + drafted[:kept])
    q = draft(context + drafted[:kept]) if owed else p
    law = modified(p, q, owed)[-1]
    token = chance.draw(law, "residual" if kept < len(drafted) else "bonus")
    return Round((*drafted[:kept], token), accepted=kept, state=paid(owed, p, q, token) or None)
