"""What a rule owes that has accepted more of a block than the target gave: the target of the tokens behind it.

A debt is (Q/P of what was emitted since its block began, tokens to the end of that block). Until
then the law P before it is replaced by [P - Q]+, normalised. Debts are listed oldest first, each
made under those before it.
"""

from fractions import Fraction

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.numbers import positive_part

Row = Distribution[Token]
Debts = tuple[tuple[Fraction, int], ...]


def modified(p: Row, q: Row, debts: Debts) -> list[Row]:
    """The target's row, and the row as each debt modifies the one before it."""
    laws = [p]
    for ratio, _ in debts:
        law = {x: positive_part(weight - ratio * q[x]) for x, weight in laws[-1].items()}
        laws.append(Distribution.normalised(law))
    return laws


def paid(debts: Debts, p: Row, q: Row, token: Token) -> Debts:
    """The debts behind one more token; none behind a token that the modified law never gives."""
    laws = modified(p, q, debts)
    if not debts or not laws[-1][token]:
        return ()
    owed = zip(debts, laws[:-1], strict=True)
    behind = ((ratio * q[token] / law[token], left - 1) for (ratio, left), law in owed)
    return tuple((ratio, left) for ratio, left in behind if ratio and left)
