"""Small tables on which a rule is not lossless, each written as a model file and judged by ``check``."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm

from exactspec.chance import Token
from exactspec.check.check import Result, check
from exactspec.check.verdict import Lossy, Undecided
from exactspec.errors import BudgetReached, Diagnostic, ExactspecError, InternalError, RuleError
from exactspec.expand.budget import Budget
from exactspec.model.context import START, Key
from exactspec.model.load import parse
from exactspec.model.scenario import OptionValue
from exactspec.prove.case import Case
from exactspec.prove.identity import Condition
from exactspec.prove.polynomial import Polynomial, Variable
from exactspec.prove.program import Block, Program
from exactspec.prove.world import Entry, PositivePart
from exactspec.rule import Algorithm
from exactspec.text import fraction_text, show

Row = tuple[Fraction, ...]
Rows = dict[Key, tuple[Row, Row]]
Size = tuple[int, int, int]
END = "$"
_ZERO = Fraction(0)
_NAMES = "abcdefghijklmnopqrstuvwxyz"
_MOST_STATES = 20
_TABLES_OF_A_SIZE = 60
_FEW_PAIRS = 1_000


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

    def tokens(self, ends: bool, count: int | None = None) -> tuple[Token, ...]:
        """The names of the tokens; the last one ends a sequence where there is an end token."""
        count = self.vocabulary if count is None else count
        if ends:
            return (*_token_names(count - 1), END)
        return _token_names(count)


def _token_names(count: int) -> tuple[Token, ...]:
    return tuple(_NAMES[i] if count <= len(_NAMES) else f"t{i + 1}" for i in range(count))


@dataclass(frozen=True)
class Witness:
    """A table that refutes a claim.

    Args:
        model: the model file.
        result: what ``check`` says of it: lossy; None where the rule breaks down.
        broken: how the rule breaks down there.
    """

    model: str
    result: Result | None
    broken: tuple[Diagnostic, ...] = ()


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


def confirmed(
    claim: Claim, rows: Rows, tokens: Sequence[Token], draft_length: int
) -> Witness | None:
    """The model file of a table, if ``check`` finds the rule lossy on it, or broken; else None.

    Raises:
        BudgetReached: where the time for the whole proof is over.
    """
    text = model_text(claim, rows, tokens, draft_length)
    scenario = parse(text.encode())
    try:
        result = check(
            scenario, claim.rule, budget=Budget(max_states=_MOST_STATES, max_nodes=200_000)
        )
    except RuleError as error:
        return Witness(text, None, error.diagnostics)
    except (ExactspecError, InternalError, MemoryError):
        raise
    except Exception as error:
        raised = f"the rule raised {type(error).__name__}: {show(str(error))}"
        return Witness(text, None, (Diagnostic("rule-raised", raised),))
    verdict = result.verdict
    if isinstance(verdict, Undecided) and verdict.limit == "timeout":
        raise BudgetReached(verdict.limit, verdict.reason, verdict.hint)
    return Witness(text, result) if isinstance(verdict, Lossy) else None


def small_witness(claim: Claim, each: int, *, below: "Size | None" = None) -> Witness | None:
    """A smallest table on which the claim fails: fewest tokens, then denominators, then shortest draft.

    Args:
        claim: what to refute.
        each: how many tables of one size are tried at most.
        below: look for smaller ones only.
    """
    for size, tokens, rows in _small_tables(claim, each):
        if below is not None and size >= below:
            return None
        for draft_length in range(1, claim.draft_length + 1):
            found = confirmed(claim, rows, tokens, draft_length)
            if found is not None and _in_scope(claim, rows, tokens):
                return found
    return None


def _in_scope(claim: Claim, rows: Rows, tokens: Sequence[Token]) -> bool:
    """Whether the claim fails, too, with tokens that never occur, and with its own draft length."""
    ends = END in tokens
    padded = claim.tokens(ends)
    spare = len(padded) - len(tokens)
    position = len(tokens) - 1 if ends else len(tokens)

    def pad(row: Row) -> Row:
        return (*row[:position], *[Fraction(0)] * spare, *row[position:])

    longer = {key: (pad(p), pad(q)) for key, (p, q) in rows.items()}
    return confirmed(claim, longer, padded, claim.draft_length) is not None


def _small_tables(claim: Claim, each: int) -> Iterator[tuple[Size, tuple[Token, ...], Rows]]:
    """Tables by size, at most so many of each: one row for all contexts, then another one behind a token."""
    dice = random.Random(0)
    most = claim.vocabulary
    for count in sorted({min(2, most), min(3, most), min(4, most), most}):
        for below, ends in product(range(1, 7 if count == 2 else 5), (False, True)):
            for pair in _pairs(count, below, each, dice):
                same: Rows = {(): pair}
                yield (count, 1, below), claim.tokens(ends, count), same
        for below, ends in product((2, 3), (False, True)):
            tokens, rows = claim.tokens(ends, count), _rows_up_to(count, below)
            for _ in range(each):
                p, q, p_behind, q_behind = dice.choices(rows, k=4)
                table: Rows = {(): (p, q), (tokens[0],): (p_behind, q_behind)}
                yield (count, 2, below), tokens, table


def _pairs(count: int, below: int, most: int, dice: random.Random) -> list[tuple[Row, Row]]:
    """Pairs of rows whose largest denominator is ``below``: all, or so many of them by chance."""
    rows = _rows_up_to(count, below)
    if len(rows) ** 2 <= _FEW_PAIRS:
        pairs = [(p, q) for p, q in product(rows, repeat=2) if _of((p, q)) == below]
        return pairs if len(pairs) <= most else dice.sample(pairs, most)
    finest = [row for row in rows if _of((row,)) == below]
    return [(dice.choice(finest), dice.choice(rows)) for _ in range(most)]


@cache
def _rows_up_to(count: int, below: int) -> tuple[Row, ...]:
    """Every row with a number of tokens and a denominator of at most ``below``."""
    rows: dict[Row, None] = {}
    for denominator in range(1, below + 1):
        for parts in _parts(count, denominator):
            rows[tuple(Fraction(part, denominator) for part in parts)] = None
    return tuple(rows)


def _parts(count: int, total: int) -> Iterator[tuple[int, ...]]:
    """So many whole numbers with a sum, in every way."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _parts(count - 1, total - first):
            yield (first, *rest)


def _of(rows: Iterable[Row]) -> int:
    """The largest denominator of some rows."""
    return max(lcm(*(weight.denominator for weight in row)) for row in rows)


def witness_in(
    claim: Claim,
    program: Program,
    case: Case,
    conditions: Sequence[Condition],
    differs: Sequence[Polynomial],
    most_tables: int,
) -> Witness | None:
    """A table of a part of all tables on which the claim fails; None where none was found.

    Args:
        claim: what to refute.
        program: the round whose tables these are.
        case: what is known in the part.
        conditions: polynomials with the signs that they have in the part.
        differs: polynomials of which one must not be 0.
        most_tables: how many tables are tried.
    """
    dice = random.Random(0)
    for number in range(most_tables):
        rows = _random_rows(program, case, dice, 2 + number % 11)
        if rows is None:
            continue
        value = program.world.values(rows.__getitem__)
        if all(_sign(p.at(value)) in signs for p, signs in conditions) and (
            not differs or any(p.at(value) for p in differs)
        ):
            found = _smallest(claim, _as_rows(program, rows), program.vocabulary)
            if found is not None:
                return found
    return None


def _smallest(claim: Claim, rows: Rows, tokens: tuple[Token, ...]) -> Witness | None:
    """The claim refuted by a table, or by the same with its first rows alone, or with shorter drafts."""
    if confirmed(claim, rows, tokens, claim.draft_length) is None:
        return None
    start = rows[(START,)]
    simpler: tuple[Rows, ...] = (
        {(): start},
        {key: r for key, r in rows.items() if len(key) <= 2},
        rows,
    )
    for table in simpler:
        for draft_length in range(1, claim.draft_length + 1):
            found = confirmed(claim, table, tokens, draft_length)
            if found is not None and confirmed(claim, table, tokens, claim.draft_length):
                denominator = _of(row for both in table.values() for row in both)
                size = (len(tokens), len(table), denominator)
                return small_witness(claim, _TABLES_OF_A_SIZE, below=size) or found
    return None


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def _random_rows(
    program: Program, case: Case, dice: random.Random, below: int
) -> dict[Entry, Fraction] | None:
    """Random entries with one denominator, those that the case sets computed; None where one is negative."""
    rows = _variables_of_rows(program)
    free = _random_entries(rows, dice, below)
    meanings = program.world.meanings
    values: dict[Variable, Fraction] = {}

    def value(variable: Variable) -> Fraction:
        if variable not in values:
            meaning = meanings[variable]
            if isinstance(meaning, PositivePart):
                values[variable] = max(_ZERO, meaning.of.at(value))
            elif variable in case.equal:
                values[variable] = case.equal[variable].at(value)
            else:
                values[variable] = free[variable]
        return values[variable]

    for variables in rows.values():
        row = [value(variable) for variable in variables]
        if min(row) < 0 or sum(row) > 1:
            return None
    entries = {m: value(v) for v, m in enumerate(meanings) if isinstance(m, Entry)}
    last = {entry: p.at(value) for p, entry in program.world.last_entries.items()}
    return entries | last


def _variables_of_rows(program: Program) -> dict[tuple[str, Block], list[Variable]]:
    rows: dict[tuple[str, Block], list[Variable]] = {}
    for variable, meaning in enumerate(program.world.meanings):
        if isinstance(meaning, Entry):
            rows.setdefault((meaning.table, meaning.after), []).append(variable)
    return dict(sorted(rows.items(), reverse=True))


def _random_entries(
    rows: dict[tuple[str, Block], list[Variable]], dice: random.Random, below: int
) -> dict[Variable, Fraction]:
    """Random rows with one denominator; every fourth row of the draft is the target's."""
    free: dict[Variable, Fraction] = {}
    for (table, after), variables in rows.items():
        if table == "draft" and dice.randrange(4) == 0 and ("target", after) in rows:
            theirs = zip(variables, rows["target", after], strict=True)
            free.update({mine: free[their] for mine, their in theirs})
            continue
        cuts = sorted(dice.randint(0, below) for _ in variables)
        for variable, low, high in zip(variables, [0, *cuts], cuts, strict=False):
            free[variable] = Fraction(high - low, below)
    return free


def _as_rows(program: Program, entries: dict[Entry, Fraction]) -> Rows:
    """The rows of a model file: those of the first round by the whole history, and one for anywhere."""
    tokens = program.vocabulary
    even = tuple(Fraction(1, len(tokens)) for _ in tokens)
    contexts = dict.fromkeys(entry.after for entry in entries)
    rows: Rows = {(): (even, even)}
    for after in sorted(contexts, key=lambda a: (len(a), a)):
        both = tuple(
            tuple(entries.get(Entry(table, after, t), even[0]) for t in tokens)
            for table in ("target", "draft")
        )
        rows[(START, *after)] = (both[0], both[1])
    return rows
