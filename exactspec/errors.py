"""Everything that can be wrong with an input, as data; one place in ``render`` turns it into text."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum


class ExitCode(IntEnum):
    """What a command tells its caller: one meaning for each number, the same for every command."""

    LOSSLESS = 0
    LOSSY = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    INTERNAL_ERROR = 4
    OUTPUT_FAILED = 74
    INTERRUPTED = 130
    PIPE_CLOSED = 141
    TERMINATED = 143


@dataclass(frozen=True)
class Location:
    """A place in a file: lines and columns count from 1, ``end_column`` is the first one behind."""

    file: str
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    source_line: str | None = None


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong: a code that is a word, what was found and expected, and a hint."""

    code: str
    message: str
    hint: str | None = None
    location: Location | None = None
    notes: tuple[str, ...] = ()
    severity: str = "error"


class ExactspecError(Exception):
    """An input that can't be judged; ``diagnostics`` holds all that is wrong with it."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"[{d.code}] {d.message}" for d in self.diagnostics))


class ModelError(ExactspecError):
    """A model file that can't be read as a model."""


class RuleError(ExactspecError):
    """A verification rule that did something which no law can be given for."""


class AuditError(ExactspecError):
    """A program that can't be imported, or that no law can be given for."""


class InternalError(Exception):
    """exactspec contradicts itself: a defect of ours, never of the input. Nothing is proved."""


class UndefinedResidual(ArithmeticError):
    """The residual of two equal rows was asked for: its mass is 0, and so nothing can be drawn."""


class Fault(BaseException):
    """Carries a diagnostic out of a rule, past any ``except Exception`` that the rule may have."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(diagnostic.message)

    def at(self, location: Location | None, notes: tuple[str, ...]) -> Diagnostic:
        """The diagnostic with a place and notes, where it has none of its own."""
        found = self.diagnostic
        return replace(found, location=found.location or location, notes=(*found.notes, *notes))


class BudgetReached(BaseException):
    """A limit of nodes, bits or seconds was reached: the verdict is undecided, never lossless."""

    def __init__(self, limit: str, reason: str, hint: str) -> None:
        self.limit, self.reason, self.hint = limit, reason, hint
        super().__init__(reason)
