"""What one would write without exactspec: the token rule by hand, rounds memoised, histories listed.

A plain program for one rule on one table, whose law is compared with exactspec's, and whose time is
what a ratio is taken of. It reads the same model text through a few lines of its own.
"""

import re
import sys
from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

Row = dict[str, Fraction]
Sequence = tuple[str, ...]


class Tables:
    """Order-1 tables, read from the benchmark's model files."""

    def __init__(self, text: str) -> None:
        self.draft_length = int(re.search(r"draft_length: (\d+)", text)[1])  # type: ignore[index]
        self.horizon = int(re.search(r"horizon: (\d+)", text)[1])  # type: ignore[index]
        before, after = text.split("draft:\n")
        self.target = _rows(before.split("target:\n")[1])
        self.draft = _rows(after)

    def row(self, table: dict[str, Row], last: str) -> Row:
        return table.get(last) or table['""']


def _rows(text: str) -> dict[str, Row]:
    rows = {}
    for key, inside in re.findall(r"  (\S+): \{(.*)\}", text):
        entries = (entry.split(": ") for entry in inside.split(", "))
        rows[key] = {token: Fraction(weight) for token, weight in entries if Fraction(weight)}
    return rows


def law(tables: Tables) -> dict[Sequence, Fraction]:
    """The probability of every output sequence."""
    rounds = lru_cache(maxsize=None)(lambda last, room: _round(tables, last, room))
    levels: list[dict[Sequence, Fraction]] = [
        defaultdict(Fraction) for _ in range(tables.horizon + 1)
    ]
    levels[0][()] = Fraction(1)
    done: dict[Sequence, Fraction] = {}
    for length in range(tables.horizon):
        for sequence, mass in levels[length].items():
            if sequence and sequence[-1] == "$":
                done[sequence] = mass
                continue
            room = min(tables.horizon - length, tables.draft_length + 1)
            for block, weight in rounds(sequence[-1] if sequence else "^", room):
                levels[length + len(block)][sequence + block] += mass * weight
    done.update(levels[-1])
    return done


def _round(tables: Tables, last: str, room: int) -> list[tuple[Sequence, Fraction]]:
    """One round's blocks, cut to the room that the horizon leaves."""
    blocks: dict[Sequence, Fraction] = defaultdict(Fraction)
    waiting = [((), last, Fraction(1))]
    while waiting:
        accepted, here, mass = waiting.pop()
        p = tables.row(tables.target, here)
        if len(accepted) == room:
            blocks[accepted] += mass
            continue
        if len(accepted) == tables.draft_length:
            for token, weight in p.items():
                blocks[(*accepted, token)] += mass * weight
            continue
        q = tables.row(tables.draft, here)
        for token, weight in _excess(p, q).items():
            blocks[(*accepted, token)] += mass * weight
        kept = {token: mass * min(q[token], p[token]) for token in q if token in p}
        blocks[(*accepted, "$")] += kept.pop("$", Fraction(0))
        waiting += [((*accepted, token), token, share) for token, share in kept.items()]
    return list(blocks.items())


def _excess(p: Row, q: Row) -> Row:
    return {
        token: weight - q.get(token, 0) for token, weight in p.items() if weight > q.get(token, 0)
    }


if __name__ == "__main__":
    print(len(law(Tables(Path(sys.argv[1]).read_text(encoding="utf-8")))))
