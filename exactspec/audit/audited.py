"""What an audit of a program found: its law against the target's, in the three words."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactspec.audit.law import Law
from exactspec.audit.tables import Ids, Tables
from exactspec.audit.world import FLOAT, Raised
from exactspec.errors import Diagnostic, Fault

Outcome = Ids | Raised
UNITS = 64
FLOAT32 = Fraction(1, 2**24)


@dataclass(frozen=True)
class Deviation:
    """An outcome with another probability than the target gives it.

    Args:
        outcome: token ids, or what was raised.
        got: its probability in the audited program.
        want: its probability in the target's law.
    """

    outcome: Outcome
    got: Fraction
    want: Fraction

    @property
    def difference(self) -> Fraction:
        return self.got - self.want


@dataclass(frozen=True)
class Audited:
    """The verdict on a program for one pair of tables.

    Args:
        tables: the tables.
        length: how many tokens were compared.
        law: the law of what the program returned.
        got: the law of token sequences: blocks continued by the target.
        want: the target's law of token sequences.
        ideal: for a grid, the verdict with real uniform numbers in its place.
    """

    tables: Tables
    length: int
    law: Law
    got: Mapping[Outcome, Fraction]
    want: Mapping[Ids, Fraction]
    ideal: "Audited | None" = None

    @property
    def rounding(self) -> Fraction:
        """How much probability rounding and idealisations may account for: more than that is a fault.

        Some units of the coarsest floats that the program was given; where every number was followed
        exactly, of float32, in case a number became a float unseen.
        """
        unit = self.law.unit if self.law.level == FLOAT or self.law.is_rounded else Fraction(0)
        return UNITS * max(unit, FLOAT32) + self.law.uncertainty

    @property
    def word(self) -> str:
        """lossless, lossy or undecided."""
        if self.is_exact and not self.deviations:
            return "lossless"
        is_lossy = self.total_variation > self.rounding or self.is_off_on_its_grid
        return "lossy" if is_lossy else "undecided"

    @property
    def is_off_on_its_grid(self) -> bool:
        """Whether it is lossless with real uniform numbers, and emits on the grid what the target never does."""
        ideal = self.ideal
        return bool(ideal and ideal.word == "lossless" and self.is_exact and self.impossible)

    @property
    def is_exact(self) -> bool:
        """Whether no number of the program was a rounded one and nothing was idealised."""
        return self.law.level != FLOAT and not self.law.uncertainty and not self.law.is_rounded

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """Every outcome whose probability is not the wanted one, the largest difference first."""
        outcomes = dict.fromkeys((*self.got, *self.want))
        found = [Deviation(o, self._got(o), self._want(o)) for o in outcomes]
        return tuple(
            sorted(
                (deviation for deviation in found if deviation.difference),
                key=lambda deviation: (-abs(deviation.difference), str(deviation.outcome)),
            )
        )

    def _got(self, outcome: Any) -> Fraction:
        return self.got.get(outcome, Fraction(0))

    def _want(self, outcome: Any) -> Fraction:
        return self.want.get(outcome, Fraction(0))

    @property
    def total_variation(self) -> Fraction:
        """The total variation distance of the program's law and the target's."""
        return sum((abs(deviation.difference) for deviation in self.deviations), Fraction(0)) / 2

    @property
    def impossible(self) -> Fraction:
        """The probability of token sequences that the target never emits."""
        return sum(
            (m for o, m in self.got.items() if not self._want(o) and not isinstance(o, Raised)),
            Fraction(0),
        )

    @property
    def crash(self) -> Fraction:
        """The probability that the program raises an exception."""
        return sum(self.law.crashes.values(), Fraction(0))


def judged(tables: Tables, law: Law, length: int, ideal: Audited | None = None) -> Audited:
    """Compare a program's law with the target's, blocks continued by the target to so many tokens.

    Raises:
        Fault: where an outcome is no sequence of token ids.
    """
    got: dict[Outcome, Fraction] = {}
    for outcome, mass in law.masses.items():
        if isinstance(outcome, Raised):
            continued: Mapping[Any, Fraction] = {outcome: Fraction(1)}
        else:
            emitted = tables.up_to_end(token_ids(outcome))[:length]
            continued = tables.continued(emitted, length)
        for sequence, share in continued.items():
            got[sequence] = got.get(sequence, Fraction(0)) + mass * share
    return Audited(tables, length, law, got, tables.continued((), length), ideal)


def token_ids(outcome: Any) -> Ids:
    """What a program emitted, as token ids: one sequence, or a batch of a single one."""
    while isinstance(outcome, tuple) and len(outcome) == 1 and isinstance(outcome[0], tuple):
        outcome = outcome[0]
    if isinstance(outcome, tuple) and all(isinstance(i, int) for i in outcome):
        return tuple(map(int, outcome))
    raise Fault(
        Diagnostic(
            "audit-not-token-ids",
            f"the program returned {outcome!r}"[:300],
            "return the emitted token ids: a list, an array or a tensor of whole numbers",
        )
    )
