"""The engine behind proofs for all tables: each of its steps against a second, plainer computation."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
import sympy

from exactspec.algorithms import CATALOGUE
from exactspec.errors import BudgetReached, InternalError
from exactspec.numbers import minimum
from exactspec.prove.case import Case
from exactspec.prove.certificate import Certificate, certify, contradiction
from exactspec.prove.factors import factors
from exactspec.prove.formula import Formula
from exactspec.prove.identity import SymbolicIdentity
from exactspec.prove.linear_program import maximise
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.relevance import Known, helpful
from exactspec.prove.samples import HOW_MANY
from exactspec.prove.signs import NEGATIVE, POSITIVE, ZERO
from exactspec.prove.tree import Leaf, leaves
from exactspec.prove.world import World, certificate_of
from exactspec.rule import algorithm

X, Y, Z = (Polynomial.variable(v) for v in range(3))
ONE = Polynomial.constant(1)


def number(value):
    return Polynomial.constant(value)


def random_polynomial(dice, variables=3, terms=4):
    monomials = [
        tuple(sorted(dice.randrange(variables) for _ in range(dice.randrange(3))))
        for _ in range(terms)
    ]
    return Polynomial({m: Fraction(dice.randint(-4, 4), dice.randint(1, 3)) for m in monomials})


def as_sympy(polynomial):
    return sum(
        (
            sympy.Rational(c.numerator, c.denominator)
            * sympy.prod(sympy.Symbol(f"x{v}") for v in m)
            for m, c in polynomial.terms.items()
        ),
        sympy.Integer(0),
    )


# ---------------------------------------------------------------- polynomials


@pytest.mark.parametrize("seed", range(20))
def test_polynomials_add_multiply_and_divide_as_sympys_do(seed):
    dice = random.Random(seed)
    a, b = random_polynomial(dice), random_polynomial(dice)
    assert sympy.expand(as_sympy(a) + as_sympy(b) - as_sympy(a + b)) == 0
    assert sympy.expand(as_sympy(a) - as_sympy(b) - as_sympy(a - b)) == 0
    assert sympy.expand(as_sympy(a) * as_sympy(b) - as_sympy(a * b)) == 0
    assert sympy.expand(as_sympy(a) ** 3 - as_sympy(a**3)) == 0
    if a and b:
        assert (a * b).over(b) == a
        assert (a * b + ONE).over(b) in (None, a + ONE.over(b) if b.number else None)


@pytest.mark.parametrize("seed", range(20))
def test_a_polynomial_is_its_content_times_its_primitive_part(seed):
    polynomial = random_polynomial(random.Random(seed))
    if polynomial:
        content, primitive = polynomial.primitive()
        assert primitive.times(content) == polynomial
        assert all(c.denominator == 1 for c in primitive.terms.values())
        assert sympy.gcd_list([int(c) for c in primitive.terms.values()]) == 1


@pytest.mark.parametrize("seed", range(10))
def test_substitution_gives_the_value_of_the_substituted_point(seed):
    dice = random.Random(seed)
    a, b = random_polynomial(dice), random_polynomial(dice)
    point = [Fraction(dice.randint(-5, 5), 3) for _ in range(3)]
    replaced = a.substituted(lambda v: b if v == 1 else None)
    inner = [point[0], b.at(point.__getitem__), point[2]]
    assert replaced.at(point.__getitem__) == a.at(inner.__getitem__)


def test_factors_are_found_and_multiply_to_the_polynomial():
    coefficient, parts = factors((X - Y) * (X - Y) * (X + Z).times(-2))
    assert coefficient < 0
    assert sorted(exponent for _, exponent in parts) == [1, 2]


# ---------------------------------------------------------------- linear programs


def best_corner(gain, matrix, bounds):
    """The greatest gain over all points in which enough constraints are equations."""
    count = len(gain)
    unit = [[Fraction(i == j) for j in range(count)] for i in range(count)]
    planes = [*zip(matrix, bounds, strict=True), *((row, Fraction(0)) for row in unit)]
    best = None
    for chosen in combinations(planes, count):
        system = sympy.Matrix([list(row) for row, _ in chosen])
        if system.det() == 0:
            continue
        point = list(system.solve(sympy.Matrix([bound for _, bound in chosen])))
        inside = all(x >= 0 for x in point) and all(
            sum(a * x for a, x in zip(row, point, strict=True)) <= bound
            for row, bound in zip(matrix, bounds, strict=True)
        )
        if inside:
            value = sum(g * x for g, x in zip(gain, point, strict=True))
            best = value if best is None else max(best, value)
    return best


@pytest.mark.parametrize("seed", range(40))
def test_a_linear_program_has_the_value_of_its_best_corner(seed):
    dice = random.Random(seed)
    count = dice.randint(1, 3)
    matrix = [[dice.randint(-2, 2) for _ in range(count)] for _ in range(dice.randint(1, 3))]
    bounds = [dice.randint(-2, 3) for _ in matrix]
    matrix, bounds = [*matrix, [1] * count], [*bounds, 4]
    gain = [dice.randint(-2, 2) for _ in range(count)]
    found, best = maximise(gain, matrix, bounds), best_corner(gain, matrix, bounds)
    assert (found is None) == (best is None)
    if found is not None:
        assert min(found) >= 0
        for row, bound in zip(matrix, bounds, strict=True):
            assert sum(a * x for a, x in zip(row, found, strict=True)) <= bound
        assert sum(g * x for g, x in zip(gain, found, strict=True)) == best


# ---------------------------------------------------------------- certificates


def test_a_certificate_names_what_a_claim_is_the_sum_of():
    facts = [Known(ONE - X), Known(X - Y, positive=True)]
    certificate = certify(number(2) - X - Y, facts)
    assert certificate is not None
    assert certificate.positive
    certificate.recheck()
    assert certify(Y - X, facts) is None


def test_a_product_of_facts_is_used_where_no_sum_of_them_will_do():
    facts = [Known(ONE - X), Known(ONE - Y)]
    claim = ONE - X - Y + X * Y
    assert certify(claim, facts) is None
    certificate = certify(claim, facts, products=True)
    assert certificate is not None
    certificate.recheck()
    square = certify((ONE - X) * (ONE - X), facts, products=True)
    assert square is not None


def test_a_certificate_that_was_tampered_with_is_refused():
    certificate = certify(number(2) - X - Y, [Known(ONE - X), Known(ONE - Y)])
    assert certificate is not None
    (first, known), *others = certificate.parts
    for wrong in (
        replace(certificate, parts=((first + 1, known), *others)),
        replace(certificate, parts=((-first, known), *others)),
        replace(certificate, rest=certificate.rest - X),
        replace(certificate, claim=certificate.claim - ONE),
        replace(certificate, positive=True),
    ):
        with pytest.raises(InternalError):
            wrong.recheck()


def test_a_rest_with_a_minus_is_refused_even_if_the_sum_is_right():
    certificate = certify(ONE - X, [Known(ONE - X)])
    assert certificate is not None
    wrong = replace(certificate, parts=(), rest=ONE - X)
    with pytest.raises(InternalError):
        wrong.recheck()


def test_a_negative_multiple_of_a_fact_is_refused_even_if_the_sum_is_right():
    known = Known(ONE - X)
    wrong = Certificate(X - ONE, ((Fraction(-1), known),), Polynomial({}), False)
    with pytest.raises(InternalError):
        wrong.recheck()


def test_conditions_that_exclude_each_other_are_found_out_and_others_are_not():
    assert contradiction([Known(X - Y, True), Known(Y - X)]) is not None
    assert contradiction([Known(X - Y), Known(Y - X)]) is None
    assert contradiction([Known(X - Y, True), Known(Y - Z, True), Known(Z - X)]) is not None


def test_a_product_rests_on_a_curve_if_a_factor_does_and_is_positive_if_both_are():
    curve, line = Known(X * Y - Z, True, on_an_edge=True), Known(ONE - X, True)
    assert curve.times(line).on_an_edge
    assert line.times(curve).on_an_edge
    assert not line.times(line).on_an_edge
    assert line.times(line).positive
    assert not line.times(Known(Y)).positive


def test_facts_that_cannot_help_are_left_out():
    useless, useful = Known(Z - ONE.times(3) + Z * Z), Known(ONE - X)
    assert helpful(number(2) - X, [useless, useful], 0, 10) == [useful]


# ---------------------------------------------------------------- positive parts


def world_with_rows(tokens=3):
    world = World()
    names = [f"t{i}" for i in range(tokens)]
    return world, world.row("target", (), names), world.row("draft", (), names)


def random_entries(world, dice, below=12):
    """A value for each table entry; now and then a row of zeros but one."""
    rows = {}

    def entry(entry):
        key = (entry.table, entry.after)
        if key not in rows:
            tokens = 3
            weights = [dice.randint(0, below) for _ in range(tokens)]
            weights[dice.randrange(tokens)] += 1
            rows[key] = [Fraction(w, sum(weights)) for w in weights]
        return rows[key][int(entry.token[1:])]

    return entry


@pytest.mark.parametrize("seed", range(12))
def test_positive_parts_and_minima_have_their_values_on_random_tables(seed):
    dice = random.Random(seed)
    world, p, q = world_with_rows()
    left = [world.positive_part(a - b) for a, b in zip(p, q, strict=True)]
    least = [world.minimum(a, b) for a, b in zip(p, q, strict=True)]
    nested = [world.minimum(a * p[0], b) for a, b in zip(least, q, strict=True)]
    for _ in range(20):
        value = world.values(random_entries(world, dice))
        for x in range(3):
            at = [poly.at(value) for poly in (p[x], q[x], left[x], least[x], nested[x], p[0])]
            assert at[2] == max(Fraction(0), at[0] - at[1])
            assert at[3] == min(at[0], at[1])
            assert at[4] == min(at[3] * at[5], at[1])
        assert all(bound.at(value) >= 0 for bound in world.bounds)


def test_a_minimum_with_something_negative_is_not_said_to_be_at_least_zero():
    world, p, q = world_with_rows()
    least = world.minimum(p[0] - q[0], q[1])
    assert not world.is_not_negative(least)
    for seed in range(40):
        value = world.values(random_entries(world, random.Random(seed)))
        assert least.at(value) == min((p[0] - q[0]).at(value), q[1].at(value))
        assert all(bound.at(value) >= 0 for bound in world.bounds)


def test_a_minimum_is_one_variable_whichever_way_it_is_asked_for():
    world, p, q = world_with_rows()
    assert world.minimum(p[0], q[0]) == world.minimum(q[0], p[0])
    one = world.minimum(p[2].times(3), q[2].times(3))
    assert one == world.minimum(q[2], p[2]).times(3)
    assert world.positive_part(p[0] - q[0]) - world.positive_part(q[0] - p[0]) == p[0] - q[0]
    assert world.minimum(p[0], Polynomial({})) == Polynomial({})
    assert world.minimum(p[0] * q[0], q[0]) == p[0] * q[0]


def test_what_is_negative_in_some_table_is_never_said_not_to_be():
    world, p, q = world_with_rows()
    mass = sum((world.minimum(a, b) for a, b in zip(p, q, strict=True)), Polynomial({}))
    assert world.is_not_negative(ONE - mass)
    assert not world.is_not_negative(p[0] - q[0])
    assert not world.is_not_negative(mass - p[0])
    assert not world.is_not_negative(-mass)


def test_the_scaled_rule_leaves_nothing_negative():
    """p - min(q, p/2) (2 - β) >= 0: only products of facts show it (SpecTr, algorithm 2)."""
    world, p, q = world_with_rows()
    m = [world.minimum(b, a.times(Fraction(1, 2))) for a, b in zip(p, q, strict=True)]
    mass = sum(m, Polynomial({}))
    for x in range(3):
        certificate = certificate_of(world, p[x] - m[x] * (number(2) - mass))
        assert certificate is not None
        certificate.recheck()
        assert certificate_of(world, p[x] - m[x] * (number(3) - mass)) is None


@pytest.mark.parametrize("seed", range(8))
def test_samples_have_the_signs_of_exact_values(seed):
    dice = random.Random(seed)
    world, p, q = world_with_rows()
    world.positive_part(p[0] - q[0])
    polynomial = random_polynomial(dice, variables=5, terms=3)
    for table in range(HOW_MANY):
        exact_values = {
            v: Fraction(world.samples.at(Polynomial.variable(v))[table]) for v in range(5)
        }
        exact = polynomial.at(exact_values.__getitem__)
        seen = world.samples.signs(polynomial, [table])
        assert seen == frozenset({(exact > 0) - (exact < 0)})


# ---------------------------------------------------------------- cases


def test_a_case_knows_what_its_tests_imply():
    world, p, q = world_with_rows()
    case = Case(world).where(p[0] - q[0], POSITIVE).where(p[1] - q[1], ZERO | POSITIVE)
    assert case.signs(q[2] - p[2]) == POSITIVE
    assert case.signs(p[0]) == POSITIVE
    assert case.where(p[2] - q[2], POSITIVE).is_impossible() is not None
    assert case.is_impossible() is None


def test_where_a_sum_of_positive_parts_is_zero_each_of_them_is():
    world, p, q = world_with_rows()
    parts = [world.positive_part(a - b) for a, b in zip(p, q, strict=True)]
    case = Case(world).where(sum(parts, Polynomial({})), ZERO)
    assert all(case.reduced(part) == Polynomial({}) for part in parts)
    assert case.signs(p[0] - q[0]) == ZERO


def test_what_rests_on_a_curve_is_noted():
    world, p, q = world_with_rows()
    start = Case(world)
    curve = p[0] * q[0] - p[1] * q[1]
    case = start.where(curve, ZERO | POSITIVE)
    assert not start.edges
    assert case.signs(curve) == ZERO | POSITIVE
    assert list(start.edges) == [curve]
    straight = Case(world)
    line = p[0] - q[0]
    assert straight.where(line, ZERO | POSITIVE).signs(line) == ZERO | POSITIVE
    assert not straight.edges


def test_a_quotient_of_two_things_that_vanish_is_not_zero():
    program = Program(CATALOGUE["token_level"], ("a", "b"), None, 1, {})
    p, q = program.target.row_behind(())["a"], program.draft.row_behind(())["a"]
    sum_of_both = Formula.of(program.reading, (p + q).numerator_polynomial())
    case = program.notes.start.where(p.numerator_polynomial(), ZERO)
    assert case.formula(p * q).is_zero
    assert case.formula(p * sum_of_both.inverse()).is_zero
    case = case.where(q.numerator_polynomial(), ZERO)
    assert case.formula(p * q).is_zero
    assert case.formula(p * sum_of_both.inverse()) is None


# ---------------------------------------------------------------- formulas and the identity


def formula_as_sympy(formula):
    result = sympy.Rational(formula.number.numerator, formula.number.denominator)
    for factor, exponent in formula.powers.items():
        result *= as_sympy(factor) ** exponent
    return result


@pytest.mark.parametrize("seed", range(10))
def test_formulas_add_multiply_and_divide_as_sympys_do(seed):
    dice = random.Random(seed)
    program = Program(CATALOGUE["token_level"], ("a", "b", "c"), None, 1, {})
    rows = program.target.row_behind(()), program.draft.row_behind(())
    entries = [weight for row in rows for _, weight in row.possible()]
    value, check = entries[0], formula_as_sympy(entries[0])
    for _ in range(5):
        other = dice.choice(entries)
        sign = dice.choice("+-*/")
        if sign == "/":
            value, check = value * other.inverse(), check / formula_as_sympy(other)
        else:
            value = {"+": value + other, "-": value - other, "*": value * other}[sign]
            plain = formula_as_sympy(other)
            check = {"+": check + plain, "-": check - plain, "*": check * plain}[sign]
    assert sympy.cancel(formula_as_sympy(value) - check) == 0


def small_program(name, tokens, draft_length, end=None, **options):
    program = Program(CATALOGUE[name], tokens, end, draft_length, options)
    program.read(1_000, lambda runs: None)
    return program


@pytest.mark.parametrize(
    ("name", "tokens", "draft_length", "end"),
    [
        ("token_level", ("a", "b"), 2, None),
        ("token_level", ("a", "b", "$"), 1, "$"),
        ("block_verification", ("a", "b"), 2, None),
        ("recursive_rejection_with_replacement", ("a", "b"), 1, None),
        ("k_seq", ("a", "b"), 1, None),
    ],
)
def test_sympy_alone_sums_the_paths_of_a_round_to_the_targets_law(name, tokens, draft_length, end):
    program = small_program(name, tokens, draft_length, end)
    longest = program.longest_block()
    law = {}
    for branches, leaf in leaves(program.tree):
        assert leaf.error is None
        mass = sympy.prod(formula_as_sympy(b.weight) for b in branches)
        ends = [(leaf.tokens, sympy.Integer(1))]
        if leaf.last is not None:
            ends = [((*leaf.tokens, t), formula_as_sympy(w)) for t, w in leaf.last.possible()]
        for block, weight in ends:
            law[block] = law.get(block, 0) + mass * weight
    for string in product(tokens, repeat=longest):
        cut = string.index(end) + 1 if end in string else longest
        if string[cut:] != ("a",) * (longest - cut):
            continue
        emitted, wanted = sympy.Integer(0), sympy.Integer(1)
        for i in reversed(range(cut)):
            emitted += law.get(string[: i + 1], 0) * wanted
            wanted *= formula_as_sympy(program.target_weight(string[:i], string[i]))
        assert sympy.cancel(sympy.together(emitted - wanted)) == 0


@algorithm
def wrong_on_a_thin_set(chance, target, draft, context, *, draft_length):
    """Two coins that make up for each other, except in two single rows, where only one of them does."""
    p, q = target(context), draft(context)
    a, b = "a", target.end or "b"
    drafted = (a,)
    behind = draft(context + drafted)
    one, two = abs(q[a] - Fraction(1, 17)), abs(behind[a] - Fraction(3, 19))
    weight = {a: one + two, b: one + 2 * two}
    divisor = p[a] * weight[a] + p[b] * weight[b]
    if chance.accept(Fraction(1, 4)):
        if divisor == 0:
            return (a,)
        return (a,) if chance.accept(p[a] * weight[a] / divisor) else (b,)
    if divisor == 0:
        return (chance.draw(p, "target"),)
    rest = p[a] - Fraction(1, 4) * p[a] * weight[a] / divisor
    return (a,) if chance.accept(rest / Fraction(3, 4)) else (b,)


def test_a_rule_that_is_wrong_only_where_a_divisor_vanishes_is_not_proved():
    program = Program(wrong_on_a_thin_set, ("a", "b"), None, 1, {})
    program.read(1_000, lambda runs: None)
    parts = list(SymbolicIdentity(program, 100).parts())
    assert len(parts) > 1
    assert any(part.differences for part in parts)


def test_a_law_that_no_outcome_of_which_has_a_weight_is_no_draw():
    @algorithm
    def draws_in_an_empty_case(chance, target, draft, context, *, draft_length):
        p = target(context)
        if p["a"] == 0 and p["b"] == 0:
            return (chance.draw(p, "target"),)
        return (chance.draw(p, "target"),)

    program = Program(draws_in_an_empty_case, ("a", "b"), None, 1, {})
    program.read(100, lambda runs: None)
    ends = [leaf for _, leaf in leaves(program.tree)]
    assert all(isinstance(leaf, Leaf) for leaf in ends)
    (part,) = SymbolicIdentity(program, 10).parts()
    assert not part.differences


def test_a_round_with_more_runs_than_allowed_ends_in_a_reason():
    program = Program(CATALOGUE["token_level"], ("a", "b", "c"), None, 2, {})
    with pytest.raises(BudgetReached):
        program.read(5, lambda runs: None)


def test_the_smaller_of_two_formulas_keeps_a_common_factor_out():
    program = Program(CATALOGUE["token_level"], ("a", "b"), None, 1, {})
    p, q = program.target.row_behind(())["a"], program.draft.row_behind(())["a"]
    assert (minimum(p * q, q * q) - q * minimum(p, q)).is_zero
    assert (minimum(1, p * q.inverse()) - minimum(p, q) * q.inverse()).is_zero
    assert not (minimum(p, q) - p).is_zero
    assert program.reading.world_signs((p - q).numerator_polynomial()) not in (POSITIVE, NEGATIVE)


def test_the_smaller_of_two_multiples_of_something_negative_is_the_greater_multiple():
    program = Program(CATALOGUE["token_level"], ("a", "b"), None, 1, {})
    p, q = program.target.row_behind(())["a"], program.draft.row_behind(())["a"]
    factor = p - 1
    least = minimum(factor * p, factor * q)
    assert (least - factor * (p + q - minimum(p, q))).is_zero


@pytest.mark.parametrize("end", [None, "c"])
def test_the_identity_holds_for_the_token_rule_and_not_for_a_share_of_it(end):
    program = small_program("token_level", ("a", "b", "c"), 2, end)
    (part,) = SymbolicIdentity(program, 1).parts()
    assert not part.differences
    kept = SymbolicIdentity(program, 1, counts=lambda leaf: leaf.accepted == 2)
    (part,) = kept.parts()
    assert part.differences


def test_a_sample_table_is_an_inner_point_by_its_exact_entries_alone() -> None:
    """Where all three entries are equal the bound is negative; floats with such numbers say that it is not."""
    world, dice = World(), random.Random(0)
    x, y, z = (world.row("target", after, ("a", "b"))[0] for after in ((), ("a",), ("b",)))
    misled = 0
    for _ in range(20):
        a, b = Fraction(dice.randrange(10**25), 7), Fraction(dice.randrange(10**25), 11)
        bound = x.times(a) + y.times(b) - z.times(a + b) - z.times(Fraction(1, 10))
        values = world.samples.at(bound)
        for table in range(HOW_MANY):
            if values[table] > 0 and world.samples.exactly(bound, table) <= 0:
                misled += 1
                assert not Case(world, samples=(table,))._has_sample_inside([Known(bound)])
    assert misled > 0
