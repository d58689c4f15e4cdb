"""What one would write without exactspec: the token rule's round identity for all tables, in python-flint.

Only the identity: nothing is shown about the divisions on the way, and only draws without an end token
are looked at. Each path of the round is multiplied out by itself, as a replay of the rule would.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

Context = tuple[int, ...]
Polynomial = Any


class Tables:
    """Free tables: the entries of all rows, and min(p, q) of each token as a variable of its own."""

    def __init__(self, tokens: int, draft_length: int) -> None:
        from flint import Ordering, fmpq_mpoly_ctx  # here, because it may be missing

        self.tokens, self.draft_length = tokens, draft_length
        contexts = [c for k in range(draft_length + 1) for c in product(range(tokens), repeat=k)]
        names = [
            f"{table}{'_'.join(map(str, context))}x{token}"
            for context in contexts
            for table in "pqm"
            for token in range(tokens)
        ]
        context = fmpq_mpoly_ctx.get(names, Ordering.degrevlex)
        entries = dict(zip(names, context.gens(), strict=True))
        self.one = context.constant(1)
        self.rows: dict[tuple[str, Context], list[Polynomial]] = {}
        for c in contexts:
            for table in "pqm":
                row = [entries[f"{table}{'_'.join(map(str, c))}x{x}"] for x in range(tokens)]
                if table != "m":
                    row[-1] = self.one - sum(row[:-1], 0 * self.one)
                self.rows[table, c] = row


def paths(tables: Tables) -> Iterator[tuple[Context, Polynomial]]:
    """Each path of a round of the token rule: the emitted block, and the path's mass."""
    waiting: list[tuple[Context, Polynomial]] = [((), tables.one)]
    while waiting:
        kept, mass = waiting.pop()
        p, q, least = (tables.rows[table, kept] for table in "pqm")
        if len(kept) == tables.draft_length:
            yield from (((*kept, x), mass * p[x]) for x in range(tables.tokens))
            continue
        over = [a - b for a, b in zip(p, least, strict=True)]
        total = sum(over, 0 * tables.one)
        rejected = sum((a - b for a, b in zip(q, least, strict=True)), 0 * tables.one)
        for x in range(tables.tokens):
            quotient, rest = divmod(mass * rejected * over[x], total)
            if rest != 0:
                raise ArithmeticError("a residual is no polynomial")
            yield (*kept, x), quotient
            waiting.append(((*kept, x), mass * least[x]))


def identity_holds(tokens: int, draft_length: int) -> bool:
    """Whether each string's probability, continued by the target, is the target's."""
    tables = Tables(tokens, draft_length)
    law: dict[Context, Polynomial] = defaultdict(lambda: 0 * tables.one)
    for block, mass in paths(tables):
        law[block] += mass
    for string in product(range(tokens), repeat=draft_length + 1):
        emitted, wanted = 0 * tables.one, tables.one
        for i in reversed(range(draft_length + 1)):
            emitted += law[string[: i + 1]] * wanted
            wanted *= tables.rows["p", string[:i]][string[i]]
        if emitted != wanted:
            return False
    return True
