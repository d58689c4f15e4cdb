"""What is proved or refuted, and a table that refutes it written as a model file."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactspec.algorithms.load import named_rule, option_problems
from exactspec.chance import Token
from exactspec.errors import ModelError
from exactspec.model.context import START, Key
from exactspec.model.scenario import OptionValue
from exactspec.rule import Algorithm
from exactspec.text import fraction_text

Row = tuple[Fraction, ...]
Rows = dict[Key, tuple[Row, Row]]
END = "$"
_NAMES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Claim:
    """What is proved or refuted: a rule with its options, for a vocabulary and a draft length.

    Args:
        rule: the rule; one that promises a law of its own is judged by that.
        reference: how the rule was named: a catalogue name or ``file.py:function``.
        vocabulary: how many tokens, the end token among them where there is one.
        draft_length: γ, tokens drafted in a round at most.
        options: the rule's options.
    """

    rule: Algorithm
    reference: str
    vocabulary: int
    draft_length: int
    options: Mapping[str, OptionValue]

    @classmethod
    def about(
        cls, reference: str, *, vocabulary: int, draft_length: int, **options: OptionValue
    ) -> "Claim":
        """The claim that a rule, by its name, is lossless for a vocabulary and a draft length.

        Args:
            reference: a catalogue name or ``file.py:function``, whose code is run.
            vocabulary: how many tokens, at least 2.
            draft_length: γ, at least 1.
            options: the rule's options.

        Raises:
            ModelError: for an unknown rule, or options that it does not take.
            RuleError: for a rule file that can't be loaded.
        """
        rule = named_rule(reference)
        problems = option_problems(rule, options, None, "{name}=...")
        if problems:
            raise ModelError(problems)
        return cls(rule, reference, vocabulary, draft_length, options)

    def tokens(self, ends: bool, count: int | None = None) -> tuple[Token, ...]:
        """The names of the tokens; the last one ends a sequence where there is an end token."""
        count = self.vocabulary if count is None else count
        if ends:
            return (*_token_names(count - 1), END)
        return _token_names(count)


def _token_names(count: int) -> tuple[Token, ...]:
    return tuple(_NAMES[i] if count <= len(_NAMES) else f"t{i + 1}" for i in range(count))


def model_text(claim: Claim, rows: Rows, tokens: Sequence[Token], draft_length: int) -> str:
    """A model file with these rows, each the target's and the draft's."""
    lines = ["version: 1", f"vocabulary: [{', '.join(tokens)}]"]
    lines += [f"end: {END}"] if END in tokens else []
    lines += [f"draft_length: {draft_length}", f"algorithm: {_quoted(claim.reference)}"]
    lines += ["wanted: rule"] if claim.rule.wanted is not None else []
    if claim.options:
        pairs = (f"{name}: {_option_text(value)}" for name, value in claim.options.items())
        lines.append(f"options: {{{', '.join(pairs)}}}")
    for number, table in enumerate(("target", "draft")):
        lines.append(f"{table}:")
        for key, both in rows.items():
            row = zip(tokens, both[number], strict=True)
            weights = ", ".join(
                f"{token}: {fraction_text(weight)}" for token, weight in row if weight
            )
            lines.append(f"  {_key_text(key)}: {{{weights}}}")
    return "\n".join(lines) + "\n"


def _quoted(reference: str) -> str:
    """A text as YAML reads it back, whatever is in it."""
    return reference if reference.isidentifier() else json.dumps(reference)


def _option_text(value: object) -> str:
    if isinstance(value, Fraction):
        return fraction_text(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_option_text, value))}]"
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _key_text(key: Key) -> str:
    return '"' + " ".join("^" if token is START else token for token in key) + '"'


@dataclass(frozen=True)
class Limits:
    """How much work is done before a claim is undecided.

    Args:
        paths: runs of one round.
        parts: parts into which the tables are split.
        tested_paths: runs of one round whose rule tests numbers, each run a case of its own.
        tables: small tables of each size that are tried; 0 leaves the search out.
        on_progress: told what is being done.
    """

    paths: int = 20_000
    parts: int = 2_000
    tested_paths: int = 20_000
    tables: int = 150
    on_progress: Callable[[str], None] = lambda text: None
