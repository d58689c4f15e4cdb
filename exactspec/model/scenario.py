"""One model file as values: two tables, and the setting in which a rule is judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from exactspec.chance import Token
from exactspec.errors import Diagnostic, Location
from exactspec.model.table import Model
from exactspec.parameter.range import Parameter

OptionValue = int | Fraction | str | tuple["OptionValue", ...]


@dataclass(frozen=True)
class Latency:
    """Seconds, or any unit: one target call, and one drafted token."""

    target: Fraction
    draft: Fraction


@dataclass(frozen=True)
class Family:
    """The scenarios of a file whose tables hold a parameter, one for each of its values.

    Args:
        parameter: its name and range.
        at: the scenario for a value: a ``Fraction``, or the parameter on a part of the range.
    """

    parameter: Parameter
    at: Callable[[Any], "Scenario"]


@dataclass(frozen=True)
class Scenario:
    """What a rule is judged on.

    Args:
        target: the target's table.
        draft: the table that drafts.
        vocabulary: all tokens, in the order in which results are listed.
        draft_length: γ, tokens drafted in a round at most.
        horizon: observe the first so many tokens; None for no listing beyond one round.
        end: the token after which nothing follows, or None.
        prompt: the context before the first token.
        max_tokens: the request's length limit, a part of the wanted law; None for none.
        cut_after_end: judge what is left when emitted blocks are cut behind the end of the request.
        algorithm: the rule's name, or ``file.py:function``.
        options: the rule's options.
        latency: what a target call and a drafted token cost.
        wanted: the law to judge by: ``target``, ``rule`` for what the rule itself promises, or a table.
        expect: the verdict that the file claims, for negative controls.
        family: where the tables hold a parameter: its values, and the scenario for each of them.
        assigned: the parameter that a value was put in for, and the value.
    """

    target: Model
    draft: Model
    vocabulary: tuple[Token, ...]
    draft_length: int
    horizon: int | None = None
    end: Token | None = None
    prompt: tuple[Token, ...] = ()
    max_tokens: int | None = None
    cut_after_end: bool = False
    algorithm: str = "token_level"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    latency: Latency | None = None
    wanted: Model | str = "target"
    expect: str | None = None
    family: Family | None = None
    assigned: tuple[str, Fraction] | None = None
    title: str = ""
    file: str = ""
    digest: str = ""
    places: Mapping[str, Location] = field(default_factory=dict)
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def tokens(self) -> frozenset[Token]:
        """The vocabulary as a set."""
        return frozenset(self.vocabulary)
