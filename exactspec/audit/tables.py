"""The tables of an audit as a program sees them: token ids, and rows of probabilities.

A scenario's tokens are numbered as its vocabulary lists them. After an end token, where the tables say
nothing, a row is even: real models go on and answer something.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from exactspec.distribution import Distribution
from exactspec.errors import BudgetReached
from exactspec.model.context import Context, Looks
from exactspec.model.scenario import Scenario
from exactspec.model.table import Model

MOST_SEQUENCES = 1_000_000
Ids = tuple[int, ...]
Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Tables:
    """A scenario's tables over token ids.

    >>> from exactspec import parse
    >>> tables = Tables(parse(b"version: 1\\nvocabulary: [a, b]\\ndraft_length: 1\\ntarget: {a: 1/3, b: 2/3}\\ndraft: {a: 1}"))
    >>> tables.target((0, 1)), tables.draft(())
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 1), Fraction(0, 1)))
    """

    scenario: Scenario

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return len(self.scenario.vocabulary)

    @cached_property
    def end(self) -> int | None:
        """The id of the end token."""
        end = self.scenario.end
        return None if end is None else self.scenario.vocabulary.index(end)

    @cached_property
    def context(self) -> Ids:
        """The ids of the prompt."""
        return tuple(map(self.scenario.vocabulary.index, self.scenario.prompt))

    def target(self, context: Ids) -> Row:
        """The target's probability of each token after a context, the prompt included."""
        return self._row(self.scenario.target, context)

    def draft(self, context: Ids) -> Row:
        """The draft's probability of each token after a context, the prompt included."""
        return self._row(self.scenario.draft, context)

    def _row(self, model: Model, context: Ids) -> Row:
        if self.end is not None and self.end in context[len(self.context) :]:
            return (Fraction(1, self.size),) * self.size
        tokens = tuple(self.scenario.vocabulary[i] for i in context)
        law: Distribution[str] = model(Context(tokens, Looks()))
        return tuple(law[token] for token in self.scenario.vocabulary)

    def names(self, ids: Ids) -> tuple[str, ...]:
        """Tokens by their names; an id that is no token by its number."""
        vocabulary = self.scenario.vocabulary
        return tuple(vocabulary[i] if 0 <= i < self.size else f"<id {i}>" for i in ids)

    def has(self, ids: Ids) -> bool:
        """Whether all ids are tokens."""
        return all(0 <= i < self.size for i in ids)

    def up_to_end(self, ids: Ids) -> Ids:
        """The part of emitted tokens that counts: nothing follows an end token."""
        return ids if self.end is None or self.end not in ids else ids[: ids.index(self.end) + 1]

    def continued(self, ids: Ids, length: int) -> dict[Ids, Fraction]:
        """The law of what a string becomes when the target continues it to so many tokens.

        Raises:
            BudgetReached: where it becomes too many.
        """
        law = {ids: Fraction(1)}
        for _ in range(length - len(ids)):
            law = self._one_more(law)
            if len(law) > MOST_SEQUENCES:
                raise BudgetReached(
                    "sequences",
                    f"there are more than {MOST_SEQUENCES:,} sequences of {length} tokens to compare",
                    "fewer tokens, or a smaller vocabulary; a step returns the new tokens only",
                )
        return law

    def _one_more(self, law: dict[Ids, Fraction]) -> dict[Ids, Fraction]:
        grown: dict[Ids, Fraction] = {}
        for ids, mass in law.items():
            if self.end is not None and self.end in ids:
                grown[ids] = grown.get(ids, Fraction(0)) + mass
                continue
            for token, weight in enumerate(self.target(self.context + ids)):
                if weight:
                    grown[(*ids, token)] = mass * weight
        return grown
