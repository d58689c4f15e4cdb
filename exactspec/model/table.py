"""Conditional tables: context -> distribution of the next token."""

from collections.abc import Hashable, Mapping, Sequence

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault, Location, ModelError
from exactspec.model.context import START, Context, Key, all_tokens, seen_by
from exactspec.text import show_tokens


class TableFault(Fault):
    """A table of the model has no law for a context; the rule that asked is not to blame."""

    @property
    def beyond_the_horizon(self) -> str:
        """Why not every horizon is decided, where this is met beyond the file's horizon."""
        return self.diagnostic.message


class MissingRow(TableFault):
    """A rule or the target's own law looked at a context for which a table has no row."""

    def __init__(
        self, table: str, context: tuple[Token, ...], hint: str, where: Location | None
    ) -> None:
        self.table, self.context = table, context
        place = f"after {show_tokens(context)}" if context else "at the start"
        super().__init__(
            Diagnostic("missing-row", f"the {table} table has no row {place}", hint, where)
        )

    @property
    def beyond_the_horizon(self) -> str:
        return f"the {self.table} table has rows only so far"


class Model:
    """A conditional table: in each context, the row of the longest written key that the context ends with.

    A key that begins with ``START`` is a whole history; it is met only where the context is that
    history, and counts as longer than the same tokens without it.

    Args:
        rows: key -> law of the next token.
        name: ``target`` or ``draft``, for messages.
        end: the token after which nothing follows, or None.
        location: where the table is written.

    Raises:
        MissingRow: (when called) where no written key fits the context.

    >>> from fractions import Fraction
    >>> half = Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    >>> model = Model({(): half, ("a",): Distribution({"b": 1})})
    >>> model.row_after(("b", "a"))
    Distribution({b: 1})
    """

    def __init__(
        self,
        rows: Mapping[Key, Distribution[Token]],
        *,
        name: str = "target",
        end: Token | None = None,
        location: Location | None = None,
    ) -> None:
        self.rows, self.name, self.end, self.location = dict(rows), name, end, location
        self.order = max(map(len, self.rows), default=0)
        prefixes = {key[:length] for key in self.rows for length in range(len(key) + 1)}
        self._prefixes = {(), *prefixes}
        self._found: dict[Key, Distribution[Token]] = {}

    def __call__(self, context: Context) -> Distribution[Token]:
        self.check_is_context(context)
        seen = seen_by(self, context, self.order)
        row = self._found.get(seen) or self._find(seen)
        if row is None:
            raise self.missing(all_tokens(context))
        return row

    def check_is_context(self, context: object) -> None:
        """What the model is asked about must be a context.

        Raises:
            Fault: where it is anything else.
        """
        if not isinstance(context, Context):
            raise Fault(
                Diagnostic(
                    "rule-not-a-context",
                    f"the {self.name} was asked about a {type(context).__name__}, not a context",
                    f"extend the context that the rule was given: {self.name}(context + tokens)",
                )
            )

    def row_after(self, tokens: tuple[Token, ...]) -> Distribution[Token]:
        """The row for a context given as plain tokens, the prompt included."""
        row = self._find((START, *tokens)[-self.order :] if self.order else ())
        if row is None:
            raise self.missing(tokens)
        return row

    def _find(self, seen: Key) -> Distribution[Token] | None:
        for length in range(len(seen), -1, -1):
            row = self.rows.get(seen[len(seen) - length :])
            if row is not None:
                self._found[seen] = row
                return row
        return None

    def visible(self, tokens: Sequence[Token]) -> Hashable:
        """What the table can still see of a context: its longest end that begins a written key.

        Two contexts with the same visible part get the same row, now and after any further tokens.
        """
        seen: Key = (START, *tokens)[-self.order :] if self.order else ()
        return next(
            seen[start:] for start in range(len(seen) + 1) if seen[start:] in self._prefixes
        )

    def ends(self, tokens: Sequence[Token]) -> bool:
        """Whether the last of these tokens is the end token, after which nothing follows."""
        return self.end is not None and len(tokens) > 0 and tokens[-1] == self.end

    def missing(self, context: tuple[Token, ...]) -> MissingRow:
        """The error for a context without a row."""
        if self.end is not None and self.end in context:
            hint = (
                "nothing follows an end token, so a rule has no reason to look there; "
                'if your engine does, write the row that it would see, or one for anywhere: ""'
            )
        else:
            key = " ".join((*context[-1:],)) if context else "^"
            hint = f'write a row for this context (key "{key}"), or one for anywhere: ""'
        return MissingRow(self.name, context, hint, self.location)


class OpenTable(Model):
    """A table whose entries depend on a parameter that has no value yet.

    Raises:
        ModelError: whatever is asked of it.
    """

    def __init__(self, name: str, parameter: str, location: Location | None) -> None:
        super().__init__({}, name=name, location=location)
        self._parameter = parameter

    def __call__(self, context: Context) -> Distribution[Token]:
        raise self._open()

    def row_after(self, tokens: tuple[Token, ...]) -> Distribution[Token]:
        raise self._open()

    def visible(self, tokens: Sequence[Token]) -> Hashable:
        raise self._open()

    def _open(self) -> ModelError:
        message = f"the {self.name} table depends on {self._parameter}, which has no value here"
        hint = (
            f"put in a value, as in --at {self._parameter}=1/2; only check takes all values at once"
        )
        return ModelError([Diagnostic("parameter-open", message, hint, self.location)])
