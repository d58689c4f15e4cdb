"""A proof as JSON, so that another program can recheck every identity. The keys are in docs/json.md."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from exactspec.check.check import Result
from exactspec.check.verdict import Lossy
from exactspec.prove.account import Run, Step, as_formula
from exactspec.prove.certificate import Certificate
from exactspec.prove.claim import Claim
from exactspec.prove.formula import Formula
from exactspec.prove.identity import Part
from exactspec.prove.lemmas import Lemma
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.signs import Signs
from exactspec.prove.theorem import Open, Proof
from exactspec.prove.witness import Witness
from exactspec.prove.world import Entry
from exactspec.prove.written import WrittenProgram, WrittenProof, WrittenTheorem
from exactspec.render.as_json import diagnostic_data, option_data, verdict_data
from exactspec.render.notation import quotient_text, sum_text, symbol_text
from exactspec.text import fraction_text

_SIGNS = {-1: "-", 0: "0", 1: "+"}


def proof_data(whole: WrittenProof) -> dict[str, Any]:
    """The whole proof."""
    proof, claim = whole.proof, whole.proof.claim
    lemmas = [] if whole.chain is None else [_lemma(whole.chain, x) for x in proof.lemmas]
    return {
        **_claim(claim),
        "verdict": _verdict(proof),
        "theorems": list(map(_theorem, whole.theorems)),
        "single_step": None
        if whole.chain is None
        else {**_variables(whole.chain.program, whole.chain), "lemmas": lemmas},
        "witness": None if proof.witness is None else _witness(proof.witness),
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "rule": {
            "name": claim.rule.name,
            "paper": claim.rule.paper or None,
            "file": claim.rule.file,
            "sha256": claim.rule.digest,
            "options": {name: option_data(value) for name, value in claim.options.items()},
        },
        "vocabulary": claim.vocabulary,
        "draft_length": claim.draft_length,
    }


def _verdict(proof: Proof) -> dict[str, Any]:
    verdict: dict[str, Any] = {"word": proof.word}
    if proof.word == "proved":
        verdict["scope"] = {"every_table": True, "every_horizon": True}
    if proof.word == "undecided":
        verdict["open"] = list(proof.open)
    if proof.stopped is not None:
        verdict["hint"] = proof.stopped.hint
    return verdict


def _theorem(written: WrittenTheorem) -> dict[str, Any]:
    theorem, program = written.theorem, written.program
    data = {
        "end": theorem.end,
        "carried": None if program.state is None else repr(program.state),
        "proved": theorem.is_proved,
        "open": [_open(written, each) for each in theorem.open],
        "tables_compared": theorem.compared,
    }
    if not written.was_read:
        return data
    return {
        **data,
        **_variables(program, written),
        "tests": [
            {
                "polynomial": polynomial_text(test.polynomial),
                "notation": sum_text(written.sum(test.polynomial)),
                "outcomes": list(map(signs_text, test.signs)),
                "splits": test.polynomial in written.splitting,
            }
            for test in theorem.tests
        ],
        "parts": [_part(written, part) for part in theorem.parts],
        "strings": [
            {"tokens": list(string.tokens), "wanted": _formula(written, string.wanted)}
            for string in written.strings
        ],
        "paths": [_run(written, run) for run in written.runs],
        "acceptances": [
            {"accept": _formula(written, accept), "reject": _formula(written, reject)}
            for accept, reject in written.obligations.acceptances
        ],
        "divisors": [
            {
                "polynomial": polynomial_text(divisor.polynomial),
                "notation": sum_text(written.sum(divisor.polynomial)),
                "evidence": _certificate(divisor.evidence),
            }
            for divisor in written.obligations.divisors
        ],
    }


def _variables(program: Program, written: WrittenProgram) -> dict[str, Any]:
    """What the variables stand for, and what is known of them in every table."""
    variables: list[dict[str, Any]] = []
    for number, meaning in enumerate(program.world.meanings):
        data: dict[str, Any] = {"variable": f"v{number}"}
        if isinstance(meaning, Entry):
            data |= _entry(meaning)
        else:
            data["positive_part_of"] = polynomial_text(meaning.of)
            data["notation"] = symbol_text(written.notation.variable(number))
        variables.append(data)
    last = [
        {"polynomial": polynomial_text(polynomial), **_entry(entry)}
        for polynomial, entry in program.world.last_entries.items()
    ]
    bounds = list(map(polynomial_text, program.world.bounds))
    return {
        "tokens": list(program.vocabulary),
        "variables": variables,
        "last_entries": last,
        "not_negative": bounds,
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "table": entry.table,
        "after": list(entry.after),
        "token": entry.token,
        "notation": symbol_text(entry),
    }


def _run(written: WrittenTheorem, run: Run) -> dict[str, Any]:
    leaf = run.leaf
    last = None if leaf.last is None else leaf.last.possible()
    return {
        "steps": [_step(written, step) for step in run.steps],
        "mass": _formula(written, run.mass),
        "emitted": list(leaf.tokens),
        "last": None
        if last is None
        else [
            {"token": t, "mass": _formula(written, as_formula(written.program, w))} for t, w in last
        ],
        "accepted": leaf.accepted,
        "carries": None if leaf.state is None else repr(leaf.state),
        "error": None if leaf.error is None else type(leaf.error).__name__,
    }


def _step(written: WrittenTheorem, step: Step) -> dict[str, Any]:
    if step.tested is not None:
        return {
            "kind": step.name,
            "polynomial": polynomial_text(step.tested),
            "signs": signs_text(step.signs),
        }
    assert step.weight is not None
    return {
        "kind": step.name,
        "token": option_data(step.token),
        "probability": _formula(written, step.weight),
    }


def _formula(written: WrittenProgram, formula: Formula) -> dict[str, str]:
    above = [(f, e) for f, e in formula.powers.items() if e > 0]
    below = [(f, -e) for f, e in formula.powers.items() if e < 0]
    return {
        "numerator": _product(formula.number.numerator, above),
        "denominator": _product(formula.number.denominator, below),
        "notation": quotient_text(written.quotient(formula)),
    }


def _product(number: int, factors: list[tuple[Polynomial, int]]) -> str:
    parts = [] if number == 1 and factors else [fraction_text(Fraction(number))]
    for polynomial, exponent in factors:
        text = polynomial_text(polynomial)
        text = text if text.isalnum() else f"({text})"
        parts.append(text if exponent == 1 else f"{text}^{exponent}")
    return "*".join(parts)


def polynomial_text(polynomial: Polynomial) -> str:
    """A polynomial in the variables v0, v1, ...: sums of products, ``2*v0*v3 - 1/2*v1 + 1``.

    >>> x, y = Polynomial.variable(0), Polynomial.variable(1)
    >>> polynomial_text(x * x - y.times(Fraction(1, 2)))
    '-1/2*v1 + v0*v0'
    """
    text = ""
    for monomial, coefficient in polynomial.sorted_terms():
        number = Fraction(coefficient)
        names = [f"v{variable}" for variable in monomial]
        factors = ([] if abs(number) == 1 and names else [fraction_text(abs(number))]) + names
        sign = " - " if number < 0 else " + "
        text += (sign if text else sign.strip(" +")) + "*".join(factors)
    return text or "0"


def signs_text(signs: Signs) -> str:
    """The signs that a number may have, of ``-``, ``0`` and ``+``.

    >>> signs_text(frozenset({1, 0}))
    '0+'
    """
    return "".join(_SIGNS[sign] for sign in sorted(signs))


def _part(written: WrittenTheorem, part: Part) -> dict[str, Any]:
    return {
        "conditions": [
            {
                "polynomial": polynomial_text(polynomial),
                "notation": sum_text(written.sum(polynomial)),
                "signs": signs_text(signs),
            }
            for polynomial, signs in part.conditions
        ],
        "equal": [
            {"variable": f"v{variable}", "polynomial": polynomial_text(value)}
            for variable, value in part.case.equal.items()
        ],
        "holds": not part.differences,
        "empty": _certificate(part.empty),
        "differences": [
            {"tokens": list(block), "difference": _formula(written, difference)}
            for block, difference in part.differences
        ],
    }


def _certificate(certificate: Certificate | None) -> dict[str, Any] | None:
    """A sum of parts that are not negative."""
    if certificate is None:
        return None
    return {
        "claim": polynomial_text(certificate.claim),
        "positive": certificate.positive,
        "parts": [
            {
                "number": fraction_text(number),
                "polynomial": polynomial_text(known.polynomial),
                "positive": known.positive,
            }
            for number, known in certificate.parts
        ],
        "rest": polynomial_text(certificate.rest),
    }


def _open(written: WrittenTheorem, point: Open) -> dict[str, Any]:
    conditions: Mapping[Polynomial, Signs] = dict(point.conditions)
    return {
        "reason": point.reason,
        "conditions": [
            {
                "polynomial": polynomial_text(polynomial),
                "notation": sum_text(written.sum(polynomial)),
                "signs": signs_text(signs),
            }
            for polynomial, signs in conditions.items()
        ],
    }


def _lemma(written: WrittenProgram, lemma: Lemma) -> dict[str, Any]:
    return {
        "name": lemma.name,
        "holds": lemma.holds,
        "sides": [
            {"token": token, "rule": _formula(written, one), "theory": _formula(written, other)}
            for token, (one, other) in lemma.sides.items()
        ],
    }


def _witness(witness: Witness) -> dict[str, Any]:
    result: Result | None = witness.result
    is_lossy = result is not None and isinstance(result.verdict, Lossy)
    return {
        "model": witness.model,
        "verdict": verdict_data(result.verdict) if is_lossy and result else None,
        "diagnostics": list(map(diagnostic_data, witness.broken)),
    }
