"""The JSON of a proof is enough to recheck it: SymPy alone adds up the masses of every string."""

import ast
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from operator import add, mul, sub
from random import Random
from typing import Any

import pytest
from sympy import QQ, ring

from exactspec.algorithms import CATALOGUE
from exactspec.prove.proof import Claim, prove
from exactspec.prove.written import written
from exactspec.render.as_json import document
from exactspec.render.proof_json import proof_data

CLAIMS = [
    ("token_level", 2, 1),
    ("token_level", 2, 2),
    ("token_level", 3, 1),
    ("token_level", 3, 2),
    ("block_verification", 2, 2),
    ("recursive_rejection_with_replacement", 2, 1),
]
PROGRAMS = [(*claim, number) for claim in CLAIMS for number in range(2)]


@cache
def proof_of(name: str, vocabulary: int, draft_length: int) -> dict[str, Any]:
    claim = Claim(CATALOGUE[name], name, vocabulary, draft_length, {})
    loaded: dict[str, Any] = json.loads(document(**proof_data(written(prove(claim)))))
    return loaded


class Reader:
    """Reads formulas with a value for each variable: sums of products, the grammar a part of Python's."""

    def __init__(self, variables: dict[str, Any], number: Callable[[Fraction], Any]) -> None:
        self.variables, self.number = variables, number

    def polynomial(self, text: str) -> Any:
        return self._value(ast.parse(text.replace("^", "**"), mode="eval").body)

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return self.variables[node.id]
        if isinstance(node, ast.Constant):
            return self.number(Fraction(int(node.value)))
        if isinstance(node, ast.UnaryOp):
            return -self._value(node.operand)
        assert isinstance(node, ast.BinOp)
        one = self._value(node.left)
        if isinstance(node.op, ast.Pow | ast.Div):
            assert isinstance(node.right, ast.Constant)
            right = int(node.right.value)
            is_power = isinstance(node.op, ast.Pow)
            return one**right if is_power else one * self.number(Fraction(1, right))
        steps = {ast.Add: add, ast.Sub: sub, ast.Mult: mul}
        return steps[type(node.op)](one, self._value(node.right))

    def quotient(self, formula: dict[str, str]) -> tuple[Any, Any]:
        return self.polynomial(formula["numerator"]), self.polynomial(formula["denominator"])


def reader_of(theorem: dict[str, Any]) -> Reader:
    """Formulas as SymPy's polynomials over the rationals."""
    names = [variable["variable"] for variable in theorem["variables"]]
    whole, *variables = ring(names, QQ)
    return Reader(
        dict(zip(names, variables, strict=True)),
        lambda number: whole(QQ(number.numerator, number.denominator)),
    )


def entry(theorem: dict[str, Any], reader: Reader, after: list[str], token: str) -> Any:
    """The target's probability of a token behind others, from the tables of variables."""
    for variable in theorem["variables"]:
        if (variable.get("table"), variable.get("after"), variable.get("token")) == (
            "target",
            after,
            token,
        ):
            return reader.variables[variable["variable"]]
    (found,) = [
        last["polynomial"]
        for last in theorem["last_entries"]
        if (last["table"], last["after"], last["token"]) == ("target", after, token)
    ]
    return reader.polynomial(found)


def emitted(theorem: dict[str, Any], reader: Reader) -> list[tuple[list[str], Any, Any]]:
    """Every block that a path emits, with the numerator and the denominator of its mass."""
    found = []
    for path in theorem["paths"]:
        above, below = reader.quotient(path["mass"])
        assert path["error"] is None
        if path["last"] is None:
            found.append((path["emitted"], above, below))
        for last in path["last"] or ():
            more, less = reader.quotient(last["mass"])
            found.append(([*path["emitted"], last["token"]], above * more, below * less))
    return found


@pytest.mark.parametrize(("name", "vocabulary", "draft_length", "number"), PROGRAMS)
def test_the_masses_of_the_paths_of_each_string_sum_to_the_targets_probability(
    name: str, vocabulary: int, draft_length: int, number: int
) -> None:
    theorem = proof_of(name, vocabulary, draft_length)["theorems"][number]
    reader = reader_of(theorem)
    blocks = emitted(theorem, reader)
    every = theorem["tokens"]
    assert len(every) == vocabulary
    for string in theorem["strings"]:
        tokens = string["tokens"]
        wanted = reader.number(Fraction(1))
        for i, token in enumerate(tokens):
            wanted *= entry(theorem, reader, tokens[:i], token)
        assert reader.quotient(string["wanted"]) == (wanted, 1)
        above, below = reader.number(Fraction(0)), reader.number(Fraction(1))
        over: dict[Any, Any] = {}
        for block, mass, divisor in blocks:
            if tokens[: len(block)] == block:
                for i in range(len(block), len(tokens)):
                    mass = mass * entry(theorem, reader, tokens[:i], tokens[i])
                over[divisor] = over.get(divisor, 0) + mass
        for divisor, mass in over.items():
            above, below = _sum(above, below, mass, divisor)
        assert above == wanted * below


def _sum(above: Any, below: Any, mass: Any, divisor: Any) -> tuple[Any, Any]:
    shared = below.gcd(divisor)
    left, right = divisor.exquo(shared), below.exquo(shared)
    total, whole = above * left + mass * right, below * left
    cancelled = total.gcd(whole)
    return total.exquo(cancelled), whole.exquo(cancelled)


@pytest.mark.parametrize(("name", "vocabulary", "draft_length", "number"), PROGRAMS)
def test_the_strings_are_all_that_can_be_emitted(
    name: str, vocabulary: int, draft_length: int, number: int
) -> None:
    theorem = proof_of(name, vocabulary, draft_length)["theorems"][number]
    longest = max(len(path["emitted"]) + (path["last"] is not None) for path in theorem["paths"])
    strings: list[list[str]] = [[]]
    for _ in range(longest):
        strings = [
            [*s, token]
            for s in strings
            for token in (theorem["tokens"] if not s or s[-1] != theorem["end"] else [None])
        ]
        strings = [[token for token in s if token is not None] for s in strings]
    assert sorted(strings) == sorted(string["tokens"] for string in theorem["strings"])


@pytest.mark.parametrize(("name", "vocabulary", "draft_length", "number"), PROGRAMS)
def test_the_steps_of_a_path_have_its_mass_as_their_product(
    name: str, vocabulary: int, draft_length: int, number: int
) -> None:
    theorem = proof_of(name, vocabulary, draft_length)["theorems"][number]
    reader = reader_of(theorem)
    for path in theorem["paths"]:
        above, below = reader.quotient(path["mass"])
        for step in path["steps"]:
            more, less = reader.quotient(step["probability"])
            above, below = above * less, below * more
        assert above == below


@pytest.mark.parametrize(("name", "vocabulary", "draft_length", "number"), PROGRAMS)
def test_acceptance_and_rejection_sum_to_one_and_each_certificate_adds_up(
    name: str, vocabulary: int, draft_length: int, number: int
) -> None:
    theorem = proof_of(name, vocabulary, draft_length)["theorems"][number]
    reader = reader_of(theorem)
    for coin in theorem["acceptances"]:
        (a, b), (c, d) = reader.quotient(coin["accept"]), reader.quotient(coin["reject"])
        assert a * d + c * b == b * d
    for divisor in theorem["divisors"]:
        evidence = divisor["evidence"]
        assert evidence["claim"] == divisor["polynomial"]
        assert evidence["positive"]
        rest = reader.polynomial(evidence["rest"])
        assert all(coefficient > 0 for _, coefficient in rest.terms() if rest)
        assert any(part["positive"] for part in evidence["parts"]) or rest.coeff(1) > 0
        total = rest
        for part in evidence["parts"]:
            assert Fraction(part["number"]) > 0
            total += reader.polynomial(part["number"]) * reader.polynomial(part["polynomial"])
        assert total == reader.polynomial(evidence["claim"])


@pytest.mark.parametrize(("name", "vocabulary", "draft_length", "number"), PROGRAMS)
def test_what_is_said_not_to_be_negative_is_not_on_random_tables(
    name: str, vocabulary: int, draft_length: int, number: int
) -> None:
    theorem = proof_of(name, vocabulary, draft_length)["theorems"][number]
    dice = Random(0)
    for _ in range(20):
        there = Reader(values(theorem, dice), Fraction)
        assert all(there.polynomial(bound) >= 0 for bound in theorem["not_negative"])


def values(theorem: dict[str, Any], dice: Random) -> dict[str, Fraction]:
    """A value for every variable: rows of a random table, positive parts by their definition."""
    left: dict[tuple[str, str], Fraction] = {}
    known: dict[str, Fraction] = {}
    for variable in theorem["variables"]:
        name = variable["variable"]
        if "positive_part_of" in variable:
            inner = Reader(known, Fraction).polynomial(variable["positive_part_of"])
            known[name] = max(Fraction(0), inner)
        else:
            row = (variable["table"], str(variable["after"]))
            known[name] = left.get(row, Fraction(1)) * Fraction(dice.randrange(5), 4)
            left[row] = left.get(row, Fraction(1)) - known[name]
    return known


@pytest.mark.parametrize(("name", "vocabulary", "draft_length"), CLAIMS)
def test_the_lemmas_sides_are_equal_just_where_a_lemma_holds(
    name: str, vocabulary: int, draft_length: int
) -> None:
    step = proof_of(name, vocabulary, draft_length)["single_step"]
    reader = reader_of(step)
    for lemma in step["lemmas"]:
        equal = []
        for side in lemma["sides"]:
            (a, b), (c, d) = reader.quotient(side["rule"]), reader.quotient(side["theory"])
            equal.append(a * d == c * b)
        assert all(equal) == lemma["holds"], lemma["name"]
    assert [lemma["name"] for lemma in step["lemmas"]][-1] == "single-step"


def test_a_refuting_model_is_in_the_document_with_what_it_gets_and_should_get() -> None:
    whole = proof_of("target_instead_of_residual", 2, 1)
    assert whole["verdict"]["word"] == "refuted"
    assert whole["witness"]["model"].startswith("version: 1\n")
    example = whole["witness"]["verdict"]["counterexample"]
    assert Fraction(example["got"]) != Fraction(example["want"])
