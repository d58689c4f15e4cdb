"""A sample beside the exact law, as text and as JSON."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from exactspec.check.simulate import STANDARD_ERRORS, Seen, Simulation
from exactspec.check.verdict import Lossless
from exactspec.render.as_json import diagnostic_data, option_data, verdict_data
from exactspec.render.output import Page
from exactspec.render.parts import columns, heading, number, wanted_text
from exactspec.render.report import verdict_panel
from exactspec.text import (
    counted,
    decimal_text,
    fraction_and_decimal,
    fraction_text,
    integer_text,
    show_tokens,
)


def simulation_report(page: Page, simulation: Simulation, rows: int) -> None:
    """The whole report.

    Args:
        page: where it goes.
        simulation: the sample.
        rows: how many outputs to show.
    """
    page.add(verdict_panel(simulation.result))
    page.add(
        Text("The verdict above is by the exact law. The sample below decides nothing.", "dim")
    )
    page.add(*_outputs(simulation, rows))
    page.add(*_figures(simulation))
    page.add(*_argument(simulation))


def _outputs(simulation: Simulation, rows: int) -> Iterator[RenderableType]:
    horizon = simulation.result.scenario.horizon
    yield heading(f"{_runs(simulation)} with seed {simulation.seed}, to horizon {horizon}")
    exact = simulation.is_beside_the_exact_law
    if exact:
        table = columns("sequence", "seen", "frequency", "exact", "", "std. error", "z")
    else:
        table = columns("sequence", "seen", "frequency")
    for seen in simulation.outputs[:rows]:
        row = [show_tokens(seen.tokens), f"{seen.count:,}", _rounded(seen.frequency)]
        table.add_row(*row, *(_beside(seen) if exact else ()))
    yield table
    more = len(simulation.outputs) - rows
    if more > 0:
        which = "less probable ones" if exact else "seen less often"
        yield Text(f"… {more:,} more, {which} (--rows)", "dim")
    if not exact:
        yield Text("The exact law of the sequences is not known: see the verdict.", "dim")
        return
    yield Text(
        "exact: by the rule's own law; std. error: the root of p (1 - p) / n; z: the deviation in "
        "standard errors.",
        "dim",
    )


def _runs(simulation: Simulation) -> str:
    return counted(simulation.runs, "run")


def _beside(seen: Seen) -> tuple[str, str, str, str]:
    exact = number(seen.got)
    decimal = "" if seen.got is None else decimal_text(seen.got)
    return exact, decimal, _rounded(seen.standard_error), _rounded(seen.z, 2)


def _rounded(value: Fraction | None, places: int = 4) -> str:
    if value is None:
        return "-"
    whole, _, part = decimal_text(value, places).partition(" ")[2].partition(".")
    return f"{whole}.{part.ljust(places, '0')}"


def _figures(simulation: Simulation) -> Iterator[RenderableType]:
    yield heading("The sample as a whole")
    table = columns("", "")
    run = simulation.result.run
    exact = "" if run is None else f", exact {fraction_and_decimal(run.calls)}"
    table.add_row("target calls, mean", f"{_rounded(simulation.mean_calls)}{exact}")
    own, wanted = simulation.distance_from_own_law, simulation.distance_from_wanted
    if own is not None and wanted is not None:
        whose = wanted_text(simulation.result.scenario)
        table.add_row("TV from the rule's own law", _rounded(own))
        table.add_row(f"TV from {whose} law", _rounded(wanted))
        far = f"{simulation.far_off:,} of {counted(len(simulation.outputs), 'sequence')}"
        table.add_row(f"beyond {STANDARD_ERRORS} standard errors", far)
    yield table


def _argument(simulation: Simulation) -> Iterator[RenderableType]:
    lines = list(_what_a_sample_can_show(simulation))
    if lines:
        yield heading("What a sample can show")
        yield from map(Text, lines)


def _what_a_sample_can_show(simulation: Simulation) -> Iterator[str]:
    notice, unnoticed = simulation.notice, simulation.unnoticed
    if notice is not None:
        yield (
            f"The largest deviation is on {show_tokens(notice.tokens)}: {number(notice.got)}, not "
            f"{number(notice.want)}. About {notice.runs:,} runs make it "
            f"{STANDARD_ERRORS} standard errors."
        )
    elif simulation.differs_beyond is not None:
        yield (
            f"The laws differ from horizon {simulation.differs_beyond} on: no sample of shorter "
            "sequences shows it, however large."
        )
    elif unnoticed is not None and isinstance(simulation.result.verdict, Lossless):
        tokens, deviation = unnoticed
        yield (
            f"{_runs(simulation)} could not tell this rule from one that is wrong by up to "
            f"{_rounded(deviation)} on {show_tokens(tokens)} ({STANDARD_ERRORS} standard errors). "
            "The exact law has no such margin."
        )


def simulation_data(simulation: Simulation, rows: int) -> dict[str, Any]:
    """The sample as JSON. Its keys are described in docs/json.md."""
    result, notice, unnoticed = simulation.result, simulation.notice, simulation.unnoticed
    scenario, run = result.scenario, result.run
    return {
        "file": scenario.file,
        "sha256": scenario.digest,
        "title": scenario.title or None,
        "rule": {
            "name": result.rule.name,
            "paper": result.rule.paper or None,
            "file": result.rule.file,
            "sha256": result.rule.digest,
            "options": {name: option_data(value) for name, value in scenario.options.items()},
        },
        "horizon": scenario.horizon,
        "verdict": verdict_data(result.verdict),
        "runs": simulation.runs,
        "seed": simulation.seed,
        "sample": {
            "target_calls": simulation.calls,
            "expected_target_calls": None if run is None else fraction_text(run.calls),
            "sequences": len(simulation.outputs),
            "distance_from_own_law": _text(simulation.distance_from_own_law),
            "distance_from_wanted_law": _text(simulation.distance_from_wanted),
            "beyond_three_standard_errors": simulation.far_off,
            "rows": list(map(_seen_data, simulation.outputs[:rows])),
        },
        "needed_to_notice": None
        if notice is None
        else {
            "tokens": list(notice.tokens),
            "got": fraction_text(notice.got),
            "want": fraction_text(notice.want),
            "runs": integer_text(notice.runs),
        },
        "unnoticed": None
        if unnoticed is None
        else {"tokens": list(unnoticed[0]), "deviation": fraction_text(unnoticed[1])},
        "diagnostics": list(map(diagnostic_data, scenario.warnings)),
    }


def _seen_data(seen: Seen) -> dict[str, Any]:
    return {
        "tokens": list(seen.tokens),
        "count": seen.count,
        "frequency": fraction_text(seen.frequency),
        "got": _text(seen.got),
        "want": _text(seen.want),
        "variance": _text(seen.variance),
        "z_squared": _text(seen.z_squared),
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else fraction_text(value)
