"""What a proof holds: theorems with their parts and tests, lemmas, what is open, or a witness."""

from dataclasses import dataclass

from exactspec.chance import Token
from exactspec.check.verdict import Undecided
from exactspec.prove.case import Case
from exactspec.prove.claim import Claim
from exactspec.prove.identity import Condition, Part
from exactspec.prove.lemmas import Lemma
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.signs import Signs
from exactspec.prove.witness import Witness


@dataclass(frozen=True)
class Test:
    """A test that the rule makes of numbers, and the signs that lead on from it.

    Args:
        polynomial: what is compared with 0.
        signs: the outcomes that can occur.
    """

    __test__ = False

    polynomial: Polynomial
    signs: tuple[Signs, ...]


@dataclass(frozen=True)
class Open:
    """What keeps a theorem from being proved: in words, where in the tables it is, what may help."""

    reason: str
    case: Case | None = None
    conditions: tuple[Condition, ...] = ()
    differs: tuple[Polynomial, ...] = ()
    hint: str | None = None


@dataclass(frozen=True)
class Theorem:
    """The round identity of one program, and the obligations on the way.

    Args:
        program: the round, with or without an end token, from one carried state.
        paths: how many runs it has.
        strings: how many strings the identity was compared for.
        parts: the parts of the tables in which it was compared.
        tests: the tests that the rule makes.
        divisors: what is divided by, each shown not to be 0 where it is.
        unreachable: errors of the rule that no table leads to.
        open: what is not proved.
        compared: on how many tables the symbolic and the enumerated law agree.
    """

    program: Program
    paths: int = 0
    strings: int = 0
    parts: tuple[Part, ...] = ()
    tests: tuple[Test, ...] = ()
    divisors: tuple[Polynomial, ...] = ()
    unreachable: int = 0
    open: tuple[Open, ...] = ()
    compared: int = 0

    @property
    def is_proved(self) -> bool:
        return not self.open

    @property
    def end(self) -> Token | None:
        return self.program.end


@dataclass(frozen=True)
class Proof:
    """What was found out about a claim.

    Args:
        claim: the rule, the vocabulary's size, the draft length.
        theorems: what was proved, or what is open in it.
        lemmas: the single-step chain; empty where it could not be read.
        witness: a table that refutes the claim.
        chain: the program of draft length 1 that the lemmas are about.
        stopped: a limit that was reached before anything was found out.
    """

    claim: Claim
    theorems: tuple[Theorem, ...] = ()
    lemmas: tuple[Lemma, ...] = ()
    witness: Witness | None = None
    chain: Program | None = None
    stopped: Undecided | None = None

    @property
    def word(self) -> str:
        """proved, refuted or undecided."""
        if self.witness is not None:
            return "refuted"
        proved = bool(self.theorems) and all(theorem.is_proved for theorem in self.theorems)
        return "proved" if proved else "undecided"

    @property
    def open(self) -> tuple[str, ...]:
        """What is left open, each once."""
        stopped = () if self.stopped is None else (self.stopped.reason,)
        reasons = (each.reason for theorem in self.theorems for each in theorem.open)
        return tuple(dict.fromkeys((*stopped, *reasons)))
