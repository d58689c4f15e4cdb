"""How much work a check may do; what exceeds it is undecided, never lossless."""

import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction

from exactspec.errors import BudgetReached
from exactspec.text import fraction_and_decimal

MAX_NODES = 1_000_000
MAX_BITS = 1_000_000
MAX_STATES = 1_000


@dataclass
class Budget:
    """Limits of one check, and what was spent of them.

    Args:
        max_nodes: nodes of the probability trees of all rounds together, and listed sequences.
        max_bits: size of a numerator or denominator.
        timeout: seconds, or None.
        max_states: states that are expanded beyond the horizon in order to decide every horizon.
        on_progress: called from time to time with a line for a person who waits.
    """

    max_nodes: int = MAX_NODES
    max_bits: int = MAX_BITS
    timeout: float | None = None
    on_progress: Callable[[str], None] | None = None
    nodes: int = 0
    max_states: int = MAX_STATES
    _deadline: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.timeout is not None:
            self._deadline = time.monotonic() + self.timeout

    @property
    def nodes_left(self) -> int:
        """How many nodes may still be expanded."""
        return self.max_nodes - self.nodes

    @property
    def is_out_of_time(self) -> bool:
        """Whether the seconds are over."""
        return self._deadline is not None and time.monotonic() > self._deadline

    def afresh(self) -> "Budget":
        """The same limits with nothing spent but time."""
        another = copy(self)
        another.nodes = 0
        return another

    def spend(self, nodes: int, covered: Fraction, size: str = "") -> None:
        """Count nodes of a round of which the mass ``covered`` has been expanded.

        Args:
            nodes: how many more.
            covered: the mass of the paths so far.
            size: what is known of the whole tree, in words.

        Raises:
            BudgetReached: where a limit is exceeded.
        """
        self.nodes += nodes
        if self.nodes > self.max_nodes:
            raise self.reached_nodes(size, covered)
        if covered.denominator.bit_length() > self.max_bits:
            bits = covered.denominator.bit_length()
            raise BudgetReached(
                "max-bits",
                f"a probability has a denominator of {bits:,} bits, the budget is {self.max_bits:,}; "
                f"{size}{_share(covered)} was expanded",
                "raise it with --max-bits, or write the tables with smaller denominators",
            )
        if self.is_out_of_time:
            raise BudgetReached(
                "timeout",
                f"{self.timeout:g} seconds are over; {size}{_share(covered)} was expanded",
                "allow more with --timeout, or lower draft_length",
            )

    def reached_nodes(self, size: str, covered: Fraction) -> BudgetReached:
        """The limit of nodes, with the size of the tree at hand and how much of it was expanded."""
        return BudgetReached(
            "max-nodes",
            f"the probability trees of the rounds exceed the budget of {self.max_nodes:,} nodes; "
            f"{size}{_share(covered)} was expanded",
            "raise it with --max-nodes, or lower draft_length or the vocabulary",
        )

    def progress(self, line: str) -> None:
        """Tell a person who waits how far the work is."""
        if self.on_progress is not None:
            self.on_progress(line)


def _share(covered: Fraction) -> str:
    return f"mass {fraction_and_decimal(covered)} of the round at hand"
