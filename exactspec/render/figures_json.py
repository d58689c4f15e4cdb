"""The figures of a result as data for JSON: states, contexts, a round, a run, the sequences."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from exactspec.check.facts import ContextFacts, HorizonFacts, RoundFacts
from exactspec.check.identity import RoundIdentity
from exactspec.check.listing import Listing, Output
from exactspec.expand.states import State
from exactspec.text import fraction_text


def identity_data(identity: RoundIdentity) -> dict[str, Any]:
    """The round identity from one state."""
    data = {
        **state_data(identity.state),
        "first_token_holds": identity.first_token_holds,
        "holds": identity.holds,
        "strings": identity.strings,
    }
    if identity.failure is not None:
        tokens, got, want = identity.failure
        data["failure"] = {
            "begins_with": list(tokens),
            "got": fraction_text(got),
            "want": fraction_text(want),
        }
    return data


def state_data(state: State) -> dict[str, Any]:
    """Where a round begins."""
    return {
        "context": list(state.context),
        "carried": None if state.carried is None else repr(state.carried),
        "tokens_left": state.tokens_left,
    }


def context_data(facts: ContextFacts) -> dict[str, Any]:
    """The figures of one context."""
    residual = facts.residual
    return {
        **state_data(facts.state),
        "acceptance": _number(facts.acceptance),
        "rejection": _number(facts.rejection),
        "residual_mass": _number(facts.residual_mass),
        "total_variation": _number(facts.total_variation),
        "residual": None
        if residual is None
        else {x: fraction_text(w) for x, w in residual.items()},
        "first_token": [
            {
                "token": row.token,
                "draft": _number(row.draft),
                "target": _number(row.target),
                "accepted": _number(row.accepted),
                "rejected": _number(row.rejected),
                "corrected": _number(row.corrected),
                "emitted": _number(row.emitted),
            }
            for row in facts.first_tokens
        ],
        "theory": [
            {"figure": a.figure, "equals": a.theory, "differs_at": list(a.differs_at)}
            for a in facts.agreements
        ],
    }


def round_data(figures: RoundFacts) -> dict[str, Any]:
    """The figures of the round from one state."""
    return {
        **state_data(figures.state),
        "accepted": None if figures.accepted is None else _counts(figures.accepted),
        "expected_accepted": _number(figures.mean_accepted),
        "emitted": _counts(figures.emitted),
        "expected_emitted": _number(figures.mean_emitted),
        "paths": figures.paths,
        "nodes": figures.nodes,
        "reached": list(figures.reached),
    }


def run_data(run: HorizonFacts | None) -> dict[str, Any] | None:
    """The figures of a run to the horizon."""
    if run is None:
        return None
    return {
        "horizon": run.horizon,
        "expected_target_calls": _number(run.calls),
        "expected_tokens": _number(run.tokens),
        "expected_drafted": _number(run.drafted),
        "expected_speedup": _number(run.speedup),
    }


def sequences_data(
    listing: Listing | None, left_out: str | None, rows: int
) -> dict[str, Any] | None:
    """The output sequences: counts and distances, and the rows that the text shows."""
    if listing is None:
        return None if left_out is None else {"left_out": left_out}
    wrong = listing.wrong
    data: dict[str, Any] = {"horizon": listing.horizon, "count": len(listing), "wrong": len(wrong)}
    data["total_variation"] = fraction_text(listing.total_variation)
    data["impossible"] = {
        "count": len(listing.impossible),
        "mass": fraction_text(sum((o.got for o in listing.impossible), Fraction(0))),
    }
    if wrong:
        data["shortest_wrong"] = output_data(listing.shortest_wrong)
        data["largest_difference"] = output_data(listing.worst)
    data["rows"] = list(map(output_data, wrong[:rows] if wrong else listing.first(rows)))
    return data


def output_data(output: Output) -> dict[str, Any]:
    """One output sequence."""
    return {
        "tokens": list(output.tokens),
        "got": fraction_text(output.got),
        "want": fraction_text(output.want),
        "difference": fraction_text(output.difference),
    }


def _counts(law: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(count): fraction_text(mass) for count, mass in law.items()}


def _number(number: Fraction | None) -> str | None:
    return None if number is None else fraction_text(number)
