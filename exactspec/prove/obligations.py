"""What a proof rests on beside the identity: acceptance in [0, 1], laws, divisors that are positive."""

from collections.abc import Iterator
from dataclasses import dataclass

from exactspec.prove.account import Run, as_formula
from exactspec.prove.certificate import Certificate
from exactspec.prove.formula import Formula
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.world import certificate_of


@dataclass(frozen=True)
class Divisor:
    """A polynomial that is divided by, and why it is positive wherever it is."""

    polynomial: Polynomial
    evidence: Certificate | None


@dataclass(frozen=True)
class Obligations:
    """Everything that had to hold on the way to the identity, and does.

    Args:
        acceptances: the acceptance probabilities, each with that of a rejection.
        laws: the laws that are drawn from, each as outcome -> probability.
        divisors: what is divided by.
    """

    acceptances: tuple[tuple[Formula, Formula], ...]
    laws: tuple[tuple[tuple[object, Formula], ...], ...]
    divisors: tuple[Divisor, ...]


def obligations(program: Program, runs: tuple[Run, ...]) -> Obligations:
    """The obligations of a round that has been read, each once."""
    acceptances: dict[object, tuple[Formula, Formula]] = {}
    laws: dict[object, tuple[tuple[object, Formula], ...]] = {}
    for kind, answers in _questions(program, runs):
        if kind == "accept" and len(answers) == 2:
            chosen = {bool(outcome): weight for outcome, weight in answers}
            acceptances.setdefault(_key(chosen[True]), (chosen[True], chosen[False]))
        elif kind == "draw":
            laws.setdefault(tuple((o, _key(w)) for o, w in answers), answers)
    notes = program.notes
    divisors = tuple(Divisor(d, notes.evidence.get(d)) for d in notes.divisors)
    return Obligations(tuple(acceptances.values()), tuple(laws.values()), divisors)


def _questions(
    program: Program, runs: tuple[Run, ...]
) -> Iterator[tuple[str, tuple[tuple[object, Formula], ...]]]:
    waiting = [program.tree]
    while waiting:
        node = waiting.pop()
        branches = getattr(node, "branches", ())
        waiting += [branch.then for branch in reversed(branches)]
        weights = tuple((b.outcome, b.weight) for b in branches if b.weight is not None)
        if weights:
            yield getattr(node, "kind", ""), weights
    for run in runs:
        if run.leaf.last is not None:
            yield (
                "draw",
                tuple((t, as_formula(program, w)) for t, w in run.leaf.last.possible()),
            )


def _key(formula: Formula) -> object:
    """What tells formulas apart; they do not compare without asking a question."""
    return formula.number, frozenset(formula.powers.items())


def why_not_negative(program: Program, polynomial: Polynomial) -> Certificate | None:
    """Evidence that a polynomial is at least 0: for every table, or where the run has come to."""
    noted = program.notes.evidence.get(polynomial)
    return noted or certificate_of(program.world, polynomial)
