"""Results as one JSON document: everything that the text shows, fractions as strings ``p/q``."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exactspec import __version__
from exactspec.check.check import Result
from exactspec.check.sequence import SequenceProof
from exactspec.check.verdict import Lossy, Undecided, Verdict
from exactspec.errors import Diagnostic
from exactspec.expand.tree import SequencePath
from exactspec.model.scenario import Scenario
from exactspec.render.figures_json import (
    context_data,
    identity_data,
    round_data,
    run_data,
    sequences_data,
)
from exactspec.render.tree import FoldedTree
from exactspec.rule import Algorithm
from exactspec.text import fraction_text

SCHEMA = 1


def document(**content: Any) -> str:
    """A JSON document with the schema's version and the program's."""
    whole = {"schema": SCHEMA, "exactspec": __version__, **content}
    text = json.dumps(whole, indent=2, ensure_ascii=True)
    # DEL is the one control character that json leaves as it is.
    return text.replace("\x7f", "\\u007f") + "\n"


def result_data(result: Result, tree: FoldedTree | None, rows: int) -> dict[str, Any]:
    """One result. Its keys are described in docs/json.md."""
    scenario, comparison = result.scenario, result.comparison
    return {
        **setting_data(scenario, result.rule),
        "verdict": verdict_data(result.verdict),
        "expect": scenario.expect,
        "as_expected": result.as_expected,
        "automata": None
        if comparison is None
        else {"dimension": comparison.dimension, "strings": comparison.strings},
        "round_identity": {
            "holds": result.round_identity_holds if result.identities else None,
            "states": list(map(identity_data, result.identities)),
        },
        "contexts": list(map(context_data, result.contexts)),
        "rounds": list(map(round_data, result.round_figures)),
        "run": run_data(result.run),
        "tree": tree_data(tree),
        "sequences": sequences_data(result.listing, result.listing_left_out, rows),
        "diagnostics": list(map(diagnostic_data, scenario.warnings)),
    }


def setting_data(scenario: Scenario, rule: Algorithm) -> dict[str, Any]:
    """What a verdict is about: the file, the rule and the setting."""
    return {
        "file": scenario.file,
        "sha256": scenario.digest,
        "title": scenario.title or None,
        "rule": {
            "name": rule.name,
            "paper": rule.paper or None,
            "file": rule.file,
            "sha256": rule.digest,
            "options": {name: option_data(value) for name, value in scenario.options.items()},
        },
        "vocabulary": list(scenario.vocabulary),
        "end": scenario.end,
        "prompt": list(scenario.prompt),
        "draft_length": scenario.draft_length,
        "horizon": scenario.horizon,
        "max_tokens": scenario.max_tokens,
        "after_end": "cut" if scenario.cut_after_end else "outcome",
        "wanted": scenario.wanted if isinstance(scenario.wanted, str) else "table",
        "parameter": _parameter_data(scenario),
    }


def _parameter_data(scenario: Scenario) -> dict[str, Any] | None:
    """The parameter of the tables with its range, or with the value that was put in."""
    if scenario.assigned is not None:
        name, value = scenario.assigned
        return {"name": name, "value": fraction_text(value)}
    if scenario.family is None:
        return None
    return {"name": scenario.family.parameter.name, "range": str(scenario.family.parameter)}


def error_data(file: str, diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """A file that could not be judged."""
    return {
        "file": file,
        "verdict": {"word": "error"},
        "diagnostics": list(map(diagnostic_data, diagnostics)),
    }


def diagnostic_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """An error or a warning."""
    place = diagnostic.location
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "notes": list(diagnostic.notes),
        "location": None
        if place is None
        else {
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "end_column": place.end_column,
        },
    }


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict with its scope."""
    if isinstance(verdict, Undecided):
        return {"word": verdict.word, "reason": verdict.reason, "hint": verdict.hint}
    data: dict[str, Any] = {
        "word": verdict.word,
        "scope": {
            "every_horizon": verdict.scope.horizon is None,
            "horizon": verdict.scope.horizon,
            "reason": verdict.scope.reason,
        },
    }
    if isinstance(verdict, Lossy):
        example = verdict.counterexample
        data["lossless_to_horizon"] = verdict.lossless_to
        data["counterexample"] = {
            "begins_with": list(example.tokens),
            "got": fraction_text(example.got),
            "want": fraction_text(example.want),
            "difference": fraction_text(example.difference),
            "paths": None if example.paths is None else list(map(path_data, example.paths)),
        }
    return data


def path_data(path: SequencePath) -> dict[str, Any]:
    """One path over rounds."""
    return {
        "mass": fraction_text(path.mass),
        "rounds": [
            [
                {"kind": kind, "token": option_data(token), "probability": fraction_text(weight)}
                for kind, token, weight in steps
            ]
            for steps in path.rounds
        ],
    }


def tree_data(tree: FoldedTree | None) -> dict[str, Any] | None:
    """The nodes that the text shows, in its order, and how many are folded."""
    if tree is None:
        return None
    nodes = [line.node for line in tree.lines if line.node is not None]
    return {
        "nodes": [{"id": node, **_node_data(tree, node)} for node in nodes],
        "folded": tree.folded,
    }


def _node_data(tree: FoldedTree, node: int) -> dict[str, Any]:
    look = tree.tree.nodes[node]
    data = {
        "parent": next(iter(tree.tree.predecessors(node)), None),
        "kind": look["kind"],
        "token": option_data(look["token"]),
        "probability": fraction_text(look["probability"]),
        "mass": fraction_text(look["mass"]),
    }
    if "emitted" in look:
        data["emitted"] = list(look["emitted"])
        data["accepted"] = look["accepted"]
    return data


def sequence_proof_data(proof: SequenceProof) -> dict[str, Any]:
    """All paths of one sequence."""
    return {
        "tokens": list(proof.tokens),
        "whole_sequence": proof.ended,
        "paths": list(map(path_data, proof.paths)),
        "expression": " + ".join(map(_product, proof.paths)) or "0",
        "got": fraction_text(proof.got),
        "target_factors": list(map(fraction_text, proof.target_factors)),
        "want": fraction_text(proof.want),
    }


def _product(path: SequencePath) -> str:
    return "*".join(map(fraction_text, path.factors)) or "1"


def option_data(value: object) -> Any:
    """A value of a rule: fractions as text, the rest as JSON has it."""
    if isinstance(value, Fraction):
        return fraction_text(value)
    if isinstance(value, tuple):
        return list(map(option_data, value))
    return value if value is None or isinstance(value, str | int) else repr(value)
