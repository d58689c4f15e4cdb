"""The tree of a round's runs: questions with all their answers, and where each run ended."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.prove.case import Case
from exactspec.prove.formula import Formula
from exactspec.prove.polynomial import Polynomial


@dataclass(frozen=True)
class Leaf:
    """The end of one run: what it emitted, or the error that it ended in.

    Args:
        tokens: the emitted tokens that are decided.
        last: the law of one more emitted token, or None.
        accepted: how many of them are accepted drafts, or None.
        state: what is carried over.
        error: what was raised; then there is nothing else.
    """

    tokens: tuple[Token, ...] = ()
    last: Distribution[Token] | None = None
    accepted: int | None = None
    state: Hashable = None
    error: BaseException | None = None


@dataclass(frozen=True)
class Branch:
    """One answer to a question: its weight, or the signs that it stands for; what follows it."""

    outcome: Any
    weight: Formula | None
    case: Case
    then: "Question | Leaf"


@dataclass(frozen=True)
class Question:
    """A draw, or a test of the sign of a polynomial, with all its answers."""

    kind: str
    label: str
    tested: Polynomial | None
    branches: tuple[Branch, ...]


@dataclass
class Asked:
    """A question of the run at hand, and which of its answers is being followed."""

    kind: str
    label: str
    tested: Polynomial | None
    answers: tuple[tuple[Any, Formula | None], ...]
    before: Case
    position: int = 0
    done: list[Branch] = field(default_factory=list)
    _case: Case | None = None

    @property
    def answer(self) -> Any:
        return self.answers[self.position][0]

    @property
    def case(self) -> Case:
        """What is known behind the answer."""
        if self._case is None:
            outcome, weight = self.answers[self.position]
            if weight is None:
                self._case = self.before.where(cast(Polynomial, self.tested), outcome)
            else:
                self._case = self.before.where_positive(weight)
        return self._case

    def close(self, then: "Question | Leaf") -> bool:
        """Note what follows the answer, and go on to the next one; False where there is none."""
        outcome, weight = self.answers[self.position]
        self.done.append(Branch(outcome, weight, self.case, then))
        self.position += 1
        self._case = None
        return self.position < len(self.answers)

    def question(self) -> Question:
        return Question(self.kind, self.label, self.tested, tuple(self.done))


def leaves(node: Question | Leaf) -> Iterator[tuple[tuple[Branch, ...], Leaf]]:
    """Every run: its branches, and where it ended."""
    if isinstance(node, Leaf):
        yield (), node
        return
    for branch in node.branches:
        for branches, leaf in leaves(branch.then):
            yield (branch, *branches), leaf
