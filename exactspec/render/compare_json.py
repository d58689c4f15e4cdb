"""Rules side by side, as JSON. The keys are described in docs/json.md."""

from fractions import Fraction
from typing import Any

from exactspec.check.compare import Attained, Judged, SideBySide
from exactspec.check.round_laws import Block, Difference
from exactspec.expand.states import State
from exactspec.render.as_json import diagnostic_data, option_data, verdict_data
from exactspec.render.figures_json import state_data
from exactspec.text import fraction_text


def comparison_data(table: SideBySide, rows: int) -> dict[str, Any]:
    """The comparison, with so many rows of the blocks that differ."""
    scenario, difference = table.scenario, table.difference
    bounds = None if table.bounds is None else list(map(_bound_data, table.bounds))
    return {
        "file": scenario.file,
        "sha256": scenario.digest,
        "title": scenario.title or None,
        "horizon": scenario.horizon,
        "rules": list(map(_judged_data, table.rules)),
        "bounds": bounds,
        "round_difference": None if difference is None else _difference_data(difference, rows),
        "diagnostics": list(map(diagnostic_data, scenario.warnings)),
    }


def _judged_data(judged: Judged) -> dict[str, Any]:
    result = judged.result
    options = result.scenario.options if result else {}
    return {
        "name": judged.name,
        "file": result.rule.file if result else None,
        "sha256": result.rule.digest if result else None,
        "options": {name: option_data(value) for name, value in options.items()},
        "verdict": {"word": "error"} if result is None else verdict_data(result.verdict),
        "expected_accepted": _text(judged.accepted),
        "expected_emitted": _text(judged.emitted),
        "first_step_acceptance": _text(judged.first_step),
        "expected_target_calls": _text(judged.calls),
        "total_variation": _text(judged.distance),
        "largest_ratio": "unbounded" if judged.impossible else _text(judged.largest_ratio),
        "impossible_mass": _text(judged.impossible),
        "same_round_law_as": list(judged.same_as),
        "diagnostics": list(map(diagnostic_data, judged.diagnostics)),
    }


def _bound_data(attained: Attained) -> dict[str, Any]:
    bound = attained.bound
    return {
        "name": bound.name,
        "condition": bound.condition,
        "formula": bound.formula,
        "bounds": "first_step_acceptance" if bound.first_step else "expected_accepted",
        "value": _text(bound.value),
        "left_out": bound.left_out,
        "reached_by": list(attained.reached_by),
        "exceeded_by": list(attained.exceeded_by),
    }


def _difference_data(difference: Difference, rows: int) -> dict[str, Any]:
    return {
        "compared_states": difference.compared,
        "states_of_the_first_only": difference.only_first,
        "states_of_the_second_only": difference.only_second,
        "states": [
            {**state_data(each.state), "total_variation": _text(each.distance)}
            for each in difference.states
        ],
        "blocks": [_block_data(state, block) for state, block in difference.largest[:rows]],
    }


def _block_data(state: State, block: Block) -> dict[str, Any]:
    return {
        **state_data(state),
        "block": list(block.tokens),
        "first": _text(block.first),
        "second": _text(block.second),
        "difference": _text(block.difference),
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else fraction_text(value)
