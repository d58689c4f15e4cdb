"""A rule proved lossless for all tables, refuted by a small one, or left undecided with what is open.

The theorem is about one vocabulary size and one draft length; every target and every draft, a row of its
own in each context. Without an end token and with one are two programs, and both are proved.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from exactspec.chance import Broken
from exactspec.errors import BudgetReached, Diagnostic, Fault, InternalError
from exactspec.expand.states import typed
from exactspec.prove.agreement import Tables, disagreement, identity_holds_at, random_tables
from exactspec.prove.case import Case
from exactspec.prove.claim import END, Claim
from exactspec.prove.formula import Signs, Unreadable
from exactspec.prove.identity import Condition, Part, SymbolicIdentity
from exactspec.prove.lemmas import Lemma, single_step
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.reading import Branch, Leaf, Question, leaves
from exactspec.prove.theorem import Open, Proof, Test, Theorem
from exactspec.prove.types_asked import asks_for_types
from exactspec.prove.witness import Witness, small_witness, witness_at, witness_in

__all__ = ["Claim", "Lemma", "Limits", "Open", "Proof", "Test", "Theorem", "Witness", "prove"]

_TABLES_TRIED = 8
_TABLES_COMPARED = 24
_FEW_TABLES_COMPARED = 6
_MANY_CONTEXTS = 60
_FIRST_TABLES = 6
_FIRST_TESTED_PATHS = 300
_FIRST_PARTS = 4
_TABLES_OF_A_PART = 600
_PARTS_SEARCHED = 12
_MOST_STATES = 40


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


def prove(claim: Claim, limits: Limits | None = None) -> Proof:
    """Prove that a rule is lossless for all tables, or refute it by one.

    The round identity is an identity of formulas in the entries of the tables: for each string up to
    the longest block, the emitted block continued with the target has the target's probability. It
    implies every sequence at every horizon, by induction over rounds: every round emits a token, and
    nothing follows an end token.

    Args:
        claim: the rule, the vocabulary's size and the draft length.
        limits: how much work is done.

    Raises:
        ModelError: for options that the rule does not take.

    >>> prove(Claim.about("token_level", vocabulary=2, draft_length=1)).word
    'proved'
    """
    limits = limits or Limits()
    limits.on_progress("looking for a small counterexample")
    witness = small_witness(claim, min(limits.tables, _FIRST_TABLES))
    if witness is not None:
        return Proof(claim, witness=witness)
    unequal = _where_the_identity_fails(claim, limits) if limits.tables else None
    if unequal is not None:
        witness = unequal.witness or small_witness(claim, limits.tables)
        return unequal if witness is None else Proof(claim, witness=witness)
    first = replace(
        limits,
        parts=min(limits.parts, _FIRST_PARTS),
        tested_paths=min(limits.tested_paths, _FIRST_TESTED_PATHS),
    )
    proof = _attempt(claim, first)
    if proof.word == "undecided":
        limits.on_progress("looking for a counterexample")
        witness = small_witness(claim, limits.tables)
        if witness is not None:
            return Proof(claim, witness=witness)
        if first != limits:
            return _attempt(claim, limits)
    return proof


def _where_the_identity_fails(claim: Claim, limits: Limits) -> Proof | None:
    """What is left of a claim whose round identity fails on a table by chance; None where none fails.

    A rule that makes up for it in later rounds is lossless all the same, and left undecided here.
    """
    limits.on_progress("comparing both sides of the identity on some tables")
    found = None
    for ends in () if claim.rule.wanted is not None else (False, True):
        program = _program(claim, ends, claim.draft_length)
        for tables in random_tables(program, _TABLES_TRIED, depth=claim.draft_length):
            if not identity_holds_at(program, tables):
                witness = witness_at(claim, program, tables)
                reason = "the round identity fails on some tables, with no sequence that shows it"
                if witness is not None:
                    return Proof(claim, witness=witness)
                found = Proof(claim, (Theorem(program, open=(Open(reason),)),))
    return found


def _attempt(claim: Claim, limits: Limits) -> Proof:
    theorems: list[Theorem] = []
    for ends in (False, True):
        theorems += _theorems(claim, ends, limits)
    witness = None
    if not all(theorem.is_proved for theorem in theorems):
        limits.on_progress("looking for a counterexample where the identity is open")
        witness = _witness_of(claim, theorems)
    step, lemmas = (None, ()) if witness is not None else _lemmas(claim, limits)
    return Proof(claim, tuple(theorems), lemmas, witness, step)


def _program(claim: Claim, ends: bool, draft_length: int, state: object = None) -> Program:
    end = END if ends else None
    return Program(claim.rule, claim.tokens(ends), end, draft_length, claim.options, state)


def _theorems(claim: Claim, ends: bool, limits: Limits) -> Iterator[Theorem]:
    """One theorem for each state that a rule can carry over, the first one None."""
    known: dict[Hashable, Hashable] = {typed(None): None}
    for number, state in _growing(known):
        if number >= _MOST_STATES:
            program = _program(claim, ends, claim.draft_length, state)
            yield Theorem(program, open=(Open("the rule carries over more and more states"),))
            return
        theorem = _theorem(_program(claim, ends, claim.draft_length, state), limits)
        yield theorem
        for _, leaf in leaves(theorem.program.tree):
            if not (claim.rule.of_the_catalogue or _is_plain(leaf.state)):
                what = f"the rule carries over a {type(leaf.state).__name__}"
                yield Theorem(
                    theorem.program, open=(Open(f"{what}, and what is in it is not seen"),)
                )
                return
            known.setdefault(typed(leaf.state), leaf.state)


def _is_plain(state: object) -> bool:
    """Whether a state is all that can be seen of it, so that equal states are the same to a rule."""
    if isinstance(state, tuple | frozenset):
        return type(state) in (tuple, frozenset) and all(map(_is_plain, state))
    return state is None or type(state) in (bool, int, float, str, bytes, Fraction, Broken)


def _growing(known: dict[Hashable, Hashable]) -> Iterator[tuple[int, Hashable]]:
    number = 0
    while number < len(known):
        yield number, list(known.values())[number]
        number += 1


def _theorem(program: Program, limits: Limits) -> Theorem:
    end = "with an end token" if program.end else "without an end token"

    def read_so_far(runs: int) -> None:
        if runs > limits.tested_paths and program.reading.has_tested:
            reason = f"a round has more than {limits.tested_paths:,} paths through its tests"
            raise BudgetReached("paths", reason, "prove a smaller vocabulary or a shorter draft")
        if runs % 50 == 0:
            limits.on_progress(f"{end}: {runs:,} paths")

    try:
        _can_be_read(program)
        program.read(limits.paths, read_so_far)
        return _judged(program, limits)
    except Unreadable as reason:
        return Theorem(program, open=(Open(str(reason)),))
    except BudgetReached as limit:
        if limit.limit not in ("paths", "parts"):
            raise
        return Theorem(program, open=(Open(limit.reason, hint=limit.hint),))
    except RecursionError:
        return Theorem(program, open=(Open("the stack is used up"),))


def _can_be_read(program: Program) -> None:
    if program.rule.wanted is not None:
        raise Unreadable("the rule promises a law of its own, not the target's")
    asked = asks_for_types(program.rule)
    if asked is not None:
        raise Unreadable(f"the rule {asked}")


def _judged(program: Program, limits: Limits) -> Theorem:
    every = list(leaves(program.tree))
    _emits_texts(every)
    errors = [(branches, leaf) for branches, leaf in every if leaf.error is not None]
    left = [each for each in errors if not _is_excluded(program, each[0])]
    identity = SymbolicIdentity(
        program, limits.parts, lambda n: limits.on_progress(f"{n:,} parts of the tables")
    )
    open_points = [*_broken(program, left), *_badly_emitted(every, program.draft_length)]
    parts: list[Part] = []
    if len(errors) < len(every):
        for part in identity.parts():
            parts.append(part)
            if part.differences and part.case.is_impossible() is None:
                open_points.append(_failed(part))
            if len(open_points) >= _PARTS_SEARCHED:
                break
    if program.notes.on_an_edge or any(b.case.is_bent for branches, _ in every for b in branches):
        open_points.append(Open("an obligation rests on a bound that is a curve"))
    compared = 0
    if not open_points:
        compared, open_points = _compared(program)
    return Theorem(
        program,
        len(every),
        len(identity.wanted),
        tuple(parts),
        tuple(_tests(program.tree)),
        tuple(program.notes.divisors),
        len(errors) - len(left),
        tuple(open_points),
        compared,
    )


def _emits_texts(every: list[tuple[tuple[Branch, ...], Leaf]]) -> None:
    if not all(isinstance(token, str) for _, leaf in every for token in leaf.tokens):
        raise Unreadable("a round can emit what is no token")


def _case_of(program: Program, branches: tuple[Branch, ...]) -> Case:
    return branches[-1].case if branches else program.notes.start


def _is_excluded(program: Program, branches: tuple[Branch, ...]) -> bool:
    """Whether a run that ended in an error is on no table; noted where only a bound that is a curve says so.

    Such a bound may be touched: there a weight can be 0 that is not 0 as a formula, and exclude the error.
    """
    evidence = _case_of(program, branches).is_impossible()
    if evidence is not None and evidence.on_an_edge:
        program.notes.start.edges[evidence.claim] = None
    return evidence is not None


def _broken(program: Program, errors: list[tuple[tuple[Branch, ...], Leaf]]) -> Iterator[Open]:
    for branches, leaf in errors[:_PARTS_SEARCHED]:
        conditions = tuple(_conditions(program, branches))
        reason = f"not excluded: {_message(leaf.error)}"
        yield Open(reason, _case_of(program, branches), conditions)


def _message(error: BaseException | None) -> str:
    diagnostic = getattr(error, "diagnostic", None)
    if isinstance(diagnostic, Diagnostic):
        return diagnostic.message
    return f"{type(error).__name__}: {error}"


def _conditions(program: Program, branches: tuple[Branch, ...]) -> Iterator[Condition]:
    """What is tested on a run, and that its weights are positive."""
    node: Question | Leaf = program.tree
    for branch in branches:
        assert isinstance(node, Question)
        if node.tested is not None:
            yield node.tested, branch.outcome
        elif branch.weight is not None:
            for factor, exponent in branch.weight.powers.items():
                if exponent > 0:
                    yield factor, frozenset({1})
        node = branch.then


def _badly_emitted(
    every: list[tuple[tuple[Branch, ...], Leaf]], draft_length: int
) -> Iterator[Open]:
    ends = [leaf for _, leaf in every if leaf.error is None]
    if any(not leaf.tokens and leaf.last is None for leaf in ends):
        yield Open("a round can emit no token at all, so that the induction fails")
    if any(len(leaf.tokens) + (leaf.last is not None) > draft_length + 1 for leaf in ends):
        yield Open("a round can emit more tokens than the draft length and one")
    if not all(_says_a_count(leaf) for leaf in ends):
        yield Open("a round can say that it accepted what is no number of the emitted tokens")


def _says_a_count(leaf: Leaf) -> bool:
    if leaf.accepted is None:
        return True
    length = len(leaf.tokens) + (leaf.last is not None)
    return isinstance(leaf.accepted, int) and 0 <= leaf.accepted <= length


def _failed(part: Part) -> Open:
    block, _ = part.differences[0]
    differs = tuple(d.numerator_polynomial() for _, d in part.differences)
    reason = f"the identity is not proved for {' '.join(map(str, block))}"
    return Open(reason, part.case, part.conditions, differs)


def _tests(tree: Question | Leaf) -> list[Test]:
    found: dict[Polynomial, dict[Signs, None]] = {}
    waiting: list[Question | Leaf] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Question):
            if node.tested is not None:
                signs = found.setdefault(node.tested, {})
                signs.update(dict.fromkeys(branch.outcome for branch in node.branches))
            waiting.extend(branch.then for branch in reversed(node.branches))
    return [Test(p, tuple(sorted(signs, key=sorted))) for p, signs in found.items()]


def _compared(program: Program) -> tuple[int, list[Open]]:
    """On how many tables both engines agree; where one disagrees the theorem is open."""
    count = _TABLES_COMPARED if len(program.contexts()) <= _MANY_CONTEXTS else _FEW_TABLES_COMPARED
    for tables in random_tables(program, count):
        found = _difference_on(program, tables)
        if found is not None:
            return 0, [
                Open(f"the rule computes otherwise with numbers than with formulas: {found}")
            ]
    return count, []


def _difference_on(program: Program, tables: Tables) -> str | None:
    try:
        return disagreement(program, tables)
    except InternalError:
        raise
    except (Fault, Exception) as error:
        return _message(error)


def _witness_of(claim: Claim, theorems: list[Theorem]) -> Witness | None:
    for theorem in theorems:
        for each in theorem.open:
            if each.case is not None:
                found = witness_in(
                    claim,
                    theorem.program,
                    each.case,
                    each.conditions,
                    each.differs,
                    _TABLES_OF_A_PART,
                )
                if found is not None:
                    return found
    return None


def _lemmas(claim: Claim, limits: Limits) -> tuple[Program | None, tuple[Lemma, ...]]:
    """The single-step chain, and the program of draft length 1 that it is about."""
    program = _program(claim, False, 1)
    try:
        program.read(limits.paths, lambda runs: None)
        every = list(leaves(program.tree))
        _emits_texts(every)
        return (None, ()) if any(_badly_emitted(every, 1)) else (program, single_step(program))
    except Unreadable:
        return None, ()
    except BudgetReached as limit:
        if limit.limit not in ("paths", "parts"):
            raise
        return None, ()
