"""Programs that once had a wrong law in PyTorch or NumPy, or were taken to crash."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction as F  # noqa: N817
from threading import Thread

import pytest

from exactspec import audit
from exactspec.errors import Fault

torch = pytest.importorskip("torch")

import numpy as np  # noqa: E402

from exactspec.audit.sources.from_torch import probs  # noqa: E402


def law(program, level="rational"):
    """The masses of what a program returns."""
    return audit.enumerate(program, level=level).masses


def refused(program, text):
    """The program can't be audited at any level, for this reason."""
    for level in ("rational", "float", "grid"):
        with pytest.raises(Fault, match=text):
            audit.enumerate(program, level=level)


def test_an_open_token_in_a_dataclass_is_decided():
    @dataclass(frozen=True)
    class Result:
        token: int

    program = lambda: Result(np.random.default_rng().choice(2, p=[0.25, 0.75]))  # noqa: E731
    assert law(program) == {Result(0): F(1, 4), Result(1): F(3, 4)}


def test_an_array_method_of_a_truth_value_is_no_crash_of_the_program():
    program = lambda: (np.random.rand() < np.array([0.5])[0]).item()  # noqa: E731
    refused(program, "stands for")


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


def into_numpy():
    numbers = np.zeros(1, np.float32)
    torch.from_numpy(numbers).uniform_()
    return numbers[0] < 0.5


def seen_from_numpy():
    numbers = torch.zeros(1)
    seen = numbers.numpy()
    numbers.uniform_()
    return seen[0] < 0.5


def into_numpy_without_a_rule():
    numbers = np.zeros(1, np.float32)
    torch.from_numpy(numbers).normal_()
    return numbers[0] < 0.5


@pytest.mark.parametrize(
    "program",
    [
        into_numpy,
        seen_from_numpy,
        into_numpy_without_a_rule,
        lambda: pickle.loads(pickle.dumps(torch.rand(1))) < 0.5,
        lambda: pickle.loads(pickle.dumps(drawn())),
        lambda: torch.rand(1).apply_(lambda u: 2 * u) < 0.5,
        lambda: torch.zeros(1).map_(torch.rand(1), lambda _, u: u) < 0.5,
    ],
)
def test_a_random_number_in_memory_that_others_read_is_refused(program):
    refused(program, "memory|apply_|map_")


def test_tokens_in_memory_that_numpy_shares_are_decided_when_they_are_written():
    def program():
        ids = torch.zeros(2, dtype=torch.long)
        seen = ids.numpy()
        ids[:1] = drawn()
        return int(seen[0])

    assert law(program) == {0: F(1, 4), 1: F(3, 4)}


def test_what_numpy_writes_into_an_exact_tensor_is_what_it_holds():
    def program():
        row = probs([(F(1, 4), F(3, 4))])[0]
        row.numpy()[:] = 0.5
        return torch.rand(()) < row[0]

    assert law(program) == {True: F(1, 2), False: F(1, 2)}


def test_threads_of_the_run_and_of_a_pool_from_before_are_followed():
    pool = ThreadPoolExecutor(1)
    pool.submit(int).result()

    def program():
        u = torch.rand(1)
        found = [pool.submit(lambda: (u < 0.5).item()).result()]
        with ThreadPoolExecutor(1) as another:
            found.append(another.submit(lambda: (torch.rand(1) < 0.5).item()).result())
        thread = Thread(target=lambda: found.append((u < 0.25).item()))
        thread.start()
        thread.join()
        return tuple(found)

    masses = law(program)
    assert masses[True, True, True] == F(1, 8)
    assert masses[False, True, False] == F(1, 4)
    pool.shutdown()


def test_a_search_through_a_permutation_is_refused():
    ends = torch.tensor([0.5, 0.25])
    refused(lambda: torch.searchsorted(ends, torch.rand(1), sorter=ends.argsort()), "sorter")
