"""Staged drafting on the worked example with a third table, the small drafter's, of its own."""

from fractions import Fraction

from exactspec import Distribution, Model
from exactspec.algorithms.mistakes.staged_with_small_q import staged_with_small_q_by
from exactspec.algorithms.staged import staged_by


def _row(a: str, b: str, end: str) -> Distribution[str]:
    return Distribution({"a": Fraction(a), "b": Fraction(b), "$": Fraction(end)})


SMALL = Model(
    {
        (): _row("1/3", "1/3", "1/3"),
        ("a",): _row("1/4", "1/2", "1/4"),
        ("b",): _row("1/5", "2/5", "2/5"),
    },
    name="small",
    end="$",
)

staged_by_a_third_table = staged_by(lambda draft: SMALL)
mistaken_by_a_third_table = staged_with_small_q_by(lambda draft: SMALL)
