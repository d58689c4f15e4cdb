"""Small tables on which a rule is not lossless, each written as a model file and judged by ``check``."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactspec.chance import Token
from exactspec.check.check import Result, check
from exactspec.check.verdict import Lossy, Undecided
from exactspec.errors import BudgetReached, Diagnostic, ExactspecError, InternalError, RuleError
from exactspec.expand.budget import Budget
from exactspec.model.context import START
from exactspec.model.load import parse
from exactspec.model.table import Model
from exactspec.prove.agreement import before_round
from exactspec.prove.case import Case
from exactspec.prove.claim import END, Claim, Row, Rows, model_text
from exactspec.prove.identity import Condition
from exactspec.prove.polynomial import Polynomial, Variable
from exactspec.prove.program import Block, Program
from exactspec.prove.small_tables import Size, largest_denominator, small_tables
from exactspec.prove.world import Entry, PositivePart
from exactspec.text import show

_ZERO = Fraction(0)
_MOST_STATES = 20
_TABLES_OF_A_SIZE = 60


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
    for size, tokens, rows in small_tables(claim, each):
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


def witness_at(claim: Claim, program: Program, tables: Mapping[str, Model]) -> Witness | None:
    """The claim refuted by the rows of some tables, or by fewer or smaller ones; None where it is not."""
    before = 1 + len(before_round(program))
    entries = {
        Entry(name, tuple(map(str, key[before:])), token): row[token]
        for name, table in tables.items()
        for key, row in table.rows.items()
        if key
        for token in program.vocabulary
    }
    return _smallest(claim, _as_rows(program, entries), program.vocabulary)


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
                denominator = largest_denominator(row for both in table.values() for row in both)
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
