"""Programs that were written to mislead an audit: each is followed exactly, or refused."""

import math
import random
from fractions import Fraction as F  # noqa: N817
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


# tensors


torch = pytest.importorskip("torch")
COIN = (0.25, 0.75)


def drawn(count=1):
    return torch.multinomial(torch.tensor(COIN), count, replacement=True)


def test_a_running_product_of_fractions_and_open_truth_values():
    def program():
        accepted = (torch.rand(1) < 0.25).float()
        return torch.cat([torch.tensor([0.5]), accepted]).cumprod(0)

    assert law(program) == {(0.5, 0.5): F(1, 4), (0.5, 0): F(3, 4)}


def test_how_often_something_is_repeated_is_looked_at():
    assert law(lambda: torch.repeat_interleave(torch.tensor([7]), drawn())) == {
        (): F(1, 4),
        (7,): F(3, 4),
    }


@pytest.mark.parametrize(
    "make",
    [
        lambda u: torch.tensor([u], dtype=torch.long),
        lambda u: torch.as_tensor([u], dtype=torch.long),
        lambda u: torch.full((1,), u, dtype=torch.long),
    ],
)
def test_a_tensor_of_whole_numbers_made_of_a_random_number_holds_its_whole_part(make):
    program = lambda: make(random.random() * 4).item() == 2  # noqa: E731
    assert law(program) == {True: F(1, 4), False: F(3, 4)}


@pytest.mark.parametrize(
    "program",
    [
        lambda: torch.poisson(torch.rand(2)).sum() > 1,
        lambda: torch.native_dropout(torch.rand(2), 0.5, False)[0] < 0.5,
        lambda: torch.binomial(torch.tensor([3.0]), torch.rand(1)) > 1,
        lambda: torch.zeros(2, dtype=torch.long).fill_(torch.rand(())),
        lambda: torch.rand(1).to(torch.complex64),
    ],
)
def test_what_has_no_rule_for_a_random_number_is_refused(program):
    refused(program, "no exact rule|not compared")


def test_what_inference_mode_has_drawn_is_read_and_moved_outside_of_it():
    def program():
        kept = torch.zeros(2, dtype=torch.long)
        with torch.inference_mode():
            token = drawn()
            kept[:] = token
            is_low = torch.rand(1) < 0.5
        kept[0] = drawn()[0]
        return kept.tolist(), token.item(), bool(is_low)

    masses = law(program)
    assert masses[(1, 0), 0, True] == F(3, 32)
    assert len(masses) == 8


def test_a_sparse_tensor_beside_random_ones():
    program = lambda: torch.eye(2).to_sparse().to_dense()[drawn()][0, 1].item()  # noqa: E731
    assert law(program) == {0: F(1, 4), 1: F(3, 4)}


def test_bits_of_whole_numbers_are_no_truth_values():
    program = lambda: (torch.rand(1) < 0.5) & torch.tensor([2])  # noqa: E731
    assert law(program) == {(0,): 1}
