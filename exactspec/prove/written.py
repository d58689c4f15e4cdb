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
from exactspec.prove.program import Block, Program
from exactspec.prove.symbols import Quotient, Sum, generalised, single
from exactspec.prove.theorem import Proof, Theorem
from exactspec.prove.world import Entry


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

    @cached_property
    def block_laws(self) -> tuple[tuple[Block, Quotient], ...]:
        """The mass of each block that a round can emit, with letters for tokens where it is the same for all.

        Empty where the rule's tests make it one of several.
        """
        totals = {b.tokens: b.total for string in self.strings for b in string.blocks}
        kinds: dict[Block, list[Quotient]] = {}
        every: list[tuple[Block, Block, Quotient]] = []
        for block, total in totals.items():
            if total is None:
                return ()
            pattern, general = self._block_kind(block, total)
            if general not in kinds.setdefault(pattern, []):
                kinds[pattern].append(general)
            every.append((block, pattern, self.quotient(total)))
        found: dict[Block, Quotient] = {}
        for block, pattern, alone in every:
            is_one = len(kinds[pattern]) == 1
            found[pattern if is_one else block] = kinds[pattern][0] if is_one else alone
        return tuple(sorted(found.items(), key=lambda law: (len(law[0]), law[0])))

    def _block_kind(self, block: Block, total: Formula) -> tuple[Block, Quotient]:
        """A block and its mass with letters for its tokens, but for the end token."""
        plain = [token for token in self.program.vocabulary if token != self.program.end]
        place: Sum = single(Entry("target", block[:-1], block[-1]))
        found = self.quotient(total)
        sums = [place, *(whole for whole, _ in (*found.above, *found.below))]
        (((_, (entry,)),), *general) = generalised(sums, self.program.vocabulary, plain)
        assert isinstance(entry, Entry)
        return (*entry.after, entry.token), _put(found, general)

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
        return _put(found, generalised(sums, self.program.vocabulary))

    def kind_of(self, polynomial: Polynomial) -> Sum:
        """A polynomial in notation, with letters for the tokens that it speaks of."""
        return self.general(self.sum(polynomial))

    def general(self, whole: Sum) -> Sum:
        """A sum with letters for the tokens that it speaks of."""
        return generalised([whole], self.program.vocabulary)[0]

    def evidence(self, polynomial: Polynomial) -> Certificate | None:
        """Why a polynomial is not negative."""
        return why_not_negative(self.program, polynomial)


def _put(quotient: Quotient, sums: Sequence[Sum]) -> Quotient:
    """A quotient with other sums in the places of its own."""
    left = iter(sums)
    above = tuple((next(left), exponent) for _, exponent in quotient.above)
    return Quotient(quotient.number, above, tuple((next(left), e) for _, e in quotient.below))


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
