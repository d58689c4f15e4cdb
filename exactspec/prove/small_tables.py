"""Small tables, the smallest first: what a claim is tried on before and after a proof is tried."""

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm

from exactspec.chance import Token
from exactspec.prove.claim import Claim, Row, Rows

Size = tuple[int, int, int]
_FEW_PAIRS = 1_000


def small_tables(claim: Claim, each: int) -> Iterator[tuple[Size, tuple[Token, ...], Rows]]:
    """Tables by size, at most so many of each: one row for all contexts, then another one behind a token."""
    dice = random.Random(0)
    most = claim.vocabulary
    for count in sorted({min(2, most), min(3, most), min(4, most), most}):
        for below, ends in product(range(1, 7 if count == 2 else 5), (False, True)):
            for pair in _pairs(count, below, each, dice):
                same: Rows = {(): pair}
                yield (count, 1, below), claim.tokens(ends, count), same
        for below, ends in product((2, 3) if count > 1 else (), (False, True)):
            tokens, rows = claim.tokens(ends, count), _rows_up_to(count, below)
            for _ in range(each):
                p, q, p_behind, q_behind = dice.choices(rows, k=4)
                table: Rows = {(): (p, q), (tokens[0],): (p_behind, q_behind)}
                yield (count, 2, below), tokens, table


def _pairs(count: int, below: int, most: int, dice: random.Random) -> list[tuple[Row, Row]]:
    """Pairs of rows whose largest denominator is ``below``: all, or so many of them by chance."""
    rows = _rows_up_to(count, below)
    if len(rows) ** 2 <= _FEW_PAIRS:
        pairs = [(p, q) for p, q in product(rows, repeat=2) if largest_denominator((p, q)) == below]
        return pairs if len(pairs) <= most else dice.sample(pairs, most)
    finest = [row for row in rows if largest_denominator((row,)) == below]
    return [(dice.choice(finest), dice.choice(rows)) for _ in range(most)]


@cache
def _rows_up_to(count: int, below: int) -> tuple[Row, ...]:
    """Every row with a number of tokens and a denominator of at most ``below``."""
    rows: dict[Row, None] = {}
    for denominator in range(1, below + 1):
        for parts in _parts(count, denominator):
            rows[tuple(Fraction(part, denominator) for part in parts)] = None
    return tuple(rows)


def _parts(count: int, total: int) -> Iterator[tuple[int, ...]]:
    """So many whole numbers with a sum, in every way."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _parts(count - 1, total - first):
            yield (first, *rest)


def largest_denominator(rows: Iterable[Row]) -> int:
    """The largest denominator of some rows."""
    return max(lcm(*(weight.denominator for weight in row)) for row in rows)
