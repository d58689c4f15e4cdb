"""Proofs for all tables: how their time grows with vocabulary and draft length, and beside the identity by hand.

usage: python -m benchmarks.proofs [NAME ...]

A name ``... of 3`` is a rule with three candidates. ``reading`` follows the rule and settles each sign
on the way, ``identity`` sums the paths and compares. Times are those of one process, the median of three; the ratio is (reading + identity) / by hand.
"""

import statistics
import sys
import time
from collections.abc import Callable

from benchmarks.by_hand import identity_holds
from exactspec.algorithms import CATALOGUE
from exactspec.prove import certificate, factors
from exactspec.prove.identity import SymbolicIdentity
from exactspec.prove.program import Program
from exactspec.prove.tree import leaves

SIZES = {
    "token_level": [
        (2, 1),
        (2, 2),
        (2, 4),
        (2, 6),
        (3, 1),
        (3, 2),
        (3, 3),
        (4, 3),
        (8, 1),
        (16, 1),
    ],
    "block_verification": [(2, 2), (2, 4), (2, 6), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3)],
    "recursive_rejection_with_replacement": [(2, 2), (3, 1), (4, 1), (3, 2)],
    "recursive_rejection_with_replacement of 3": [(2, 1), (3, 1)],
    "recursive_rejection_without_replacement": [(2, 2), (3, 1), (4, 1), (3, 2)],
    "recursive_rejection_without_replacement of 3": [(3, 1)],
    "k_seq": [(2, 2), (3, 1), (4, 1)],
    "spec_hub": [(2, 2), (3, 1)],
}
_RUNS = 3
_MOST_PATHS = 20_000


def main() -> None:
    wanted = sys.argv[1:] or list(SIZES)
    print(f"{'':45} n γ {'paths':>6} {'reading s':>10} {'identity s':>11} {'by hand s':>10} ratio")
    for name in wanted:
        for tokens, draft_length in SIZES[name]:
            print(_line(name, tokens, draft_length), flush=True)


def _line(name: str, tokens: int, draft_length: int) -> str:
    runs = [_proof(name, tokens, draft_length) for _ in range(_RUNS)]
    paths = runs[0][0]
    reading, identity = (statistics.median(run[i] for run in runs) for i in (1, 2))
    line = f"{name:45} {tokens} {draft_length} {paths:6} {reading:10.2f} {identity:11.2f}"
    if name != "token_level" or not _has_flint():
        return line
    by_hand = statistics.median(
        _seconds(lambda: identity_holds(tokens, draft_length)) for _ in runs
    )
    return f"{line} {by_hand:10.2f} {(reading + identity) / by_hand:5.1f}"


def _proof(name: str, tokens: int, draft_length: int) -> tuple[int, float, float]:
    certificate._found.cache_clear()
    factors._factored.cache_clear()
    vocabulary = tuple(f"t{i}" for i in range(tokens))
    rule, _, candidates = name.partition(" of ")
    options = {"candidates": int(candidates)} if candidates else {}
    program = Program(CATALOGUE[rule], vocabulary, None, draft_length, options)
    reading = _seconds(lambda: program.read(_MOST_PATHS, lambda runs: None) or True)
    identity = _seconds(
        lambda: not any(p.differences for p in SymbolicIdentity(program, 9).parts())
    )
    return sum(1 for _ in leaves(program.tree)), reading, identity


def _seconds(work: Callable[[], bool]) -> float:
    begin = time.perf_counter()
    if not work():
        sys.exit("a proof failed")
    return time.perf_counter() - begin


def _has_flint() -> bool:
    try:
        import flint  # noqa: F401
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    main()
