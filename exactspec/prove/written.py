"""A proof ready to be written down: its runs, obligations and strings, with the notation for each program."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from exactspec.prove.account import Run, StringAccount, accounts, runs_of
from exactspec.prove.certificate import Certificate
from exactspec.prove.formula import Formula
from exactspec.prove.notation import Notation
from exactspec.prove.obligations import Obligations, obligations, why_not_negative
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.symbols import Quotient, Sum, generalised
from exactspec.prove.theorem import Proof, Theorem


@dataclass(frozen=True)
class WrittenProgram:
    """One program in notation."""

    program: Program

    @cached_property
    def notation(self) -> Notation:
        return Notation(self.program.world)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        return runs_of(self.program)

    @cached_property
    def obligations(self) -> Obligations:
        return obligations(self.program, self.runs)

    @cached_property
    def strings(self) -> tuple[StringAccount, ...]:
        return tuple(accounts(self.program, self.runs))

    def sum(self, polynomial: Polynomial) -> Sum:
        """A polynomial in notation."""
        return self.notation.polynomial(polynomial)

    def quotient(self, formula: Formula) -> Quotient:
        """A formula in notation."""
        return self.notation.formula(formula)

    def kind(self, formula: Formula) -> Quotient:
        """A formula in notation, with letters for the tokens that it speaks of."""
        found = self.quotient(formula)
        sums = [whole for whole, _ in (*found.above, *found.below)]
        general = iter(generalised(sums, self.program.vocabulary))
        above = tuple((next(general), exponent) for _, exponent in found.above)
        return Quotient(found.number, above, tuple((next(general), e) for _, e in found.below))

    def kind_of(self, polynomial: Polynomial) -> Sum:
        """A polynomial in notation, with letters for the tokens that it speaks of."""
        return self.general(self.sum(polynomial))

    def general(self, whole: Sum) -> Sum:
        """A sum with letters for the tokens that it speaks of."""
        return generalised([whole], self.program.vocabulary)[0]

    def evidence(self, polynomial: Polynomial) -> Certificate | None:
        """Why a polynomial is not negative."""
        return why_not_negative(self.program, polynomial)


@dataclass(frozen=True)
class WrittenTheorem(WrittenProgram):
    """One theorem in notation."""

    theorem: Theorem

    @property
    def was_read(self) -> bool:
        """Whether the rule could be followed to the end of every run."""
        return self.theorem.paths > 0

    @property
    def splitting(self) -> frozenset[Polynomial]:
        """The tests whose outcomes lead to different laws, so that the tables are split by them."""
        return frozenset(p for part in self.theorem.parts for p, _ in part.conditions)


@dataclass(frozen=True)
class WrittenProof:
    """A proof in notation."""

    proof: Proof
    theorems: Sequence[WrittenTheorem]
    chain: WrittenProgram | None


def written(proof: Proof) -> WrittenProof:
    """A proof ready to be written down."""
    theorems = tuple(WrittenTheorem(theorem.program, theorem) for theorem in proof.theorems)
    chain = None if proof.chain is None else WrittenProgram(proof.chain)
    return WrittenProof(proof, theorems, chain)
