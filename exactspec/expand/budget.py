"""How much work a check may do; what exceeds it is undecided, never lossless."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from exactspec.errors import BudgetReached
from exactspec.text import fraction_text

MAX_NODES = 1_000_000
MAX_BITS = 1_000_000


@dataclass
class Budget:
    """Limits of one check, and what was spent of them.

    Args:
        max_nodes: nodes of the probability trees of all rounds together, and listed sequences.
        max_bits: size of a numerator or denominator.
        timeout: seconds, or None.
        on_progress: called from time to time with a line for a person who waits.
    """

    max_nodes: int = MAX_NODES
    max_bits: int = MAX_BITS
    timeout: float | None = None
    on_progress: Callable[[str], None] | None = None
    nodes: int = 0
    _deadline: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.timeout is not None:
            self._deadline = time.monotonic() + self.timeout

    def spend(self, nodes: int, covered: Fraction) -> None:
        """Count nodes of a round of which the mass ``covered`` has been expanded.

        Raises:
            BudgetReached: where a limit is exceeded.
        """
        self.nodes += nodes
        if self.nodes > self.max_nodes:
            raise self.reached_nodes(f"{self.nodes:,} nodes", covered)
        if covered.denominator.bit_length() > self.max_bits:
            bits = covered.denominator.bit_length()
            raise BudgetReached(
                "max-bits",
                f"a probability has a denominator of {bits:,} bits, the budget is {self.max_bits:,}",
                "raise it with --max-bits, or write the tables with smaller denominators",
            )
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise BudgetReached(
                "timeout",
                f"{self.timeout:g} seconds are over; {_share(covered)} was expanded",
                "allow more with --timeout, or lower draft_length",
            )

    def reached_nodes(self, found: str, covered: Fraction) -> BudgetReached:
        """The limit of nodes, with what was found and how much of the round was expanded."""
        return BudgetReached(
            "max-nodes",
            f"a round's probability tree has {found}, the budget is {self.max_nodes:,}; "
            f"{_share(covered)} was expanded",
            "raise it with --max-nodes, or lower draft_length or the vocabulary",
        )

    def progress(self, line: str) -> None:
        """Tell a person who waits how far the work is."""
        if self.on_progress is not None:
            self.on_progress(line)


def _share(covered: Fraction) -> str:
    text = fraction_text(covered)
    return f"mass {text} of that round" if len(text) < 40 else "a part of that round"
