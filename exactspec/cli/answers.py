"""What a command on one model answers, also where a budget is reached or the input is bad."""

from collections.abc import Callable
from typing import TypeVar

from exactspec.check.verdict import Undecided
from exactspec.cli.guard import say
from exactspec.cli.guest import hosting
from exactspec.cli.progress import Progress
from exactspec.errors import BudgetReached, ExactspecError, ExitCode
from exactspec.render import as_json

Answer = tuple[str, ExitCode]
T = TypeVar("T")


def answered(file: str, in_json: bool, progress: Progress, answer: Callable[[], Answer]) -> Answer:
    """The text to print and the exit code; a reached budget is undecided, never a crash.

    Raises:
        ExactspecError: for bad input; in JSON it is the text.
    """
    try:
        return answer()
    except BudgetReached as limit:
        progress.clear()
        say(f"exactspec: undecided: {limit.reason}\n  hint: {limit.hint}\n")
        verdict = as_json.verdict_data(Undecided(limit.reason, limit.hint))
        return as_json.document(file=file, verdict=verdict) if in_json else "", ExitCode.UNDECIDED
    except ExactspecError as error:
        if not in_json:
            raise
        return as_json.document(**as_json.error_data(file, error.diagnostics)), ExitCode.BAD_INPUT
    finally:
        progress.clear()


def within_limits(
    seconds: float | None,
    judge: Callable[[], T],
    lower: str = "lower draft_length, or --max-nodes",
) -> T | Undecided:
    """What a judge finds out, or that time, memory or stack were used up before."""
    try:
        with hosting(seconds):
            return judge()
    except BudgetReached as limit:
        return Undecided(limit.reason, limit.hint)
    except MemoryError:
        return Undecided("memory is used up", lower)
    except RecursionError:
        return Undecided("the stack is used up", "lower draft_length")
