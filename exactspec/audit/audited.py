"""What an audit of a program found: its law against the target's, in the three words."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from exactspec.audit.law import Law
from exactspec.audit.tables import Ids, Tables
from exactspec.audit.world import FLOAT, Raised
from exactspec.errors import Diagnostic, Fault
from exactspec.text import fraction_text

Outcome = Ids | Raised
UNITS = 64
FLOAT32 = Fraction(1, 2**24)
_ONE = Fraction(1)


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


def judged_blocks(
    tables: Tables, law: Law, draft_length: int, ideal: Audited | None = None
) -> Audited:
    """Compare one step's law with the target's: emitted blocks, continued by the target.

    They are continued to γ + 1 tokens, or to the longest block where one is longer.

    Raises:
        Fault: where an outcome is no sequence of token ids, or an empty one.
    """
    emitted = _emitted(tables, law)
    if () in emitted:
        raise Fault(
            Diagnostic(
                "audit-empty-block",
                "the step emits no token, with probability " + fraction_text(emitted[()]),
                "return all tokens of the step: the accepted drafts and the residual or bonus token",
            )
        )
    length = max([draft_length + 1, *(len(o) for o in emitted if not isinstance(o, Raised))])
    got: dict[Outcome, Fraction] = {}
    for outcome, mass in emitted.items():
        is_continued = not isinstance(outcome, Raised) and tables.has(outcome)
        law_of_it = (
            tables.continued(cast(Ids, outcome), length) if is_continued else {outcome: _ONE}
        )
        for sequence, share in law_of_it.items():
            got[sequence] = got.get(sequence, Fraction(0)) + mass * share
    return Audited(tables, length, law, got, tables.continued((), length), ideal)


def judged_sequences(
    tables: Tables, law: Law, length: int, ideal: Audited | None = None
) -> Audited:
    """Compare a loop's law with the target's: its first tokens, up to an end token; none are added.

    Raises:
        Fault: where an outcome is no sequence of token ids.
    """
    got: dict[Outcome, Fraction] = {}
    for outcome, mass in _emitted(tables, law).items():
        cut = outcome if isinstance(outcome, Raised) else outcome[:length]
        got[cut] = got.get(cut, Fraction(0)) + mass
    return Audited(tables, length, law, got, tables.continued((), length), ideal)


def _emitted(tables: Tables, law: Law) -> dict[Outcome, Fraction]:
    """The law of what a program emits, up to an end token."""
    emitted: dict[Outcome, Fraction] = {}
    for outcome, mass in law.masses.items():
        result = outcome if isinstance(outcome, Raised) else tables.up_to_end(token_ids(outcome))
        emitted[result] = emitted.get(result, Fraction(0)) + mass
    return emitted


def _sole_element(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def token_ids(outcome: Any) -> Ids:
    """What a program emitted, as token ids: one sequence, or a batch of a single one.

    A token may be an array of one element.

    Raises:
        Fault: for anything else.
    """
    while isinstance(outcome, tuple) and len(outcome) == 1 and isinstance(outcome[0], tuple):
        outcome = outcome[0]
    if isinstance(outcome, tuple):
        outcome = tuple(map(_sole_element, outcome))
    if isinstance(outcome, tuple) and all(type(i) is int for i in outcome):
        return outcome
    raise not_token_ids(f"{outcome!r}")


def not_token_ids(returned: str) -> Fault:
    """What a program returned is no sequence of token ids."""
    return Fault(
        Diagnostic(
            "audit-not-token-ids",
            f"the program returned {returned}"[:300],
            "return the emitted token ids: a list, an array or a tensor of whole numbers",
        )
    )
