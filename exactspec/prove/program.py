"""One round of a rule, for every target and every draft over a vocabulary."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context, Looks, all_seen_by
from exactspec.model.table import Model
from exactspec.prove.case import Case
from exactspec.prove.formula import Formula
from exactspec.prove.reading import Notes, Reading, read
from exactspec.prove.tree import Leaf, Question, leaves
from exactspec.prove.world import Entry, World
from exactspec.rule import Algorithm

Block = tuple[Token, ...]


class FreeModel(Model):
    """A table with a row of its own in every context, each entry a variable.

    Args:
        reading: who answers questions about the entries.
        name: ``target`` or ``draft``.
        vocabulary: all tokens.
        end: the token after which nothing follows, or None.
    """

    def __init__(
        self, reading: Reading, name: str, vocabulary: tuple[Token, ...], end: Token | None
    ) -> None:
        super().__init__({}, name=name, end=end)
        self._reading, self._vocabulary = reading, vocabulary
        self._rows: dict[Block, Distribution[Token]] = {}

    def __call__(self, context: Context) -> Distribution[Token]:
        self.check_is_context(context)
        return self.row_behind(all_seen_by(self, context))

    def row_after(self, tokens: Block) -> Distribution[Token]:
        self._reading.refuse(f"the {self.name} is asked for a row by tokens, not by a context")

    def __getattribute__(self, name: str) -> Any:
        if name in ("rows", "order", "visible") and "_reading" in vars(self):
            self._reading.refuse(f"the {name} of the {self.name} table are looked at")
        return super().__getattribute__(name)

    def row_behind(self, tokens: Block) -> Distribution[Token]:
        """The row behind some added tokens, for the engine."""
        if self.end is not None and self.end in tokens:
            raise self.missing(tokens)
        if tokens not in self._rows:
            entries = self._reading.world.row(self.name, tokens, self._vocabulary)
            weights = (Formula.of(self._reading, entry) for entry in entries)
            self._rows[tokens] = Distribution(
                cast(Any, dict(zip(self._vocabulary, weights, strict=True)))
            )
        return self._rows[tokens]


@dataclass
class Program:
    """One round, with or without an end token, from one carried state.

    Args:
        rule: the rule.
        vocabulary: the tokens, the end token among them.
        end: the token after which nothing follows, or None.
        draft_length: how many tokens are drafted at most.
        options: the rule's options.
        state: what the last round has carried over.
    """

    rule: Algorithm
    vocabulary: tuple[Token, ...]
    end: Token | None
    draft_length: int
    options: Mapping[str, Any]
    state: object = None
    world: World = field(default_factory=World)

    def __post_init__(self) -> None:
        self.notes = Notes(Case(self.world))
        self.reading = Reading(self.world, self.notes)
        self.target = FreeModel(self.reading, "target", self.vocabulary, self.end)
        self.draft = FreeModel(self.reading, "draft", self.vocabulary, self.end)
        self.looks = Looks(models=(self.target, self.draft))
        self.tree: Question | Leaf = Leaf()

    def read(self, most_runs: int, on_progress: Callable[[int], None]) -> None:
        """Follow the rule on all tables.

        Raises:
            Unreadable: where it does what can't be followed, or looks at its context.
            BudgetReached: after ``most_runs`` runs.
        """
        self.tree = read(self._run, self.reading, most_runs=most_runs, on_progress=on_progress)

    def _run(self, chance: Chance) -> object:
        given = {"draft_length": self.draft_length, "state": self.state}
        keywords = {n: v for n, v in given.items() if n in self.rule.keywords()}
        context = Context((), self.looks)
        try:
            return self.rule(chance, self.target, self.draft, context, **keywords, **self.options)
        finally:
            if self.looks.suffix or self.looks.length or self.looks.whole:
                self.reading.refuse("the rule looks at its context by itself")

    def longest_block(self) -> int:
        """The number of tokens of the longest block that a round can emit."""
        ends = (leaf for _, leaf in leaves(self.tree))
        return max(len(leaf.tokens) + (leaf.last is not None) for leaf in ends)

    def target_weight(self, after: Block, token: Token) -> Formula:
        """The target's probability of a token behind some emitted ones."""
        weight = self.target.row_behind(after)[token]
        return weight if isinstance(weight, Formula) else Formula(self.reading, weight)

    def strings(self, length: int, after: Block = ()) -> Iterator[tuple[Block, Formula]]:
        """Every string that the target can go on with to a length, or to its end, with its probability."""
        one = Formula(self.reading, Fraction(1))
        if len(after) >= length or (after and after[-1] == self.end):
            yield after, one
            return
        for token in self.vocabulary:
            weight = self.target_weight(after, token)
            for string, rest in self.strings(length, (*after, token)):
                yield string, weight * rest

    def contexts(self) -> set[Block]:
        """The added tokens behind which a row was looked at."""
        entries = (m for m in self.world.meanings if isinstance(m, Entry))
        return {entry.after for entry in entries}

    def values(self, tables: Mapping[str, Model], before: Block = ()) -> Callable[[int], Fraction]:
        """The value of every variable on given tables, by the names target and draft.

        Args:
            tables: the models.
            before: the context from which the round begins.
        """

        def entry(entry: Entry) -> Fraction:
            return tables[entry.table].row_after((*before, *entry.after))[entry.token]

        return self.world.values(entry)
