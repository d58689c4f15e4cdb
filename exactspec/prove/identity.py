"""The round identity for all tables: what a round emits, continued by the target, is the target's law.

The law of a round is summed from the leaves of its tree upwards. Where the answers to a test lead to
the same law, the test does not matter; where they do not, the tables are split by it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactspec.errors import BudgetReached
from exactspec.prove.case import Case
from exactspec.prove.certificate import Certificate
from exactspec.prove.formula import Formula
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Block, Program
from exactspec.prove.signs import ANY, ZERO, Signs
from exactspec.prove.tree import Branch, Leaf, Question

Law = dict[Block, Formula]
Condition = tuple[Polynomial, Signs]


@dataclass(frozen=True)
class Part:
    """A part of all tables in which the identity was compared as it stands.

    Args:
        conditions: polynomials with the signs that they have there.
        case: what is known there.
        differences: each string for which the two sides differ, with the emitted side less the wanted one.
        empty: evidence that no table is in this part.
    """

    conditions: tuple[Condition, ...]
    case: Case
    differences: tuple[tuple[Block, Formula], ...] = ()
    empty: Certificate | None = None


class TestsDiffer(Exception):
    """The answers to a test lead to different laws."""

    def __init__(self, tested: Polynomial, choices: Sequence[Signs]) -> None:
        self.tested, self.choices = tested, tuple(choices)
        super().__init__()


@dataclass
class SymbolicIdentity:
    """Both sides of the round identity for one program.

    Args:
        program: the round, read.
        most_parts: into how many parts the tables are split at most.
        on_progress: told the number of parts done.
        counts: which leaves count; all of them for the round identity.
    """

    program: Program
    most_parts: int
    on_progress: Callable[[int], None] = lambda parts: None
    counts: Callable[[Leaf], bool] = lambda leaf: True
    merged: list[Polynomial] = field(default_factory=list)
    _laws: dict[int, tuple[object, Law]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.length = self.program.longest_block()
        self.wanted = dict(self.program.strings(self.length))

    def parts(self) -> Iterator[Part]:
        """Every part of the tables, with the strings for which the identity fails there.

        Raises:
            BudgetReached: after ``most_parts`` parts.
        """
        waiting: list[tuple[dict[Polynomial, Signs], Case]] = [({}, self.program.notes.start)]
        done = 0
        while waiting:
            assumed, case = waiting.pop()
            if done + len(waiting) > self.most_parts:
                reason = f"the tests split the tables into more than {self.most_parts:,} parts"
                raise BudgetReached(
                    "parts", reason, "prove a smaller vocabulary or a shorter draft"
                )
            try:
                differences = self._differences(assumed, case)
            except TestsDiffer as split:
                for signs in split.choices:
                    inner = case.where(split.tested, signs)
                    both = {**assumed, split.tested: signs}
                    empty = inner.is_impossible()
                    if empty is None:
                        waiting.append((both, inner))
                    else:
                        yield Part(tuple(both.items()), inner, empty=empty)
                continue
            done += 1
            self.on_progress(done)
            yield Part(tuple(assumed.items()), case, tuple(differences))

    def _differences(
        self, assumed: dict[Polynomial, Signs], case: Case
    ) -> list[tuple[Block, Formula]]:
        law = self.completed(self._law(self.program.tree, assumed))
        return list(self._unequal(law, self.wanted, case))

    def _unequal(self, one: Law, other: Law, case: Case) -> Iterator[tuple[Block, Formula]]:
        nothing = Formula(self.program.reading, Fraction(0))
        for block in dict.fromkeys((*one, *other)):
            difference = one.get(block, nothing) - other.get(block, nothing)
            here = case.formula(difference)
            if here is None or not here.is_zero:
                yield block, difference

    def law_as_it_stands(self) -> Law:
        """The law of the blocks that count, not continued.

        Raises:
            TestsDiffer: where it depends on a test.
        """
        return self._law(self.program.tree, {})

    def completed(self, law: Law) -> Law:
        """A law of blocks as a law of strings of one length: each block continued by the target."""
        whole: Law = {}
        for block in sorted(law, key=len, reverse=True):
            if not set(block) <= set(self.program.vocabulary) or not block:
                _add(whole, block, law[block])
                continue
            for string, rest in self.program.strings(self.length, block):
                _add(whole, string, law[block] * rest)
        return whole

    def _law(self, node: Question | Leaf, assumed: dict[Polynomial, Signs]) -> Law:
        if isinstance(node, Leaf):
            return self._emitted_at(node)
        if node.tested is not None:
            return self._law_behind_test(node, assumed)
        law: Law = {}
        for branch in node.branches:
            for block, formula in self._law(branch.then, assumed).items():
                assert branch.weight is not None
                _add(law, block, branch.weight * formula)
        return law

    def _emitted_at(self, leaf: Leaf) -> Law:
        reading = self.program.reading
        if leaf.error is not None or not self.counts(leaf):
            return {}
        if leaf.last is None:
            return {leaf.tokens: Formula(reading, Fraction(1))}
        weights = leaf.last.possible()
        lifted = ((t, w if isinstance(w, Formula) else Formula(reading, w)) for t, w in weights)
        return {(*leaf.tokens, token): weight for token, weight in lifted}

    def _law_behind_test(self, node: Question, assumed: dict[Polynomial, Signs]) -> Law:
        assert node.tested is not None
        signs = assumed.get(node.tested, ANY)
        branches = [b for b in node.branches if _is_real(b) and b.outcome & signs]
        laws = [(branch, self._law(branch.then, assumed)) for branch in branches]
        if not laws:
            return {}
        if len(laws) == 1:
            return laws[0][1]
        reference, law = next((x for x in laws if x[0].outcome != ZERO), laws[0])
        if all(other.keys() == law.keys() for _, other in laws) and self._agree(
            laws, reference, law
        ):
            return law
        whole = self.completed(law)
        wholes = [(branch, self.completed(other)) for branch, other in laws]
        if not self._agree(wholes, reference, whole):
            raise TestsDiffer(node.tested, _covering(signs, branches))
        if node.tested not in self.merged:
            self.merged.append(node.tested)
        return whole

    def _agree(self, laws: Sequence[tuple[Branch, Law]], reference: Branch, law: Law) -> bool:
        """Whether each branch's law is the reference's, in the tables of that branch."""
        return not any(
            True
            for branch, other in laws
            if branch is not reference
            for _ in self._unequal(other, law, branch.case)
        )


def _covering(signs: Signs, branches: Sequence[Branch]) -> list[Signs]:
    """The answers that lead on here, and the signs that can't occur here, but may elsewhere."""
    choices = [branch.outcome & signs for branch in branches]
    left = signs.difference(*choices)
    return [*choices, left] if left else choices


def _is_real(branch: Branch) -> bool:
    return not (isinstance(branch.then, Leaf) and branch.then.error is not None)


def _add(law: Law, block: Block, formula: Formula) -> None:
    law[block] = law[block] + formula if block in law else formula
