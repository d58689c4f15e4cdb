"""Tables with a parameter: the verdict for every value is that of the plain check at each of them.

A template has its expressions in angle brackets. Without them it is a file with a parameter; with each
worked out by Python at a value, it is a plain file, which is judged as such.
"""

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from exactspec import Budget, ModelError, RuleError, algorithm, check, load, parse
from exactspec.check.family import Cell, FamilyResult, check_family
from exactspec.check.pieces import (
    context_pieces,
    expectations,
    lossy_parts,
    pieces,
    piecewise,
    spans_of,
    verdicts,
)
from exactspec.parameter.number import ParameterNumber
from exactspec.parameter.roots import Root, between, simple_between
from exactspec.parameter.span import cell_span
from exactspec.parameter.written import formula_text, point, point_text

F = Fraction
ROOT = Path(__file__).parents[1]
WRONG = str(ROOT / "examples/rules/wrong.py")
T = sympy.Symbol("t")

ONE_ROW = """
version: 1
vocabulary: [a, b]
draft_length: 1
parameters: t in (0, 1)
target: {a: <t>, b: <1 - t>}
draft: {a: 1/3, b: 2/3}
"""
SQUARES = """
version: 1
vocabulary: [a, b, $]
end: $
draft_length: 2
horizon: 3
parameters: t in [0, 1]
target:
  "": {a: <t/2>, b: <1/2 - t/2>, $: 1/2}
  a: {a: <t^2/2>, b: 1/2, $: <1/2 - t^2/2>}
draft:
  "": {a: 1/4, b: 1/4, $: 1/2}
  a: {a: <1 - t>, b: <t*(1 - t)>, $: <t - t*(1 - t)>}
"""
QUOTIENTS = """
version: 1
vocabulary: [a, b, c]
draft_length: 2
parameters: t in [1/4, 3)
target: {a: <1/(1 + t)>, b: <t/(2 + 2*t)>, c: <t/(2 + 2*t)>}
draft: {a: <t/(t + 2)>, b: <1/(t + 2)>, c: <1/(t + 2)>}
"""
REQUEST = """
version: 1
vocabulary: [a, b, $]
end: $
draft_length: 1
max_tokens: 3
parameters: t in (0, 1/2)
transform: {target: [top_k: 2, temperature: 1/2], draft: [top_p: 3/4]}
target: {a: <t>, b: <t^2>, $: <1 - t - t^2>}
draft: {a: <1/2 - t>, b: <t>, $: 1/2}
"""
MODELS = {"one row": ONE_ROW, "squares": SQUARES, "quotients": QUOTIENTS, "request": REQUEST}
RULES = (
    *("token_level", "block_verification", "sampler_match", "spec_hub", "gumbel_coupling"),
    *("recursive_rejection_with_replacement", "naive_multi_draft", "k_seq", "staged"),
    *("stop_after_keeping", "threshold_single", "fuzzy", "judge", "lenience"),
    *("improbable_draft_dropped", "block_with_token_residual", "one_uniform_for_all_positions"),
    f"{WRONG}:target_instead_of_residual",
    f"{WRONG}:row_of_the_wrong_position",
)


def family(template: str) -> Any:
    return parse(re.sub("[<>]", "", template).encode())


def instance(template: str, value: Fraction) -> Any:
    """The plain file for a value, its expressions worked out by Python."""

    def worked_out(match: re.Match[str]) -> str:
        text = re.sub(r"\d+", r"F(\g<0>)", match[1].replace("^", "**"))
        return str(eval(text, {"F": F, "t": value}))

    text = re.sub("<(.*?)>", worked_out, template)
    return parse(re.sub("parameters:.*\n", "", text).encode())


def cell_of(result: FamilyResult, value: Fraction) -> Cell:
    (cell,) = [cell for cell in result.cells if cell_span(cell.low, cell.high).holds(value)]
    return cell


def at(figure: Any, value: Fraction) -> Any:
    return figure.at(value) if isinstance(figure, ParameterNumber) else figure


def figures(result: Any, value: Fraction) -> list[Any]:
    """All figures of a result at a value, in an order that both results have."""
    names = ("acceptance", "rejection", "residual_mass", "total_variation")
    found = [[at(getattr(c, name), value) for name in names] for c in result.contexts]
    means = [[at(r.mean_accepted, value), at(r.mean_emitted, value)] for r in result.round_figures]
    run = result.run
    return [
        sorted(map(str, found)),
        sorted(map(str, means)),
        at(run.calls, value),
        at(run.tokens, value),
    ]


def values_of(result: FamilyResult) -> list[Fraction]:
    """Values in every cell: break points, values close to them, and some in the middle."""
    values = []
    for cell in result.cells:
        if not cell.is_one_value:
            near = between(cell.low, cell.high)
            close = between(cell.low, near), between(near, cell.high)
            values += [near, *close, simple_between(cell.low, cell.high)]
        elif isinstance(cell.low, Fraction):
            values.append(cell.low)
    return values


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.rpartition(":")[2])
@pytest.mark.parametrize("name", MODELS)
def test_the_verdict_for_every_value_is_that_of_the_plain_file_at_each(
    name: str, rule: str
) -> None:
    result = check_family(family(MODELS[name]), rule)
    for value in values_of(result):
        plain = check(instance(MODELS[name], value), rule, listing=False)
        found = cell_of(result, value).result
        assert found.verdict.word == plain.verdict.word, value
        assert figures(found, value) == figures(plain, value), value
        if plain.verdict.word == "lossy":
            mine, its = found.verdict.counterexample, plain.verdict.counterexample
            assert mine.tokens == its.tokens, value
            assert (at(mine.got, value), at(mine.want, value)) == (its.got, its.want), value


@pytest.mark.parametrize("name", MODELS)
def test_the_cells_are_the_range_with_no_gap(name: str) -> None:
    result = check_family(family(MODELS[name]))
    parameter = result.parameter
    assert (result.cells[0].low, result.cells[-1].high) == (parameter.low, parameter.high)
    assert result.cells[0].is_one_value == parameter.with_low
    assert result.cells[-1].is_one_value == parameter.with_high
    for one, other in zip(result.cells, result.cells[1:], strict=False):
        assert one.high == other.low
        assert one.is_one_value != other.is_one_value


def written(found: Any) -> dict[str, str]:
    return {str(piece.span): formula_text(piece.value, "t") for piece in found}


def test_the_token_rule_rejects_with_the_distance_of_t_from_one_third() -> None:
    result = check_family(family(ONE_ROW))
    assert result.word == "lossless"
    (context,) = context_pieces(result)
    assert written(context.rejection) == {"(0, 1/3]": "1/3 - t", "(1/3, 1)": "t - 1/3"}
    assert written(context.total_variation) == written(context.rejection)
    assert written(context.acceptance) == {"(0, 1/3]": "t + 2/3", "(1/3, 1)": "4/3 - t"}
    assert written(expectations(result)["expected_emitted"]) == {
        "(0, 1/3]": "t + 5/3",
        "(1/3, 1)": "7/3 - t",
    }
    assert written(expectations(result)["expected_tokens"]) == {"(0, 1)": "2"}


def test_figures_are_piecewise_expressions_of_sympy() -> None:
    (context,) = context_pieces(check_family(family(ONE_ROW)))
    beta = piecewise(context.total_variation, "t")
    third = sympy.Rational(1, 3)
    assert beta == sympy.Piecewise(
        (third - T, (T > 0) & (third >= T)), (T - third, (third < T) & (T < 1))
    )
    squares = check_family(family(SQUARES), "spec_hub")
    calls = piecewise(expectations(squares)["expected_target_calls"], "t")
    for value in values_of(squares):
        plain = check(instance(SQUARES, value), "spec_hub", listing=False)
        assert calls.subs(T, sympy.Rational(str(value))) == sympy.Rational(str(plain.run.calls))


def test_a_mistake_is_lossy_everywhere_but_at_a_single_value() -> None:
    result = check_family(family(ONE_ROW), f"{WRONG}:target_instead_of_residual")
    assert list(map(str, spans_of(result, "lossless"))) == ["1/3"]
    assert list(map(str, spans_of(result, "lossy"))) == ["(0, 1/3)", "(1/3, 1)"]
    below, above = lossy_parts(result)
    assert below.counterexample.tokens == above.counterexample.tokens == ("a",)
    difference = sympy.sympify(formula_text(below.counterexample.difference, "t"))
    assert sympy.expand(difference - T * (sympy.Rational(1, 3) - T)) == 0


@algorithm
def trusting(chance, target, draft, context, *, draft_length):
    """Take the draft's token where the target likes a more than b."""
    p, q = target(context), draft(context)
    return (chance.draw(q if p["a"] > F(1, 2) else p, "token"),)


def test_a_rule_is_lossy_only_above_one_half() -> None:
    result = check_family(family(ONE_ROW), trusting)
    assert list(map(str, spans_of(result, "lossless"))) == ["(0, 1/2]"]
    (part,) = lossy_parts(result)
    assert part.span.text("t") == "t in (1/2, 1)"
    assert formula_text(part.counterexample.difference, "t") == "1/3 - t"


@pytest.mark.parametrize(
    ("entry", "end"),
    [
        ("t^2", "sqrt(2)/2"),
        ("t^3", "root ~ 0.793701"),
        ("(t + t^5)/2", "root ~ 0.754878"),
        ("1 - t^2/2 - t/2", "-1/2 + sqrt(5)/2"),
    ],
)
def test_ends_of_parts_may_be_irrational(entry: str, end: str) -> None:
    text = ONE_ROW.replace("<1 - t>", f"1 - ({entry})").replace("<t>", entry)
    result = check_family(family(text), trusting)
    spans = spans_of(result, "lossy") + spans_of(result, "lossless")
    assert end in {point_text(p) for span in spans for p in (span.low, span.high)}
    root = next(cell.low for cell in result.cells if point_text(cell.low) == end)
    exact = sympy.sympify(entry.replace("^", "**")).subs(T, point(root))
    assert sympy.simplify(exact - sympy.Rational(1, 2)) == 0
    assert cell_of_point(result, root).result.verdict.word == "lossless"


def cell_of_point(result: FamilyResult, root: Any) -> Cell:
    return next(cell for cell in result.cells if cell.low is root and cell.is_one_value)


def test_at_an_irrational_value_the_figures_are_exact() -> None:
    result = check_family(family(SQUARES), f"{WRONG}:target_instead_of_residual")
    roots = [cell for cell in result.cells if isinstance(cell.low, Root) and cell.is_one_value]
    assert {point_text(cell.low) for cell in roots} == {"sqrt(3)/3", "-1 + sqrt(3)"}
    for cell in roots:
        counterexample = cell.result.verdict.counterexample
        left, right = (
            next(
                c for c in result.cells if (c.high if left else c.low) is cell.low and c is not cell
            )
            for left in (True, False)
        )
        for neighbour in (left, right):
            formula = neighbour.result.verdict.counterexample
            assert formula.tokens == counterexample.tokens
            for name in ("got", "want"):
                here, there = (
                    sympy.sympify(formula_text(getattr(example, name), "t")).subs(
                        T, point(cell.low)
                    )
                    for example in (counterexample, formula)
                )
                assert sympy.simplify(here - there) == 0


@algorithm
def doubling(chance, target, draft, context, *, draft_length):
    """Accept with a probability that is none where the target's a has more than half."""
    return ("a",) if chance.accept(2 * target(context)["a"]) else ("b",)


def test_an_error_in_a_part_of_the_range_says_where() -> None:
    with pytest.raises(RuleError) as caught:
        check_family(family(ONE_ROW), doubling)
    (found,) = caught.value.diagnostics
    assert found.code == "rule-acceptance-range"
    assert found.notes[-1] == "for t in (1/2, 1)"


@algorithm
def gathering(chance, target, draft, context, *, draft_length):
    """Look whether two tokens are equally probable, with a set."""
    p = target(context)
    return (chance.draw(p, "token"),) if len({p["a"], p["b"]}) == 2 else ("a",)


@algorithm
def rounding(chance, target, draft, context, *, draft_length):
    """Draw from a row in low precision."""
    return ("a",) if chance.accept(F(round(target(context)["a"] * 8), 8)) else ("b",)


@algorithm
def on_a_grid(chance, target, draft, context, *, draft_length):
    """Compare a number of a grid with a probability."""
    return ("a",) if chance.grid(4) < target(context)["a"] else ("b",)


@algorithm
def in_words(chance, target, draft, context, *, draft_length):
    """Look at a number's text, and go on where there is none."""
    try:
        long = len(str(target(context)["a"])) > 3
    except Exception:
        long = False
    return ("a",) if long else ("b",)


@algorithm
def as_a_float(chance, target, draft, context, *, draft_length):
    """Compare a number with a float."""
    return ("a",) if target(context)["a"] > 0.5 else ("b",)


@pytest.mark.parametrize("rule", [gathering, rounding, on_a_grid, in_words, as_a_float])
def test_a_rule_that_asks_a_number_for_more_than_comparisons_is_undecided(rule: Any) -> None:
    result = check_family(family(ONE_ROW), rule)
    assert result.word == "undecided"
    ((word, reason),) = {piece.value for piece in verdicts(result)}
    assert word == "undecided"
    assert reason.startswith("the rule asks for more of a number than arithmetic and comparisons")
    assert check(family(ONE_ROW).family.at(F(1, 3)), rule).verdict.word in ("lossless", "lossy")


@algorithm
def by_type(chance, target, draft, context, *, draft_length):
    """Emit the draft's token where the target's numbers are fractions."""
    p = target(context)
    law = draft(context) if isinstance(p["a"], Fraction) else p
    return (chance.draw(law, "emitted"),)


def test_a_rule_that_tells_formulas_from_numbers_is_undecided_on_an_open_part() -> None:
    result = check_family(family(ONE_ROW), by_type)
    assert result.word != "lossless"
    reasons = {c.result.verdict.reason for c in result.cells if c.low != c.high}
    assert reasons == {"the rule is lossy with numbers, and otherwise with formulas"}


@algorithm
def carrying(chance, target, draft, context, *, draft_length, state=None):
    """Take the draft's token once the carried number has passed one half."""
    p, q = target(context), draft(context)
    carried = p["a"] if state is None else state
    law = q if carried > F(1, 2) else p
    from exactspec import Round

    return Round((chance.draw(law, "token"),), state=minimum_of(carried * p["a"] + F(1, 8)))


def minimum_of(carried: Any) -> Any:
    from exactspec import minimum

    return minimum(carried, F(3, 4))


def test_a_carried_number_may_depend_on_the_parameter() -> None:
    text = ONE_ROW + "horizon: 2\n"
    result = check_family(family(text), carrying, budget=Budget(max_states=8))
    for value in values_of(result):
        plain = check(instance(text, value), carrying, budget=Budget(max_states=8), listing=False)
        assert cell_of(result, value).result.verdict.word == plain.verdict.word


def test_a_limit_is_undecided_and_never_lossless(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["exactspec.check.family"]
    nodes = check_family(family(ONE_ROW), budget=Budget(max_nodes=2))
    assert nodes.word == "undecided"
    monkeypatch.setattr(module, "MOST_CELLS", 2)
    parts = check_family(family(ONE_ROW))
    assert parts.word == "undecided"
    assert spans_of(parts, "lossless")
    assert spans_of(parts, "undecided")
    assert any("more than 2 parts" in piece.value[1] for piece in verdicts(parts))
    late = check_family(family(ONE_ROW), budget=Budget(timeout=0))
    assert late.word == "undecided"
    assert late.exit_code == 3


def test_a_part_that_is_one_value_is_a_piece_of_its_own_where_it_differs() -> None:
    result = check_family(family(SQUARES), "spec_hub")
    found = [pieces(result.cells, lambda cell: cell.run.calls)]
    assert written(found[0])["1"] == "3/2"


def test_the_python_interface_asks_for_a_value_too() -> None:
    with pytest.raises(ModelError) as caught:
        check(family(ONE_ROW))
    assert caught.value.diagnostics[0].code == "parameter-open"


OPEN = str(ROOT / "examples/parameters/open-target.yaml")
EQUAL = str(ROOT / "examples/parameters/equal-rows-only.yaml")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", OPEN], 0),
        (["check", OPEN, "--rule", f"{WRONG}:target_instead_of_residual"], 1),
        (["check", OPEN, "--rule", f"{WRONG}:target_instead_of_residual", "--exit-zero"], 0),
        (["check", OPEN, "--at", "t=1/3", "--rule", f"{WRONG}:target_instead_of_residual"], 0),
        (["check", OPEN, "--max-nodes", "2"], 3),
        (["check", EQUAL, "--allow-rules"], 0),
        (["check", EQUAL], 2),
        (["check", OPEN, EQUAL, "--allow-rules", "--format", "junit"], 0),
        *(
            (["check", OPEN, "--at", text], 2)
            for text in ("t=0", "t=1", "s=1/2", "t=", "t", "=", "t=x")
        ),
        *(([command, OPEN], 2) for command in ("tree", "compare", "simulate")),
        *(([command, OPEN, "--at", "t=1/4"], 0) for command in ("tree", "compare", "simulate")),
        (["check", str(ROOT / "examples/theory.yaml"), "--at", "t=1/4"], 2),
    ],
)
def test_the_exit_code_is_that_of_the_worst_value(
    arguments: list[str], code: int, exactspec: Callable
) -> None:
    ran = exactspec(*arguments)
    assert ran.code == code
    assert "internal" not in ran.err


def test_no_line_of_the_report_is_wider_than_the_page(exactspec: Callable, tmp_path: Path) -> None:
    model = tmp_path / "m.yaml"
    model.write_text(re.sub("[<>]", "", SQUARES))
    for rule in ("token_level", "k_seq", "typical_acceptance", f"{WRONG}:lenient"):
        ran = exactspec("check", model, "--rule", rule)
        assert max(map(len, ran.out.splitlines())) <= 80, rule


def test_json_has_the_parts_and_the_formulas(exactspec: Callable) -> None:
    ran = exactspec("check", "--format", "json", "--allow-rules", EQUAL)
    (result,) = json.loads(ran.out)["results"]
    assert result["parameter"] == {"name": "t", "range": "(0, 1)"}
    assert [(p["where"], p["word"]) for p in result["verdict"]["parts"]] == [
        ("(0, sqrt(2)/2)", "lossy"),
        ("sqrt(2)/2", "lossless"),
        ("(sqrt(2)/2, 1)", "lossy"),
    ]
    assert result["roots"][0]["polynomial"] == "2*t**2 - 1"
    low, high = map(F, result["roots"][0]["between"])
    assert low**2 < F(1, 2) < high**2
    for example in result["counterexamples"]:
        got, want = (sympy.sympify(example[key]) for key in ("got", "want"))
        assert sympy.expand(got - want - sympy.sympify(example["difference"])) == 0


def test_a_value_that_was_put_in_is_in_the_report(exactspec: Callable) -> None:
    ran = exactspec("check", "--format", "json", "--at", "t=1/3", OPEN)
    (result,) = json.loads(ran.out)["results"]
    assert result["parameter"] == {"name": "t", "value": "1/3"}
    assert result["contexts"][0]["total_variation"] == "0"
    assert "t = 1/3" in exactspec("check", "--at", "t=1/3", OPEN).out


def test_the_examples_are_what_they_claim() -> None:
    for file in (ROOT / "examples/parameters").glob("*.yaml"):
        result = check_family(load(str(file)), allow_rules=True)
        assert result.word == (result.scenario.expect or "lossless")
