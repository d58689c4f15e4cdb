"""A verdict for every value of a parameter as data for JSON: parts of the range, formulas as texts."""

from collections.abc import Sequence
from typing import Any

from exactspec.check.family import FamilyResult
from exactspec.check.pieces import (
    ContextPieces,
    LossyPart,
    Piece,
    context_pieces,
    expectations,
    horizon_of,
    irrational_points,
    lossy_parts,
    verdicts,
)
from exactspec.parameter.roots import Root
from exactspec.parameter.written import formula_of_polynomial, formula_text, point_text
from exactspec.render.as_json import diagnostic_data, setting_data
from exactspec.text import fraction_text


def family_data(result: FamilyResult) -> dict[str, Any]:
    """One result. Its keys are described in docs/json.md."""
    name = result.parameter.name
    return {
        **setting_data(result.scenario, result.rule),
        "verdict": {"word": result.word, "parts": list(map(_part_data, verdicts(result)))},
        "counterexamples": [_lossy_data(part, name) for part in lossy_parts(result)],
        "expect": result.scenario.expect,
        "as_expected": result.as_expected,
        "figures": {
            "contexts": [_context_data(context, name) for context in context_pieces(result)],
            "horizon": horizon_of(result),
            **{key: _pieces_data(found, name) for key, found in expectations(result).items()},
        },
        "roots": [_root_data(root, name) for root in irrational_points(result)],
        "diagnostics": list(map(diagnostic_data, result.scenario.warnings)),
    }


def _part_data(piece: Piece) -> dict[str, Any]:
    word, reach = piece.value
    return {"where": str(piece.span), "word": word, "reach": reach}


def _lossy_data(part: LossyPart, name: str) -> dict[str, Any]:
    example = part.counterexample
    return {
        "where": str(part.span),
        "begins_with": list(example.tokens),
        "got": formula_text(example.got, name),
        "want": formula_text(example.want, name),
        "difference": formula_text(example.difference, name),
    }


def _context_data(context: ContextPieces, name: str) -> dict[str, Any]:
    return {
        "context": list(context.state.context),
        "tokens_left": context.state.tokens_left,
        "acceptance": _pieces_data(context.acceptance, name),
        "rejection": _pieces_data(context.rejection, name),
        "total_variation": _pieces_data(context.total_variation, name),
    }


def _pieces_data(found: Sequence[Piece], name: str) -> list[dict[str, Any]]:
    return [
        {
            "where": str(piece.span),
            "value": None if piece.value is None else formula_text(piece.value, name),
        }
        for piece in found
    ]


def _root_data(root: Root, name: str) -> dict[str, Any]:
    return {
        "name": point_text(root),
        "polynomial": str(formula_of_polynomial(root.polynomial, name)),
        "between": [fraction_text(root.low), fraction_text(root.high)],
    }
