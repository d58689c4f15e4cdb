"""A request's steps on a table: temperature, filters, penalties, masks, in the order in which they stand.

What a step needs of the history becomes part of what the model can see, so that states that the step
tells apart are not merged. Steps speak of the emitted tokens, the prompt not counted.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction

from exactspec import transforms
from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic
from exactspec.model.context import Context, all_seen_by
from exactspec.model.nodes import Node
from exactspec.model.rows import RowReader, Rows
from exactspec.model.table import Model, TableFault
from exactspec.model.values import Reader
from exactspec.text import show_tokens

Tokens = tuple[Token, ...]
Row = Distribution[Token]
Looking = Callable[[], AbstractContextManager[None]]
_MOST = 1_000


@dataclass(frozen=True)
class Step:
    """One step of a request.

    Args:
        name: as the model file has it.
        apply: (row, emitted tokens) -> row.
        sees: emitted tokens -> what of them the step can still see, now and later.
    """

    name: str
    apply: Callable[[Row, Tokens], Row]
    sees: Callable[[Tokens], Hashable] = lambda emitted: None


class TransformedModel(Model):
    """A table with steps applied to every row.

    Args:
        table: the table.
        steps: in their order.
        prompt: the tokens before the first emitted one.
        looking: entered while a step compares numbers.

    Raises:
        TableFault: (when called) where a step leaves no token.
    """

    def __init__(
        self, table: Model, steps: Sequence[Step], prompt: Tokens, looking: Looking = nullcontext
    ) -> None:
        super().__init__(table.rows, name=table.name, end=table.end, location=table.location)
        self._steps, self._prompt, self._looking = tuple(steps), len(prompt), looking
        self._done: dict[Hashable, Row] = {}

    def __call__(self, context: Context) -> Row:
        return self._transformed(super().__call__(context), all_seen_by(self, context))

    def row_after(self, tokens: Tokens) -> Row:
        """The transformed row for a context given as plain tokens, the prompt included."""
        return self._transformed(super().row_after(tokens), tokens)

    def visible(self, tokens: Sequence[Token]) -> Hashable:
        """What the table and its steps can still see of a context."""
        emitted = tuple(tokens[self._prompt :])
        return super().visible(tokens), tuple(step.sees(emitted) for step in self._steps)

    def _transformed(self, row: Row, tokens: Tokens) -> Row:
        emitted = tokens[self._prompt :]
        key = (id(row), *(step.sees(emitted) for step in self._steps))
        if key not in self._done:
            with self._looking():
                self._done[key] = self._applied(row, tokens, emitted)
        return self._done[key]

    def _applied(self, row: Row, tokens: Tokens, emitted: Tokens) -> Row:
        for step in self._steps:
            try:
                row = step.apply(row, emitted)
            except ValueError:
                place = f"after {show_tokens(tokens)}" if tokens else "at the start"
                message = f"the step {step.name} leaves no token of the {self.name} {place}"
                hint = "every step must keep a token of positive probability"
                raise TableFault(
                    Diagnostic("no-token-left", message, hint, self.location)
                ) from None
        return row


def _temperature(inverse: int) -> Step:
    return Step("temperature", lambda row, _: transforms.temperature(row, inverse))


def _top_k(count: int) -> Step:
    return Step("top_k", lambda row, _: transforms.top_k(row, count))


def _top_p(mass: Fraction) -> Step:
    return Step("top_p", lambda row, _: transforms.top_p(row, mass))


def _min_p(share: Fraction) -> Step:
    return Step("min_p", lambda row, _: transforms.min_p(row, share))


def _presence_penalty(factor: Fraction) -> Step:
    def apply(row: Row, emitted: Tokens) -> Row:
        return transforms.penalised(row, dict.fromkeys(emitted, factor))

    return Step("presence_penalty", apply, frozenset)


def _frequency_penalty(factor: Fraction) -> Step:
    def apply(row: Row, emitted: Tokens) -> Row:
        return transforms.penalised(row, {x: factor**n for x, n in Counter(emitted).items()})

    return Step("frequency_penalty", apply, lambda emitted: frozenset(Counter(emitted).items()))


def _min_tokens(count: int, end: Token) -> Step:
    def apply(row: Row, emitted: Tokens) -> Row:
        return row if len(emitted) >= count else transforms.penalised(row, {end: 0})

    return Step("min_tokens", apply, lambda emitted: min(len(emitted), count))


def _allow(masks: Rows, prompt: Tokens) -> Step:
    table = Model(masks, name="allow")

    def apply(row: Row, emitted: Tokens) -> Row:
        return transforms.allowed(row, set(table.row_after((*prompt, *emitted))))

    return Step("allow", apply, lambda emitted: table.visible((*prompt, *emitted)))


class StepReader:
    """Reads the list of steps of one table.

    Args:
        read: turns nodes into values.
        rows: reads what is written in tokens.
        vocabulary: all tokens.
        end: the end token.
        prompt: the tokens before the first emitted one.
    """

    def __init__(
        self, read: Reader, rows: RowReader, vocabulary: Tokens, end: Token | None, prompt: Tokens
    ) -> None:
        self._read, self._rows = read, rows
        self._vocabulary, self._end, self._prompt = vocabulary, end, prompt
        self._steps: dict[str, Callable[[Node], Step]] = {
            "temperature": lambda node: _temperature(self._inverse(node)),
            "top_k": lambda node: _top_k(read.count(1, _MOST)(node)),
            "top_p": lambda node: _top_p(self._share(node)),
            "min_p": lambda node: _min_p(self._share(node)),
            "presence_penalty": lambda node: _presence_penalty(read.number(node)),
            "frequency_penalty": lambda node: _frequency_penalty(read.number(node)),
            "min_tokens": lambda node: _min_tokens(read.count(0, _MOST)(node), self._ending(node)),
            "allow": lambda node: _allow(self._masks(node), prompt),
        }

    def steps(self, node: Node) -> list[Step]:
        """The steps in their order."""
        if node.kind != "list":
            self._read.wrong_type(
                node, "a list of steps", "for example: [top_k: 2, temperature: 1/2]"
            )
            return []
        return [step for item in node.items for step in self._step(item)]

    def _step(self, node: Node) -> list[Step]:
        if node.kind != "map" or len(node.pairs) != 1:
            self._read.wrong_type(node, "one step: its name and value", "for example: top_k: 2")
            return []
        fields = self._read.fields(node, self._steps, ())
        return [self._steps[name](value) for name, value in fields.items()]

    def _inverse(self, node: Node) -> int:
        value = self._read.number(node)
        if value > 0 and value.numerator == 1:
            return value.denominator
        hint = "1/2, 1/3, ...: a law to any other power is not rational"
        self._read.wrong_type(node, "a temperature of 1 over a whole number", hint)
        return 1

    def _ending(self, node: Node) -> Token:
        if self._end is None:
            hint = "min_tokens holds back the end token; name it: end: $"
            self._read.wrong(node, "missing-key", "there is no end token", hint)
        return self._end or ""

    def _share(self, node: Node) -> Fraction:
        value = self._read.number(node)
        if value > 1:
            self._read.wrong_type(node, "a share from 0 to 1")
        return value

    def _masks(self, node: Node) -> Rows:
        masks: Rows = {(): _even(self._vocabulary)}
        if node.kind != "map":
            hint = 'for example: {"": [a, b], a: [b]}'
            self._read.wrong_type(node, "a map from contexts to lists of tokens", hint)
            return masks
        seen = set()
        for key, value in node.pairs:
            errors_before = self._read.errors
            context, tokens = self._rows.context(key), self._rows.tokens(value)
            if context in seen:
                self._read.wrong(
                    key, "duplicate-context", "a second mask for this context", "keep one"
                )
            if not tokens and self._read.errors == errors_before:
                self._read.wrong_type(value, "at least one allowed token")
            if context is not None and tokens:
                seen.add(context)
                masks[context] = _even(tokens)
        return masks


def _even(tokens: Tokens) -> Row:
    return Distribution.normalised(dict.fromkeys(tokens, 1))
