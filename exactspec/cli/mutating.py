"""``exactspec audit --mutants``: the mutants of a program, or of a function that it calls."""

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType

from exactspec.audit.audited import Audited
from exactspec.audit.mutants import Score, score_of
from exactspec.audit.mutation.source import Source, function_behind
from exactspec.audit.mutation.trial import Case
from exactspec.audit.program import Program, load_function
from exactspec.audit.report import Request, Trial, audit_of
from exactspec.cli.progress import Progress
from exactspec.errors import AuditError, Diagnostic, Fault


def check_mutable(program: Program, request: Request, mutate: str | None) -> None:
    """Say before the audit, which can take long, that there is no function to change.

    A function of a file is looked for afterwards: the program may import it only when it runs.

    Raises:
        AuditError: where there is no such function, or it can't be changed.
    """
    if mutate is None or not mutate.rpartition(":")[0].endswith(".py"):
        _function(program, request, mutate)


def score_for(
    program: Program,
    request: Request,
    trials: list[Trial],
    mutate: str | None,
    progress: Progress,
) -> Score | None:
    """How many mutants the audit's tables kill; None where there is no table that could kill one.

    Args:
        program: the audited program.
        request: how it was audited.
        trials: what was found; only tables with a verdict that is not lossy can tell anything.
        mutate: the function to change; None for the program itself.
        progress: told of each mutant.

    Raises:
        AuditError: where there is no such function, or it can't be changed.
    """
    usable = [trial for trial in trials if isinstance(trial.found, Audited)]
    cases = [_case(program, request, trial) for trial in usable if trial.word != "lossy"]
    if not cases:
        return None
    function = _function(program, request, mutate)
    try:
        return score_of(
            function,
            cases,
            on_mutant=lambda number, count: progress(f"mutant {number + 1:,} of {count:,}"),
            name=mutate or program.name,
        )
    except Fault as fault:
        raise AuditError([fault.at(None, ())]) from None


def _function(program: Program, request: Request, mutate: str | None) -> FunctionType:
    try:
        function = function_behind(_target(program, request, mutate))
        Source(function)  # it must have one
    except Fault as fault:
        raise AuditError([fault.at(None, ())]) from None
    return function


def _target(program: Program, request: Request, mutate: str | None) -> object:
    if mutate is not None:
        return load_function(mutate)
    if program.package is not None:
        message = f"the adapter {program.name} only calls what is audited: its mutants tell nothing"
        hint = "name the package's own function: --mutate MODULE:FUNCTION"
        raise AuditError([Diagnostic("audit-mutate-adapter", message, hint)])
    return program.step if request.length is None else program.loop


def _case(program: Program, request: Request, trial: Trial) -> Case:
    def audit(on_run: Callable[[], None], level: str, max_replays: int) -> Audited:
        most = min(max_replays, request.max_replays)
        asked = replace(request, level=level, max_replays=most)
        return audit_of(program, trial.scenario, asked, lambda number: on_run())

    return Case(trial.title, audit, request.level)
