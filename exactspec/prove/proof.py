"""A rule proved lossless for all tables, refuted by a small one, or left undecided with what is open.

The theorem is about one vocabulary size and one draft length; every target and every draft, a row of its
own in each context. Without an end token and with one are two programs, and both are proved.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction

from exactspec.chance import Broken
from exactspec.errors import BudgetReached
from exactspec.expand.states import typed
from exactspec.prove.agreement import identity_holds_at, random_tables
from exactspec.prove.claim import END, Claim, Limits
from exactspec.prove.judged import badly_emitted, emits_texts, judged
from exactspec.prove.lemmas import Lemma, single_step
from exactspec.prove.program import Program
from exactspec.prove.reader import Unreadable
from exactspec.prove.theorem import Open, Proof, Theorem
from exactspec.prove.tree import leaves
from exactspec.prove.witness import Witness, small_witness, witness_at, witness_in

__all__ = ["Claim", "Limits", "Proof", "prove"]

_TABLES_TRIED = 8
_FIRST_TABLES = 6
_FIRST_TESTED_PATHS = 300
_FIRST_PARTS = 4
_TABLES_OF_A_PART = 600
_MOST_STATES = 40


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
        theorem = judged(_program(claim, ends, claim.draft_length, state), limits)
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
        emits_texts(every)
        return (None, ()) if any(badly_emitted(every, 1)) else (program, single_step(program))
    except Unreadable:
        return None, ()
    except BudgetReached as limit:
        if limit.limit not in ("paths", "parts"):
            raise
        return None, ()
