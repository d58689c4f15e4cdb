"""A tensor and its copy in another type hold the same outcomes, whichever is looked at first."""

from fractions import Fraction

import pytest

from exactspec import audit

torch = pytest.importorskip("torch")


def test_a_truth_value_stays_the_same_after_a_copy_of_it_was_decided():
    def program():
        is_below = torch.rand(2) < 0.25
        first = int(is_below.int().argmax())
        return first, is_below

    law = audit.enumerate(program)
    assert all(bools[first] or not any(bools) for first, bools in law.masses)
    assert sum(m for (_, bools), m in law.masses.items() if all(bools)) == Fraction(1, 16)


def test_whole_numbers_made_of_drawn_ones_are_whole():
    def program():
        return torch.tensor([torch.multinomial(torch.tensor([0.5, 0.5]), 1)[0], torch.tensor(2)])

    assert audit.enumerate(program).masses == {(0, 2): Fraction(1, 2), (1, 2): Fraction(1, 2)}
