"""Programs that were written to mislead an audit: each is followed exactly, or refused."""

import math
import random
from random import random as by_name

import pytest

from exactspec import audit
from exactspec.errors import Fault


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
