"""What a verification rule is written with: one function for one round, with one door to randomness.

A rule is called as ``rule(chance, target, draft, context, draft_length=..., **options)``. It may
also name ``state``: what its last round returned as ``Round(state=...)``, None in the first one.
"""

import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from exactspec.chance import Broken, Chance, Token, draws_in, is_decided, plain
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault
from exactspec.model.context import Context
from exactspec.model.table import Model

_GIVEN_BY_THE_ENGINE = ("draft_length", "state")


@dataclass(frozen=True)
class Round:
    """What one round returns.

    Args:
        tokens: the emitted tokens, at least one.
        accepted: how many of them are accepted drafts, or None where the rule doesn't say.
        state: whatever the next round is to know; hashable.
    """

    tokens: Sequence[Token]
    accepted: int | None = None
    state: Hashable = None


@dataclass(frozen=True)
class Algorithm:
    """One round of speculative decoding, with what is known of it.

    Args:
        name: its name in the catalogue, or its function's.
        function: the round itself.
        paper: where it is from.
        lossless_when: the condition under which its authors or we claim that it is lossless.
        acceptance: what is accepted with which probability.
        edge_cases: what happens where p or q is 0, rows are equal, or a draft is cut short.
        seen_in: where a mistake was seen.
        wanted: the law that it promises, if not the target's: (p, q, **options) -> distribution.
        file: the file of a rule that is not of the catalogue, and its ``digest``.
    """

    name: str
    function: Callable[..., Round | tuple[Token, ...]]
    paper: str = ""
    lossless_when: str = ""
    acceptance: str = ""
    edge_cases: str = ""
    seen_in: str = ""
    wanted: Callable[..., Distribution[Token]] | None = None
    file: str | None = None
    digest: str | None = None

    def __call__(self, *arguments: Any, **options: Any) -> Round | tuple[Token, ...]:
        return self.function(*arguments, **options)

    @property
    def of_the_catalogue(self) -> bool:
        """Whether it is one of exactspec's own, and not a guest's."""
        return self.function.__module__.startswith("exactspec.algorithms.")

    @property
    def summary(self) -> str:
        """The first line of the rule's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    def keywords(self) -> Mapping[str, inspect.Parameter]:
        """The keyword parameters, those that the engine gives among them."""
        parameters = list(_signature(self.function).parameters.values())
        return {p.name: p for p in parameters[4:] if p.kind is not p.VAR_KEYWORD}

    def options(self) -> Mapping[str, inspect.Parameter]:
        """The keyword parameters that a model file may set."""
        return {n: p for n, p in self.keywords().items() if n not in _GIVEN_BY_THE_ENGINE}


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """A function's signature, annotations that are texts evaluated where that can be done."""
    try:
        return inspect.signature(function, eval_str=True)
    except Exception:
        return inspect.signature(function)


@overload
def algorithm(function: Callable[..., Any]) -> Algorithm: ...
@overload
def algorithm(
    *,
    paper: str = "",
    lossless_when: str = "",
    acceptance: str = "",
    edge_cases: str = "",
    seen_in: str = "",
    wanted: Callable[..., Distribution[Token]] | None = None,
) -> Callable[[Callable[..., Any]], Algorithm]: ...
def algorithm(function: Callable[..., Any] | None = None, **known: Any) -> Any:
    """Make a function an ``Algorithm`` under its own name; the source (paper, equation) beside it.

    >>> @algorithm(paper="folklore")
    ... def target_only(chance, target, draft, context, *, draft_length):
    ...     "Ignore the draft and emit one token of the target."
    ...     return (chance.draw(target(context), "target"),)
    >>> target_only.name, target_only.summary
    ('target_only', 'Ignore the draft and emit one token of the target.')
    """

    def wrap(inner: Callable[..., Any]) -> Algorithm:
        return Algorithm(inner.__name__, inner, **known)

    return wrap if function is None else wrap(function)


@dataclass(eq=False)
class Drafted(Sequence[Token]):
    """Drafted tokens, each drawn when a rule comes to it; the draft stops after an end token."""

    chance: Chance
    draft: Model
    context: Context
    draft_length: int
    _tokens: list[Token] = field(default_factory=list)

    __hash__ = None  # type: ignore[assignment]  # carried over, it would draw in a round that is over

    def _grow_to(self, count: int) -> None:
        while len(self._tokens) < min(count, self.draft_length) and not self._ended():
            row = self.draft(self.context + self._tokens)
            self._tokens.append(self.chance.draw(row, "draft"))

    def _ended(self) -> bool:
        return self.draft.end is not None and self.draft.ends(self._tokens)

    def looked_at(self) -> tuple[Token, ...]:
        """The drafted tokens that are decided."""
        return tuple(plain(token) for token in self._tokens if is_decided(token))

    def drawn(self) -> int:
        """How many tokens were drawn, decided or not."""
        return len(self._tokens)

    def __len__(self) -> int:
        self._grow_to(self.draft_length)
        return len(self._tokens)

    def __iter__(self) -> Iterator[Token]:
        position = 0
        while True:
            self._grow_to(position + 1)
            if position >= len(self._tokens):
                return
            yield self._tokens[position]
            position += 1

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Token, ...]: ...
    def __getitem__(self, index: int | slice) -> Token | tuple[Token, ...]:
        if isinstance(index, slice):
            forward = index.stop is not None and min(index.start or 0, index.stop) >= 0
            forward = forward and (index.step or 1) > 0
            self._grow_to(index.stop if forward else self.draft_length)
            return tuple(self._tokens[index])
        self._grow_to(index + 1 if index >= 0 else self.draft_length)
        return self._tokens[index]


def draft_tokens(chance: Chance, draft: Model, context: Context, draft_length: int) -> Drafted:
    """Tokens drafted one after another from the draft model, at most ``draft_length`` of them.

    The draft stops after a drafted end token. A token is drawn only when the rule comes to it, so
    that drafts behind a rejection never branch the tree.
    """
    drafted = Drafted(chance, draft, context, draft_length)
    chance.drafting.append(drafted)
    return drafted


def as_round(returned: object, chance: Chance) -> Round:
    """What a rule returned, as a ``Round`` of plain tokens; only the last token may stay undecided.

    Raises:
        Fault: where it returned something else, a draw of an earlier run, or a state that can't be
            hashed.
    """
    outcome = returned if isinstance(returned, Round) else Round(_as_tokens(returned))
    tokens = _as_tokens(outcome.tokens)
    if any(not draw.is_of(chance) for draw in draws_in((tokens, outcome.state))):
        raise Fault(
            Diagnostic(
                "rule-late-look",
                "the round returned a draw of an earlier run",
                "keep nothing between rounds but Round(state=...), and carry tokens in tuples",
            )
        )
    tokens, accepted = _to_the_first_broken(tokens, plain(outcome.accepted))
    state = plain(outcome.state)
    try:
        hash(state)
    except TypeError as error:
        raise Fault(
            Diagnostic(
                "rule-state", f"the state to carry over can't be hashed: {error}", "use tuples"
            )
        ) from None
    return Round((*map(plain, tokens[:-1]), *tokens[-1:]), accepted, state)


def _to_the_first_broken(
    tokens: tuple[Token, ...], accepted: int | None
) -> tuple[tuple[Token, ...], int | None]:
    """The tokens up to an outcome that is no token: nothing follows it."""
    length = next((i + 1 for i, t in enumerate(tokens) if isinstance(t, Broken)), len(tokens))
    if length < len(tokens) and isinstance(accepted, int):
        accepted = min(accepted, length)
    return tokens[:length], accepted


def _as_tokens(value: object) -> tuple[Token, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Fault(
            Diagnostic(
                "rule-returned",
                f"the rule returned a value of type {type(value).__name__}",
                "return Round(tokens, accepted=...) or a tuple of tokens: (token,)",
            )
        )
    return tuple(value)
