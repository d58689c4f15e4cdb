"""An audit as JSON. The keys are described in docs/json.md."""

from collections.abc import Sequence
from typing import Any

from exactspec.audit.adapters import Adapter
from exactspec.audit.audited import Audited, Deviation
from exactspec.audit.program import Program
from exactspec.audit.report import AuditReport, Trial
from exactspec.audit.world import Raised
from exactspec.check.check import Result
from exactspec.check.verdict import Undecided
from exactspec.render.as_json import verdict_data
from exactspec.text import fraction_text

_WORDS = ("lossless", "lossy", "undecided")


def audit_data(report: AuditReport, rows: int) -> dict[str, Any]:
    """The audit of one program, with so many sequences of each pair of tables."""
    request = report.request
    return {
        "program": _program_data(report.program),
        "level": request.level,
        "audits": "step" if report.program.step and request.length is None else "loop",
        "verdict": {
            "word": report.word,
            "exact": report.is_exact,
            **{word: report.count(word) for word in _WORDS},
        },
        "tables": [_trial_data(trial, rows) for trial in report.trials],
    }


def _program_data(program: Program) -> dict[str, Any]:
    return {
        "name": program.name,
        "file": program.file,
        "sha256": program.digest,
        "package": program.package,
    }


def _trial_data(trial: Trial, rows: int) -> dict[str, Any]:
    scenario = trial.scenario
    return {
        "title": scenario.title or None,
        "file": scenario.file or None,
        "sha256": scenario.digest or None,
        "vocabulary": list(scenario.vocabulary),
        "end": scenario.end,
        "prompt": list(scenario.prompt),
        "draft_length": scenario.draft_length,
        "rule": None if trial.rule is None else _rule_data(trial.rule),
        **_found_data(trial.found, rows),
    }


def _rule_data(result: Result) -> dict[str, Any]:
    rule = result.rule
    return {
        "name": rule.name,
        "file": rule.file,
        "sha256": rule.digest,
        "verdict": verdict_data(result.verdict),
    }


def _found_data(found: Audited | Undecided, rows: int) -> dict[str, Any]:
    if isinstance(found, Undecided):
        return {"verdict": verdict_data(found)}
    law = found.law
    return {
        "verdict": {"word": found.word, "exact": found.is_exact},
        "length": found.length,
        "runs": law.replays,
        "total_variation": fraction_text(found.total_variation),
        "impossible_mass": fraction_text(found.impossible),
        "crash": fraction_text(found.crash),
        "exceptions": [
            {**_raised_data(raised), "probability": fraction_text(mass)}
            for raised, mass in law.crashes.items()
        ],
        "rounding": fraction_text(found.rounding),
        "with_real_numbers": None if found.ideal is None else found.ideal.word,
        "notes": list(law.notes),
        "deviations": len(found.deviations),
        "rows": [_deviation_data(found, deviation) for deviation in found.deviations[:rows]],
    }


def _raised_data(raised: Raised) -> dict[str, str]:
    return {"type": raised.type, "message": raised.message}


def _deviation_data(found: Audited, deviation: Deviation) -> dict[str, Any]:
    outcome = deviation.outcome
    data: dict[str, Any] = {"ids": None, "tokens": None, "exception": None}
    if isinstance(outcome, Raised):
        data["exception"] = _raised_data(outcome)
    else:
        data |= {"ids": list(outcome), "tokens": list(found.tables.names(outcome))}
    return {
        **data,
        "got": fraction_text(deviation.got),
        "want": fraction_text(deviation.want),
        "difference": fraction_text(deviation.difference),
    }


def adapters_data(adapters: Sequence[Adapter]) -> dict[str, Any]:
    """The adapters, with the packages and versions that they are for."""
    return {
        "adapters": [
            {
                "name": one.name,
                "package": one.package,
                "versions": list(one.versions),
                "about": one.about,
                "step": one.step is not None,
                "loop": one.sequences is not None,
            }
            for one in adapters
        ]
    }
