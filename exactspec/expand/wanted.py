"""The law that is wanted: the target's, a table of its own, or what the rule itself promises."""

from collections.abc import Hashable
from typing import Any, Protocol

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Location, ModelError, RuleError
from exactspec.model.scenario import Scenario
from exactspec.model.table import MissingRow, Model
from exactspec.rule import Algorithm
from exactspec.text import show


class Law(Protocol):
    """A conditional law: a ``Model``, or one that is made of models."""

    def row_after(self, tokens: tuple[Token, ...]) -> Distribution[Token]:
        """The law of the next token after a context."""

    def visible(self, tokens: tuple[Token, ...]) -> Hashable:
        """What of a context the law can still see, now and after any further tokens."""


class _NoRow:
    """Stands for a draft row that is missing; an error only where the promised law looks at it."""

    def __init__(self, missing: MissingRow) -> None:
        self._missing = missing

    def __getattr__(self, name: str) -> Any:
        raise self._missing

    def __getitem__(self, token: Token) -> Any:
        raise self._missing

    def __iter__(self) -> Any:
        raise self._missing


class PromisedLaw:
    """The law that a rule promises, made of the rows of target and draft, as a cascade does."""

    def __init__(self, scenario: Scenario, rule: Algorithm) -> None:
        self._scenario, self._rule = scenario, rule

    def row_after(self, tokens: tuple[Token, ...]) -> Distribution[Token]:
        """The promised law of the next token after a context."""
        p, q = self._scenario.target.row_after(tokens), self._draft_row(tokens)
        assert self._rule.wanted is not None
        try:
            law = self._rule.wanted(p, q, **self._scenario.options)
        except Exception as error:
            raise self._broken_promise(
                f"raised {type(error).__name__}: {show(str(error))}"
            ) from None
        if not isinstance(law, Distribution):
            raise self._broken_promise(f"is a {type(law).__name__}, not a Distribution")
        if not all(token in self._scenario.tokens for token in law):
            raise self._broken_promise("gives something that is not in the vocabulary")
        return law

    def _draft_row(self, tokens: tuple[Token, ...]) -> Any:
        try:
            return self._scenario.draft.row_after(tokens)
        except MissingRow as missing:
            return _NoRow(missing)

    def _broken_promise(self, what: str) -> RuleError:
        message = f"the law that the rule {show(self._rule.name)} promises {what}"
        hint = "wanted is a function of the rows p and q, and of the rule's options"
        place = None if self._rule.file is None else Location(self._rule.file)
        return RuleError([Diagnostic("rule-promise", message, hint, place)])

    def visible(self, tokens: tuple[Token, ...]) -> Hashable:
        """What target and draft can still see of a context."""
        return self._scenario.target.visible(tokens), self._scenario.draft.visible(tokens)


def wanted_law(scenario: Scenario, rule: Algorithm) -> Law:
    """The law that a scenario wants of a rule.

    Raises:
        ModelError: where it wants the rule's own law, and the rule promises none.
    """
    if isinstance(scenario.wanted, Model):
        return scenario.wanted
    if scenario.wanted == "target":
        return scenario.target
    if rule.wanted is None:
        place = scenario.places.get("wanted")
        message = "the rule promises no law of its own"
        hint = "write wanted: target, or a table"
        raise ModelError([Diagnostic("no-promised-law", message, hint, place)])
    return PromisedLaw(scenario, rule)
