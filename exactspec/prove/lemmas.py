"""The single-step chain of the theory for a rule: what is accepted, what is rejected, what comes out."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactspec.chance import Token
from exactspec.prove.formula import Formula, same
from exactspec.prove.identity import Law, SymbolicIdentity, TestsDiffer
from exactspec.prove.program import Program
from exactspec.prove.tree import Leaf, leaves


@dataclass(frozen=True)
class Lemma:
    """One identity of the chain, for every token where it speaks of one.

    Args:
        name: accepted-mass, rejection-probability, total-variation, resampled-mass or single-step.
        sides: token -> what the rule gives, and what the theory says; None for the token where it is one
            statement. Empty where a test of the rule makes it depend on the case.
    """

    name: str
    sides: dict[Token | None, tuple[Formula, Formula]]

    @property
    def holds(self) -> bool:
        """Whether both sides are equal for all tables; else the rule goes another way."""
        return bool(self.sides) and all(same(one, other) for one, other in self.sides.values())


def single_step(program: Program) -> tuple[Lemma, ...]:
    """The chain for a program of draft length 1 that has been read.

    Source: Leviathan, Kalman, Matias 2023, appendix A.1; the theory's sections 2.2 to 2.5.
    """
    reading = program.reading
    target, draft = program.target.row_behind(()), program.draft.row_behind(())

    def lifted(number: object) -> Formula:
        return number if isinstance(number, Formula) else Formula(reading, Fraction(str(number)))

    p = {x: lifted(target[x]) for x in program.vocabulary}
    q = {x: lifted(draft[x]) for x in program.vocabulary}
    zero = lifted(0)
    over = {x: p[x] - p[x].smaller(q[x]) for x in program.vocabulary}
    beta = sum(over.values(), zero)
    distance = sum((abs(p[x] - q[x]) for x in program.vocabulary), zero) * Fraction(1, 2)
    accepted = _masses(program, lambda leaf: leaf.accepted is not None and leaf.accepted >= 1)
    rejected = _masses(program, lambda leaf: leaf.accepted == 0)
    every = _masses(program, lambda leaf: True)
    lemmas = [Lemma("total-variation", {None: (beta, distance)})]
    if _says_what_it_accepts(program):
        lost = None if rejected is None else sum(rejected.values(), zero)
        lemmas = [
            Lemma("accepted-mass", _sides(accepted, {x: p[x].smaller(q[x]) for x in p}, zero)),
            Lemma("rejection-probability", {} if lost is None else {None: (lost, beta)}),
            *lemmas,
            Lemma("resampled-mass", _sides(rejected, over, zero)),
        ]
    return (*lemmas, Lemma("single-step", _sides(every, p, zero)))


def _says_what_it_accepts(program: Program) -> bool:
    return all(leaf.accepted is not None for _, leaf in leaves(program.tree))


def _sides(
    found: dict[Token, Formula] | None, wanted: dict[Token, Formula], zero: Formula
) -> dict[Token | None, tuple[Formula, Formula]]:
    if found is None:
        return {}
    return {x: (found.get(x, zero), wanted[x]) for x in wanted}


def _masses(program: Program, counts: Callable[[Leaf], bool]) -> dict[Token, Formula] | None:
    """The mass of the first tokens of some leaves; None where it depends on a test."""
    identity = SymbolicIdentity(program, most_parts=1, counts=counts)
    try:
        law: Law = identity.law_as_it_stands()
    except TestsDiffer:
        return None
    masses: dict[Token, Formula] = {}
    for block, mass in law.items():
        first = block[0]
        masses[first] = masses[first] + mass if first in masses else mass
    return masses
