"""Mutation operators: which mutants a function has, in which order, and how each is shown."""

import linecache

import pytest
import samplers_mutated as samplers

from exactspec.audit.mutation.operators import mutants_of


def after(function):
    return [mutant.after for mutant in mutants_of(function)]


@pytest.mark.parametrize(
    ("operator", "text"),
    [
        ("comparison with equality", "if a <= 2 and not b:"),
        ("the opposite comparison", "if a >= 2 and not b:"),
        ("an equality that is an order", "if i <= 1:"),
        ("is", "if pair is not None:"),
        ("arithmetic", "total = a.clamp(min=0) - 1.5"),
        ("arithmetic in place", "total -= b"),
        ("and", "if a < 2 or not b:"),
        ("or", "while a and b:"),
        ("not dropped", "if a < 2 and b:"),
        ("minus dropped", "total = a"),
        ("a condition", "if not (a < 2 and not b):"),
        ("a condition that is a name", "elif not flag:"),
        ("one more", "for i in range(4):"),
        ("one less", "for i in range(2):"),
        ("a constant of a keyword", "total = a.clamp(min=1) + 1.5"),
        ("a slice's begin", "del a[i + 1:b]"),
        ("a slice's end", "del a[i:b - 1]"),
        ("max", "pair = min(a, b) if flag else math.clamp(a, min=0, max=1)"),
        ("one of two", "pair = a if flag else math.clamp(a, min=0, max=1)"),
        ("a bound below becomes one above", "total = a.clamp(max=0) + 1.5"),
        ("one bound dropped", "pair = max(a, b) if flag else math.clamp(a, max=1)"),
        ("both bounds dropped", "pair = max(a, b) if flag else a"),
        ("arguments swapped", "total.add_(7, b)"),
        ("a method dropped", "total = a + 1.5"),
        ("a statement deleted", "pass"),
        ("a mistaken variable", "total = b.clamp(min=0) + 1.5"),
        ("a length that is returned", "return len(pair) - 1, total"),
        ("a number that is returned", "return len(pair), total + 1"),
    ],
)
def test_each_operator_makes_its_mutant(operator, text):
    assert text in after(samplers.every_kind), operator


def test_statements_that_are_deleted():
    deleted = [m.before for m in mutants_of(samplers.every_kind) if m.after == "pass"]
    assert deleted == [
        "total += b",
        "total = -a",
        "total.add_(b, 7)",
        "if i == 1: break del a[i:b]",
        "break",
        "del a[i:b]",
        "continue",
        'raise ValueError(f"{a[0]} {b - 1}")',
    ]


def test_the_operands_of_a_difference_are_swapped():
    assert after(samplers.residual)[4:6] == [
        "return [max(q - b, 0) for a, b in zip(p, q, strict=True)]",
        "return [max(b - a, 0) for a, b in zip(p, q, strict=True)]",
    ]


def test_a_formatted_text_a_docstring_and_the_signature_are_left_as_they_are():
    changed = [text for text in after(samplers.every_kind) if "ValueError" in text or "def" in text]
    assert changed == []


@pytest.mark.parametrize("name", ["verify", "every_kind", "waiting"])
def test_mutants_come_in_the_order_of_the_text_and_each_once(name):
    mutants = mutants_of(getattr(samplers, name))
    assert [m.line for m in mutants] == sorted(m.line for m in mutants)
    assert len({m.text for m in mutants}) == len(mutants)
    assert mutants == mutants_of(getattr(samplers, name))


def test_a_mutant_is_shown_with_its_line_before_and_after():
    mutant = next(m for m in mutants_of(samplers.verify) if "becomes `>`" in m.change)
    source = linecache.getlines(samplers.__file__)
    assert source[mutant.line - 1].strip() == mutant.before
    assert (mutant.change, mutant.before, mutant.after) == (
        "`>=` becomes `>`",
        "if random.random() >= min(1, p[token] / q[token]):",
        "if random.random() > min(1, p[token] / q[token]):",
    )
