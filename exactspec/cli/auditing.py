"""``exactspec audit``: the code of a sampler on several tables."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from exactspec.audit.adapters import adapted, adapters
from exactspec.audit.mutants import Score
from exactspec.audit.portfolio import portfolio
from exactspec.audit.program import Program, load_program, on_the_path
from exactspec.audit.report import AuditReport, Request, Trial, tried
from exactspec.check.verdict import Undecided
from exactspec.cli.answers import within_limits
from exactspec.cli.guard import say
from exactspec.cli.guest import hosting, stopping
from exactspec.cli.mutating import check_mutable, score_for
from exactspec.cli.progress import Progress
from exactspec.errors import AuditError, Diagnostic, ExactspecError, ExitCode
from exactspec.model.load import load
from exactspec.model.scenario import Scenario
from exactspec.render import as_json
from exactspec.render.audit import adapters_text, audit_text
from exactspec.render.audit_json import adapters_data, audit_data
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.mutants import mutants_data, mutants_text
from exactspec.render.output import new_page
from exactspec.text import counted, show

DEFAULT_TABLES = "default"
_CODES = {
    "lossless": ExitCode.LOSSLESS,
    "lossy": ExitCode.LOSSY,
    "undecided": ExitCode.UNDECIDED,
}


@dataclass(frozen=True)
class AuditWishes:
    """What the user asked for."""

    program: str | None
    adapter: str | None
    tables: Sequence[str]
    at: str | None
    drafts: int | None
    length: int | None
    level: str
    rule: str | None
    allow_rules: bool
    max_replays: int
    timeout: float | None
    in_json: bool
    rows: int
    time: bool
    colour: str
    mutants: bool = False
    mutate: str | None = None

    @property
    def asks_for_mutants(self) -> bool:
        return self.mutants or self.mutate is not None


class Auditing:
    """Audits the program at once; the report is made from what was found."""

    def __init__(self, wishes: AuditWishes, progress: Progress) -> None:
        self._wishes, self._progress = wishes, progress
        self._errors: tuple[Diagnostic, ...] = ()
        self._report: AuditReport | None = None
        self._score: Score | None = None
        started = perf_counter()
        try:
            self._report = self._found()
        except ExactspecError as error:
            if not wishes.in_json:
                raise
            self._errors = error.diagnostics
        finally:
            progress.clear()
        if wishes.time:
            say(f"exactspec: {perf_counter() - started:.1f} seconds\n")

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.BAD_INPUT if self._report is None else _CODES[self._report.word]

    def text(self) -> str:
        """The report."""
        wishes, report = self._wishes, self._report
        if report is None:
            data = as_json.error_data("", self._errors)
            del data["file"]
            return as_json.document(program=wishes.program or wishes.adapter, **data)
        for trial in report.trials:
            say(diagnostics_text(trial.scenario.warnings))
        if wishes.in_json:
            data = audit_data(report, wishes.rows)
            if wishes.asks_for_mutants:
                data["mutants"] = mutants_data(self._score)
            return as_json.document(**data)
        page = new_page(wishes.colour, sys.stdout)
        audit_text(page, report, wishes.rows)
        if wishes.asks_for_mutants:
            mutants_text(page, self._score)
        return page.text()

    def _found(self) -> AuditReport:
        wishes = self._wishes
        request = Request(
            wishes.drafts,
            wishes.length,
            wishes.level,
            wishes.max_replays,
            wishes.rule,
            wishes.allow_rules,
            wishes.timeout,
        )
        _check_named(wishes)
        scenarios = _scenarios(wishes)
        with on_the_path(wishes.program), hosting(None):
            program = _program(wishes)
            if wishes.asks_for_mutants:
                check_mutable(program, request, wishes.mutate)
            trials = [self._tried(program, scenario, request) for scenario in scenarios]
            if wishes.asks_for_mutants:
                self._score = score_for(program, request, trials, wishes.mutate, self._progress)
        return AuditReport(program, request, trials)

    def _tried(self, program: Program, scenario: Scenario, request: Request) -> Trial:
        title = show(scenario.title or scenario.file)

        with stopping() as stop_again:

            def on_run(number: int) -> None:
                stop_again()
                self._progress(f"{title}: {counted(number, 'run')}")

            found = within_limits(
                self._wishes.timeout,
                lambda: tried(program, scenario, request, on_run),
                "fewer drafts or tokens, or a smaller vocabulary",
            )
            stop_again()
        return Trial(scenario, found) if isinstance(found, Undecided) else found


def _check_named(wishes: AuditWishes) -> None:
    """Exactly one program must be named."""
    if (wishes.program is None) == (wishes.adapter is None):
        named = "no program is named" if wishes.program is None else "two programs are named"
        hint = "name a function as MODULE:FUNCTION or FILE.py:FUNCTION, or an --adapter"
        raise AuditError([Diagnostic("audit-one-program", f"{named}: audit takes one", hint)])


def _program(wishes: AuditWishes) -> Program:
    if wishes.adapter is not None:
        return adapted(wishes.adapter)
    return load_program(wishes.program or "", as_loop=wishes.length is not None)


def _scenarios(wishes: AuditWishes) -> list[Scenario]:
    found: list[Scenario] = []
    for name in wishes.tables or (DEFAULT_TABLES,):
        found += portfolio() if name == DEFAULT_TABLES else [load(name, wishes.at)]
    return found


def adapters_answer(in_json: bool, colour: str) -> str:
    """The list of adapters."""
    if in_json:
        return as_json.document(**adapters_data(adapters()))
    page = new_page(colour, sys.stdout)
    adapters_text(page, adapters())
    return page.text()
