"""What a rule owes that has accepted more of a block than the target gave: the target of the tokens behind it.

A debt is (Q/P of what was emitted since its block began, tokens to the end of that block). Until
then the law P before it is replaced by [P - Q]+, normalised. Debts are listed oldest first, each
made under those before it.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import positive_part

Row = Distribution[Token]
Debts = tuple[tuple[Fraction, int], ...]


@lru_cache(maxsize=1 << 16)
def modified(p: Row, q: Row, debts: Debts) -> tuple[Row, ...]:
    """The target's row, and the row as each debt modifies the one before it."""
    laws = [p]
    for ratio, _ in debts:
        law = {x: positive_part(weight - ratio * q[x]) for x, weight in laws[-1].items()}
        laws.append(Distribution.normalised(law))
    return tuple(laws)


def paid(debts: Debts, p: Row, q: Row, token: Token) -> Debts:
    """The debts behind one more token; none behind a token that the modified law never gives."""
    laws = modified(p, q, debts)
    if not debts or not laws[-1][token]:
        return ()
    owed = zip(debts, laws[:-1], strict=True)
    behind = ((ratio * q[token] / law[token], left - 1) for (ratio, left), law in owed)
    return tuple((ratio, left) for ratio, left in behind if ratio and left)


def along(
    target: Model, draft: Model, context: Context, drafted: Sequence[Token], debts: Debts
) -> tuple[list[tuple[Row, Row]], list[Debts]]:
    """Before each drafted token the target's row as modified and the draft's; the debts at each place."""
    rows: list[tuple[Row, Row]] = []
    owed = [debts]
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        rows.append((modified(p, q, owed[i])[-1], q))
        owed.append(paid(owed[i], p, q, token))
    return rows, owed
