"""Every symbol of an audit has the probabilities of its closed form; what has no rule is refused."""

import copy
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import inf, nan
from typing import Any

import pytest

from exactspec import audit
from exactspec.audit import arithmetic, comparison
from exactspec.audit.numbers import Rational, Unknown, categorical
from exactspec.audit.symbols import Exponential, Log, Opaque, new_time, race
from exactspec.audit.symbols import uniform as drawn_from
from exactspec.errors import Fault

F = Fraction
HALF, THIRD, QUARTER = F(1, 2), F(1, 3), F(1, 4)


def uniform() -> Unknown:
    return Unknown(drawn_from(53))


ONE = F(1)


def time(rate: Fraction = ONE) -> Unknown:
    return Unknown(Exponential(new_time(), 1 / rate))


def log(number: Any) -> Any:
    return Unknown(Log(number)) if isinstance(number, Fraction) else number.log()


def law(program: Callable[[], Any], level: str = "rational") -> dict[Any, Fraction]:
    return audit.enumerate(program, level=level).masses


def chance(program: Callable[[], Any], level: str = "rational") -> Fraction:
    """The probability that it returns True."""
    return law(program, level).get(True, F(0))


# uniform numbers


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        (lambda u: u < THIRD, THIRD),
        (lambda u: u <= THIRD, THIRD),
        (lambda u: u > THIRD, F(2, 3)),
        (lambda u: u >= THIRD, F(2, 3)),
        (lambda u: u == THIRD, F(0)),
        (lambda u: u != THIRD, F(1)),
        (lambda u: u < 2, F(1)),
        (lambda u: u < -1, F(0)),
        (lambda u: u < inf, F(1)),
        (lambda u: u > -inf, F(1)),
        (lambda u: u < nan, F(0)),
        (lambda u: u != nan, F(1)),
        (lambda u: operator.gt(THIRD, u), THIRD),
        (lambda u: 1 - u < THIRD, THIRD),
        (lambda u: 3 * u - 1 < HALF, HALF),
        (lambda u: 1 - 2 * u > HALF, QUARTER),
        (lambda u: -u >= -QUARTER, QUARTER),
        (lambda u: u / 2 + QUARTER <= HALF, HALF),
        (lambda u: u + u < 1, HALF),
        (lambda u: 2 * u < u + THIRD, THIRD),
        (lambda u: bool(u - u == 0), F(1)),
        (lambda u: min(1, u) < HALF, HALF),
        (lambda u: u.log() < log(THIRD), THIRD),
        (lambda u: log(THIRD) >= u.log(), THIRD),
        (lambda u: u.log() <= -inf, F(0)),
        (lambda u: u.log() > -inf, F(1)),
        (lambda u: (1 - u).log() < log(THIRD), THIRD),
        (lambda u: log(THIRD) - u.log() > 0, THIRD),
        (lambda u: -u.log() > -log(THIRD), THIRD),
        (lambda u: u.log().exp() < THIRD, THIRD),
        (lambda u: u.log() + log(HALF) < log(QUARTER), HALF),
    ],
)
def test_a_comparison_of_a_uniform_number_has_its_length(
    test: Callable[[Unknown], bool], wanted: Fraction
) -> None:
    assert chance(lambda: test(uniform())) == wanted


def test_a_number_that_is_used_again_is_the_same_number() -> None:
    def program() -> Any:
        u = uniform()
        return u < HALF, u < QUARTER, 1 - u < THIRD

    assert law(program) == {
        (True, True, False): QUARTER,
        (True, False, False): QUARTER,
        (False, False, False): F(1, 6),
        (False, False, True): THIRD,
    }


def test_a_copy_of_a_number_is_the_same_number() -> None:
    def program() -> Any:
        u = uniform()
        copied = copy.deepcopy([u])[0]
        return u * uniform() < 2, u < HALF, copied < HALF

    assert law(program) == {(True, True, True): HALF, (True, False, False): HALF}


def test_a_comparison_that_is_settled_is_not_asked() -> None:
    def program() -> Any:
        u = uniform()
        return (u < HALF) and (u < F(3, 4)) and (u >= 0)

    assert audit.enumerate(program).replays == 2


@pytest.mark.parametrize(("size", "scale"), [(3, 3), (4, 4), (3, F(5, 2))])
def test_the_whole_part_of_a_scaled_number_is_even(size: int, scale: Any) -> None:
    masses = law(lambda: int(uniform() * scale))
    assert masses == {
        k: (min(F(k + 1), F(scale)) - k) / F(scale) for k in range(size) if k < F(scale)
    }


def test_the_whole_part_below_zero() -> None:
    assert law(lambda: math.floor(uniform() * 2 - 1)) == {-1: HALF, 0: HALF}


# the grid


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        (lambda u: u < HALF, HALF),
        (lambda u: u <= HALF, F(3, 4)),
        (lambda u: u <= 0, QUARTER),
        (lambda u: u < 0, F(0)),
        (lambda u: u < THIRD, HALF),
        (lambda u: u <= THIRD, HALF),
        (lambda u: u == HALF, QUARTER),
        (lambda u: u == THIRD, F(0)),
        (lambda u: -u < -HALF, QUARTER),
        (lambda u: -u <= -HALF, HALF),
        (lambda u: 1 - u >= 1, QUARTER),
        (lambda u: u >= HALF and u <= HALF, QUARTER),
        (lambda u: u > QUARTER and u < HALF, F(0)),
        (lambda u: u.log() <= -inf, QUARTER),
    ],
)
def test_a_comparison_on_a_grid_counts_its_points(
    test: Callable[[Unknown], bool], wanted: Fraction
) -> None:
    assert chance(lambda: test(Unknown(drawn_from(2))), "grid") == wanted


def test_a_library_draws_from_its_own_grid() -> None:
    import random

    assert chance(lambda: random.random() <= 0, "grid") == F(1, 2**53)


# products


def up_to(c: Fraction, factors: int) -> float:
    """P(U1 ... Uk < c)."""
    return float(c) * sum(math.log(1 / c) ** j / math.factorial(j) for j in range(factors))


@pytest.mark.parametrize("factors", [2, 3])
@pytest.mark.parametrize("c", [F(1, 2), F(1, 10), F(9, 10)])
def test_a_product_is_small_with_its_known_probability(factors: int, c: Fraction) -> None:
    def program() -> bool:
        total = uniform()
        for _ in range(factors - 1):
            total = uniform() * total
        return bool(total < c)

    assert float(chance(program)) == pytest.approx(up_to(c, factors), abs=1e-14)


def test_products_are_known_together() -> None:
    """Given U1 < 1/2, U1 U2 < 1/4 has (1/4 + 1/4 ln 2) / (1/2)."""

    def program() -> Any:
        first, second = uniform(), uniform()
        both = first * second
        return first < HALF, both < QUARTER, both < HALF

    masses = law(program)
    assert float(masses[True, True, True]) == pytest.approx((1 + math.log(2)) / 4, abs=1e-14)
    assert (True, False, False) not in masses
    assert sum(masses.values()) == 1


def test_a_probability_with_logarithms_is_not_called_exact() -> None:
    found = audit.enumerate(lambda: bool(uniform() * uniform() < HALF))
    assert 0 < found.uncertainty < F(1, 10**30)


# races


def test_the_first_of_two_times() -> None:
    assert chance(lambda: time(F(1)) < time(F(3))) == QUARTER
    assert chance(lambda: time(F(1)) > time(F(3))) == F(3, 4)
    assert chance(lambda: 1 / time(F(3)) > 1 / time(F(1))) == F(3, 4)
    assert chance(lambda: time() == time()) == 0
    assert chance(lambda: time() > 0) == 1
    assert chance(lambda: time() < inf) == 1


def best(numbers: list[Any], *, largest: bool = True) -> Any:
    values = [getattr(number, "value", number) for number in numbers]
    position = comparison.position_of_best(values, largest=largest)
    return position.look() if hasattr(position, "look") else position


WEIGHTS = [F(1, 2), F(1, 3), F(1, 6)]
LAW = dict(enumerate(WEIGHTS))


def test_a_race_is_won_by_weight() -> None:
    assert law(lambda: best([w / time() for w in WEIGHTS])) == LAW
    assert law(lambda: best([time() / w for w in WEIGHTS], largest=False)) == LAW
    assert law(lambda: best([log(w) - time().log() for w in WEIGHTS])) == LAW


def test_a_gumbel_race_is_won_by_weight() -> None:
    assert law(lambda: best([log(w) - (-uniform().log()).log() for w in WEIGHTS])) == LAW
    assert law(lambda: best([w / -(1 - uniform()).log() for w in WEIGHTS])) == LAW


def test_who_has_no_weight_never_wins() -> None:
    assert law(lambda: best([F(0), HALF / time(), HALF / time()])) == {1: HALF, 2: HALF}
    assert law(lambda: best([-inf, log(HALF) - time().log()])) == {1: F(1)}


def test_a_second_race_over_the_same_times() -> None:
    """P(0 wins both) = 1 / (1 + max ratios): with even and (3/4, 1/4) weights it is 1/2."""

    def program() -> Any:
        times = [time(), time()]
        first = best([1 / t for t in times])
        return first, best([w / t for w, t in zip((F(3, 4), QUARTER), times, strict=True)])

    assert law(program) == {(0, 0): HALF, (1, 0): QUARTER, (1, 1): QUARTER}


def test_a_third_race_over_the_same_times() -> None:
    def program() -> Any:
        times = [time(), time()]
        rows = ((1, 1), (3, 1), (1, 3))
        return tuple(best([w / t for w, t in zip(row, times, strict=True)]) for row in rows)

    assert law(program) == {
        (0, 0, 0): QUARTER,
        (0, 0, 1): QUARTER,
        (1, 0, 1): QUARTER,
        (1, 1, 1): QUARTER,
    }


def test_races_that_share_some_times() -> None:
    """E0 < E1 and E1 < E2 has 1/6."""

    def program() -> bool:
        a, b, c = time(), time(), time()
        return a < b and b < c

    assert chance(program) == F(1, 6)


def test_noise_that_decides_twice_is_noted() -> None:
    def program() -> Any:
        a, b = time(), time()
        return a < b, 2 * a < b

    found = audit.enumerate(program)
    assert found.notes == ("exponential noise decides more than one race",)
    assert found.masses == {(True, True): THIRD, (True, False): F(1, 6), (False, False): HALF}


# draws that are decided when somebody looks


def test_a_categorical_draw_has_its_weights() -> None:
    assert law(lambda: categorical([F(1), F(2), F(0)], "draw")) == {0: THIRD, 1: F(2, 3)}


def test_a_coin_is_its_comparison() -> None:
    assert chance(lambda: bool(comparison.holds(uniform() < F(2, 7)))) == F(2, 7)


# plain numbers: as floats have it

PLAIN = [F(0), HALF, F(-3), inf, -inf, nan]


def as_float_division(x: float, y: float) -> float:
    if y == 0:
        return nan if x == 0 or math.isnan(x) else math.copysign(inf, x)
    return x / y


@pytest.mark.parametrize(
    ("exact", "real"),
    [
        (arithmetic.add, lambda x, y: x + y),
        (arithmetic.subtract, lambda x, y: x - y),
        (arithmetic.multiply, lambda x, y: x * y),
        (arithmetic.divide, as_float_division),
    ],
)
@pytest.mark.parametrize(("x", "y"), list(product(PLAIN, PLAIN)))
def test_arithmetic_of_plain_numbers_is_that_of_floats(
    exact: Callable[..., Any], real: Callable[..., float], x: Any, y: Any
) -> None:
    found, wanted = exact(x, y), real(float(x), float(y))
    assert math.isnan(wanted) if math.isnan(found) else float(found) == wanted
    assert isinstance(found, Fraction) == math.isfinite(wanted)


@pytest.mark.parametrize(("x", "y"), list(product(PLAIN, PLAIN)))
@pytest.mark.parametrize("name", comparison.OPERATORS)
def test_comparisons_of_plain_numbers_are_those_of_floats(name: str, x: Any, y: Any) -> None:
    assert comparison.compare(name, x, y) == comparison.OPERATORS[name](float(x), float(y))


def test_logarithms_stay_exact() -> None:
    def program() -> Any:
        third = log(THIRD)
        return (
            third.exp() == THIRD,
            (third + log(HALF)).exp() == F(1, 6),
            (third * 2).exp() == F(1, 9),
            (-third).exp() == 3,
            third < 0,
            log(F(1)) == 0,
            third == log(F(2, 6)),
            third > -inf,
            third < inf,
            third == -inf,
        )

    assert law(program) == {(True,) * 9 + (False,): 1}


@pytest.mark.parametrize(
    ("number", "logarithm", "exponential"),
    [(F(0), -inf, F(1)), (inf, inf, inf), (-inf, nan, F(0)), (nan, nan, nan), (F(-1), nan, None)],
)
def test_logarithms_and_powers_of_the_ends(number: Any, logarithm: float, exponential: Any) -> None:
    def program() -> None:
        assert str(arithmetic.log(number)) == str(logarithm)
        if exponential is not None:
            assert str(arithmetic.exp(number)) == str(exponential)

    assert law(program) == {None: 1}


def test_powers_beyond_the_floats() -> None:
    def program() -> Any:
        masked = log(HALF) + -1e9
        return masked == -inf, arithmetic.exp(F(10**9)), arithmetic.to_power(F(-1), F(1001))

    assert law(program) == {(True, inf, F(-1)): 1}


def test_roots_of_squares_are_exact() -> None:
    assert arithmetic.square_root(F(4, 9)) == F(2, 3)


def test_numbers_of_a_program_are_exact() -> None:
    third = Rational(THIRD)
    assert sum([third] * 3) == 1
    assert max(third - 1, 0) == 0
    assert (third**2, 2 / third, -third, abs(-third)) == (F(1, 9), 6, -third, third)
    with pytest.raises(ZeroDivisionError):
        third / 0


# what has no rule


@pytest.mark.parametrize(
    "operation",
    [
        lambda: uniform() + uniform(),
        lambda: uniform() < uniform(),
        lambda: uniform() * time(),
        lambda: uniform() / uniform(),
        lambda: 1 / uniform(),
        lambda: float(uniform()),
        lambda: float(time()),
        lambda: uniform().exp(),
        lambda: uniform().sqrt(),
        lambda: uniform() ** 2,
        lambda: (uniform() - HALF).log() < log(QUARTER),
        lambda: time() + time(),
        lambda: time() + 1,
        lambda: time() < 1,
        lambda: time() < uniform(),
        lambda: -time(),
        lambda: int(uniform() - HALF),
        lambda: int(uniform() * 10**6),
        lambda: arithmetic.divide(uniform().value, F(0)),
        lambda: Unknown(Opaque("normal noise")) < 1,
        lambda: comparison.smaller((2 * uniform()).value, F(1)),
        lambda: comparison.smaller((uniform() + HALF).value, F(1)),
        lambda: comparison.larger((uniform() - HALF).value, F(0)),
        lambda: comparison.larger(uniform().value, HALF),
        lambda: comparison.smaller(uniform().value, uniform().value),
        lambda: comparison.larger(time().value, uniform().value),
        lambda: comparison.larger((time() / 10**7).value, F(1, 10**6)),
        lambda: best([uniform(), uniform()]),
        lambda: best([time(), time()]),
        lambda: best([HALF, 1 / time()]),
    ],
)
def test_what_has_no_exact_rule_is_refused(operation: Callable[[], Any]) -> None:
    with pytest.raises(Fault, match="no exact rule"):
        law(operation)


def used_as_time_and_compared() -> None:
    u, v = uniform(), uniform()
    assert (-u.log() < -v.log()) in (True, False)
    assert u < HALF


def two_factors_after_comparisons() -> None:
    u, v = uniform(), uniform()
    assert (u < HALF) in (True, False)
    assert (v < HALF) in (True, False)
    assert u * v < HALF


def factor_of_two_products() -> None:
    u, v, w = uniform(), uniform(), uniform()
    assert (u * v < HALF) in (True, False)
    assert w * v < HALF


@pytest.mark.parametrize("is_first", [True, False])
def test_a_number_that_was_compared_may_be_a_factor(is_first: bool) -> None:
    def program() -> tuple[bool, bool]:
        u, v = uniform(), uniform()
        is_small = bool(u < HALF)
        return is_small, bool((u * v if is_first else v * u) < HALF / 2)

    # the integral of min(1, 1/(4 u)) for u up to 1/2
    assert abs(float(law(program)[True, True]) - (1 + math.log(2)) / 4) < 1e-15


@pytest.mark.parametrize(
    "program", [used_as_time_and_compared, two_factors_after_comparisons, factor_of_two_products]
)
def test_one_number_in_two_roles_is_refused(program: Callable[[], None]) -> None:
    with pytest.raises(Fault, match="the uniform number drawn at"):
        law(program)


def test_a_refusal_that_the_program_hides_is_still_one() -> None:
    def program() -> int:
        try:
            return int(float(uniform()))
        except Exception:
            return 0

    with pytest.raises(Fault, match="the float of a uniform number has no exact rule"):
        law(program)


def test_a_tiny_bound_of_noise_is_taken_for_none_and_counted() -> None:
    found = audit.enumerate(
        lambda: bool(Unknown(comparison.larger(uniform().value, F(1, 10**9))) < HALF)
    )
    assert (found[True], found.uncertainty) == (HALF, F(1, 10**9))


def test_races_that_share_one_time_are_not_independent_even_if_nobody_looks() -> None:
    def program() -> tuple[Any, Any]:
        a, b, c = new_time(), new_time(), new_time()
        return race((a, b), (ONE, ONE)), race((b, c), (ONE, ONE))

    # one of the six orders of three times has a before b before c
    assert law(program)[0, 0] == Fraction(1, 6)
    assert law(program)[0, 1] == Fraction(1, 3)
