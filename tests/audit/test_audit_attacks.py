"""Programs that were written to mislead an audit: each is followed exactly, or refused."""

import copy
import math
import random
import tempfile
from contextlib import suppress
from fractions import Fraction as F  # noqa: N817
from random import random as by_name

import pytest

from exactspec import audit
from exactspec.errors import BudgetReached, Fault


def law(program, level="rational"):
    """The masses of what a program returns."""
    return audit.enumerate(program, level=level).masses


def refused(program, text):
    """The program can't be audited at any level, for this reason."""
    for level in ("rational", "float", "grid"):
        with pytest.raises(Fault, match=text):
            audit.enumerate(program, level=level)


# generators


@pytest.mark.parametrize(
    "after", [random.random, lambda: random.seed(1), lambda: random.setstate(random.getstate())]
)
def test_a_draw_past_the_audit_is_not_hidden_by_what_moves_the_generator_later(after):
    def program():
        coin = by_name() < 0.5
        after()
        return coin

    refused(program, "past the audit")


# one number in several roles


def test_a_later_factor_of_a_product_is_not_the_first_one():
    def program():
        first, second = random.random(), random.random()
        return first * second < 0.25, first < 0.5, second < 0.5

    refused(program, "compared by itself")


def test_minus_the_logarithms_of_a_number_and_of_its_rest_are_two_times():
    def program():
        u = random.random()
        return -math.log(u) < -math.log(1 - u)

    refused(program, "no exact rule")


def test_a_copy_of_a_product_is_the_same_product():
    def program():
        product = random.random() * random.random()
        same = copy.deepcopy(product)
        return product < 0.25, same < 0.5

    masses = law(program)
    assert set(masses) == {(True, True), (False, True), (False, False)}


# programs that hide what happens


def test_what_a_number_can_not_do_is_refused_even_if_the_program_goes_on():
    def rounded():
        try:
            return round(random.random(), 1)
        except TypeError:
            return 0

    def remainder():
        with suppress(TypeError):
            return random.random() % 0.5 < 0.25
        return False

    refused(rounded, "rounding")
    refused(remainder, "remainder")


@pytest.mark.parametrize("hidden", [None, (9, 9, 9)])
def test_a_run_that_is_cut_at_a_known_state_ends_even_if_the_program_goes_on(hidden):
    def program():
        ids = ()
        for number in range(3):
            try:
                audit.boundary(number, sum(ids))
            except BaseException:
                ids = hidden or ids
            ids += (random.choice([0, 1]),)
        return sum(ids)

    assert law(program) == {0: F(1, 8), 1: F(3, 8), 2: F(3, 8), 3: F(1, 8)}


def test_what_a_program_keeps_over_many_runs_is_found_out():
    calls = []

    def program():
        calls.append(1)
        coins = [random.random() < 0.5 for _ in range(3)]
        return coins if len(calls) < 11 else []

    with pytest.raises(Fault, match="random outcomes differ"):
        audit.enumerate(program)


def test_blocks_that_stand_for_too_many_sequences_are_undecided():
    tables = audit.portfolio()[0]
    with pytest.raises(BudgetReached, match="1,000,000 sequences of 40 tokens"):
        audit.step(lambda block: [0] * 40, tables)


def test_the_name_of_a_temporary_file_is_no_outcome() -> None:
    def program() -> bool:
        with tempfile.TemporaryDirectory():
            return random.random() < 0.25

    law = audit.enumerate(program)
    assert (law[True], law.replays) == (F(1, 4), 2)
