"""A mutant's fate: it is audited on one pair of tables after another until one shows that it is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from types import CodeType, FunctionType
from typing import NoReturn

from exactspec.audit.audited import Audited
from exactspec.audit.law import MAX_REPLAYS
from exactspec.audit.mutation.limits import Endless, Turns, processor_time
from exactspec.audit.mutation.source import Source
from exactspec.audit.mutation.transplant import compiled, in_place_of
from exactspec.audit.world import FLOAT
from exactspec.errors import BudgetReached, Diagnostic, Fault, InternalError
from exactspec.text import short_fraction_text

LOSSY, CRASH, REFUSED, ENDLESS = "lossy", "crash", "refused", "endless"
KINDS = (LOSSY, CRASH, REFUSED, ENDLESS)
_TIMES_AS_MUCH = 8
_REPLAYS, _TURNS, _SECONDS = 200, 1_000, 10.0
_MOST_WITHOUT_VERDICT = 3


@dataclass(frozen=True)
class Killed:
    """What an audit found wrong with a mutant.

    Args:
        kind: ``lossy``; ``crash``: it raises an exception; ``refused``: it can't be audited any more;
            ``endless``: it does not end, or takes many times the work of its original.
        tables: the title of the tables that show it.
        reason: what was found, in a few words.
    """

    kind: str
    tables: str
    reason: str


@dataclass
class Case:
    """An audit on one pair of tables, with limits for mutants.

    Args:
        title: what the tables are called.
        audit: takes what is to be called before each run, a level, and the most replays.
        level: the level of the audit.
        replays: more runs than this are not waited for.
        turns: nor more turns of the function's loops in one run; None where the function is not called,
        seconds: nor more seconds of computing.
        cost: how many runs the original takes.
        tried: how many mutants were tried on it,
        killed: and how many of them it killed.
    """

    title: str
    audit: Callable[[Callable[[], None], str, int], Audited]
    level: str
    replays: int = MAX_REPLAYS
    turns: int | None = None
    seconds: float = inf
    cost: int = 1
    tried: int = 0
    killed: int = 0

    @property
    def promise(self) -> Fraction:
        """How many mutants it is likely to kill for each run of the original."""
        return Fraction(self.killed + 1, (self.tried + 2) * self.cost)


class Trial:
    """The audits of one function's mutants. What kills most mutants in the fewest runs is tried first.

    Args:
        function: the function.
        cases: audits of what calls it.

    Attributes:
        used: the titles of the tables that mutants are tried on.
        left_out: those on which the function itself is lossy: nothing can be learnt there.

    Raises:
        Fault: where none are left, or the function can't be audited or mutated.
    """

    def __init__(self, function: FunctionType, cases: Sequence[Case]) -> None:
        self._function, self._source = function, Source(function)
        words = [self._measured(case) for case in cases]
        pairs = list(zip(cases, words, strict=True))
        self.used = tuple(dict.fromkeys(c.title for c, word in pairs if word != LOSSY))
        self.left_out = tuple(dict.fromkeys(c.title for c, word in pairs if word == LOSSY))
        self._cases = [case for case, word in pairs if word != LOSSY and case.turns]
        if not self.used:
            _nothing_to_learn(function, "the audit is lossy on all tables")
        if not self._cases:
            _nothing_to_learn(function, "the audited program never calls it")

    def _measured(self, case: Case) -> str:
        """The verdict on the original, run as mutants are; limits are set by what it takes."""
        turns = Turns()
        with in_place_of(self._function, self._code_of(self._source.text), turns):
            audited = case.audit(turns.begin, case.level, case.replays)
        case.turns = _TURNS + _TIMES_AS_MUCH * turns.seen if turns.seen else None
        case.cost = audited.law.replays
        case.replays = _REPLAYS + _TIMES_AS_MUCH * audited.law.replays
        case.seconds = _SECONDS + _TIMES_AS_MUCH * audited.law.seconds
        return audited.word

    def _code_of(self, text: str) -> CodeType:
        return compiled(self._function, text, self._source.first_line)

    def fate(self, text: str) -> Killed | None:
        """How the function with another text is killed; None where it survives.

        A wrong law or a crash on any tables says more than an audit without a verdict.
        """
        code = self._code_of(text)
        without_verdict = []
        for case in sorted(self._cases, key=lambda case: case.promise, reverse=True):
            killed = self._tried(code, case)
            case.tried += 1
            if killed is not None and killed.kind in (LOSSY, CRASH):
                case.killed += 1
                return killed
            without_verdict += [killed] if killed else []
            if len(without_verdict) == _MOST_WITHOUT_VERDICT:
                break
        return without_verdict[0] if without_verdict else None

    def _tried(self, code: CodeType, case: Case) -> Killed | None:
        """One audit of a mutant, and another with floats where exact numbers don't do."""
        turns = Turns(case.turns)
        with in_place_of(self._function, code, turns):
            killed = _killed(case, turns, case.level)
            if killed is not None and killed.kind == REFUSED and case.level != FLOAT:
                with_floats = _killed(case, turns, FLOAT)
                return with_floats if with_floats and with_floats.kind != REFUSED else killed
        return killed


def _nothing_to_learn(function: FunctionType, why: str) -> NoReturn:
    raise Fault(
        Diagnostic(
            "audit-no-mutants",
            f"mutants of {function.__qualname__} tell nothing: {why}",
            "name a function that a lossless program calls: --mutate MODULE:FUNCTION",
        )
    )


def _killed(case: Case, turns: Turns, level: str) -> Killed | None:
    try:
        with processor_time(case.seconds):
            audited = case.audit(turns.begin, level, case.replays)
    except (Endless, BudgetReached) as limit:
        return Killed(ENDLESS, case.title, str(limit))
    except Fault as fault:
        return Killed(REFUSED, case.title, fault.diagnostic.message)
    except (InternalError, SystemExit) as error:
        return Killed(REFUSED, case.title, f"{type(error).__name__}: {error}")
    if audited.word != LOSSY:
        return None
    if audited.crash:
        raised = max(audited.law.crashes.items(), key=lambda crash: crash[1])[0]
        return Killed(
            CRASH, case.title, f"{raised}, probability {short_fraction_text(audited.crash)}"
        )
    return Killed(
        LOSSY, case.title, f"total variation {short_fraction_text(audited.total_variation)}"
    )
