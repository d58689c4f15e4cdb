"""The tokens seen so far, opaque to a rule: models look at it, ``+`` extends it, other looks are noted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from exactspec.chance import Draw, Token, is_decided, plain
from exactspec.errors import Diagnostic, Fault

START: Final = None
Key = tuple[Token | None, ...]


@dataclass
class Looks:
    """What a rule looked at in its contexts by itself, rather than through the models.

    States whose rounds could differ by it must not be merged: the last ``suffix`` tokens, the
    ``length``, or the ``whole`` history become part of the state. ``models`` are those whose view
    is part of every state already; a model of the rule's own is a look of the rule.
    """

    suffix: int = 0
    length: bool = False
    whole: bool = False
    models: tuple[object, ...] = ()

    def key(self, tokens: tuple[Token, ...]) -> tuple[object, ...]:
        """The part of a context that was looked at."""
        if self.whole:
            return tokens
        end = tokens[-self.suffix :] if self.suffix else ()
        return (*end, len(tokens)) if self.length else end

    @property
    def grow_with_the_context(self) -> bool:
        return self.length or self.whole


class Context:
    """The tokens that a round starts from, the prompt included, with what the rule has added."""

    __slots__ = ("_added", "_base", "_looks")

    def __init__(
        self, base: tuple[Token, ...], looks: Looks, added: tuple[Token, ...] = ()
    ) -> None:
        self._base, self._looks, self._added = base, looks, added

    def __add__(self, tokens: Iterable[Token]) -> "Context":
        if isinstance(tokens, str | Draw):
            raise Fault(
                Diagnostic(
                    "rule-not-tokens",
                    "a single token was added to a context",
                    "add a tuple of tokens: context + (token,)",
                )
            )
        return Context(self._base, self._looks, (*self._added, *tokens))

    def _seen_by(self, model: object, count: int) -> Key:
        """The last tokens as a model sees them: decided, and beginning with START where it is reached."""
        if not any(model is known for known in self._looks.models):
            self._looks.suffix = max(self._looks.suffix, count - len(self._added))
        if count == 0:
            return ()
        if count > len(self._added):
            rest = count - len(self._added)
            base: Key = self._base[-rest:] if rest <= len(self._base) else (START, *self._base)
            return (*base, *map(plain, self._added))
        return tuple(map(plain, self._added[-count:]))

    def _all_seen_by(self, model: object) -> tuple[Token, ...]:
        if not any(model is known for known in self._looks.models):
            self._looks.whole = True
        return self._tokens()

    def _tokens(self) -> tuple[Token, ...]:
        return (*self._base, *map(plain, self._added))

    def _is_decided(self) -> bool:
        return all(map(is_decided, self._added))

    def _look_at_everything(self) -> tuple[Token, ...]:
        self._looks.whole = True
        return self._tokens()

    def __copy__(self) -> "Context":
        return self

    def __deepcopy__(self, memo: object) -> "Context":
        return self

    def __len__(self) -> int:
        self._looks.length = True
        return len(self._base) + len(self._added)

    def __getitem__(self, index: int | slice) -> Token | tuple[Token, ...]:
        reach = _reach_from_the_end(index)
        if reach is None:
            return self._look_at_everything()[index]
        into_base = reach - len(self._added)
        self._looks.suffix = max(self._looks.suffix, into_base)
        return self._tokens()[index]

    def __iter__(self) -> Iterator[Token]:
        return iter(self._look_at_everything())

    def __contains__(self, token: object) -> bool:
        return token in self._look_at_everything()

    def __eq__(self, other: object) -> bool:
        mine = self._look_at_everything()
        return mine == (other._look_at_everything() if isinstance(other, Context) else other)

    def __hash__(self) -> int:
        return hash(self._look_at_everything())

    def __repr__(self) -> str:
        return f"Context({self._look_at_everything()!r})"


def seen_by(model: object, context: Context, count: int) -> Key:
    """The last ``count`` tokens of a context, for a model to look at."""
    return context._seen_by(model, count)


def all_seen_by(model: object, context: Context) -> tuple[Token, ...]:
    """The tokens of a context, for a model that looks at all of them."""
    return context._all_seen_by(model)


def all_tokens(context: Context) -> tuple[Token, ...]:
    """The tokens of a context, for the engine and its messages; a rule's own look is noted instead."""
    return context._tokens()


def every_token_is_decided(context: Context) -> bool:
    """Whether the tokens of a context can be read without deciding a draw."""
    return context._is_decided()


def _reach_from_the_end(index: int | slice) -> int | None:
    """How many of the last tokens an index can depend on; None where it counts from the start."""
    if isinstance(index, int):
        return -index if index < 0 else None
    start, stop, step = index.start, index.stop, index.step
    if not isinstance(start, int) or start >= 0 or step not in (None, 1):
        return None
    return -start if stop is None or (isinstance(stop, int) and stop < 0) else None
