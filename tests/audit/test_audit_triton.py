"""Real Triton kernels in Triton's interpreter have the laws that theory gives them, exactly."""

import os
import subprocess
import sys
from fractions import Fraction as F  # noqa: N817
from pathlib import Path

import pytest

from exactspec import audit, parse
from exactspec.errors import Fault

torch = pytest.importorskip("torch")
if "triton" not in sys.modules:
    # Triton looks at it once, when its own functions are defined
    os.environ.setdefault("TRITON_INTERPRET", "1")
triton = pytest.importorskip("triton")
import triton.language as tl  # noqa: E402

if type(tl.max).__name__ != "InterpretedFunction":
    reason = "Triton was imported before these tests without TRITON_INTERPRET=1"
    pytest.skip(reason, allow_module_level=True)

from exactspec.audit.sources.from_torch import logits, probs  # noqa: E402

P, Q, R = (F(1, 6), F(1, 3), F(1, 2)), (F(1, 2), F(1, 4), F(1, 4)), (F(1, 2), F(1, 2))
TABLES = {scenario.title: scenario for scenario in audit.portfolio()}
EVEN = b"""
version: 1
vocabulary: [a, b]
draft_length: 2
target: {a: 1/2, b: 1/2}
draft: {a: 3/4, b: 1/4}
"""
COINS_AT = 16


@triton.jit
def weights_of(rows, i, size, width: tl.constexpr):
    """A row, with 0 behind its end."""
    place = tl.arange(0, width)
    return tl.load(rows + i * size + place, mask=place < size, other=0.0)


@triton.jit
def verify(
    out, count, drafted, target, draft, coins, drafts, size,
    width: tl.constexpr, inclusive: tl.constexpr, off: tl.constexpr,
):  # fmt: skip
    """Accept drafted tokens by coins, correct by inverse CDF of the last coin."""
    accepted = 0
    rejected = False
    for i in range(drafts):
        if not rejected:
            token = tl.load(drafted + i)
            p = tl.load(target + i * size + token)
            q = tl.load(draft + i * size + token)
            coin = tl.load(coins + i)
            holds = (coin * q <= p) if inclusive else (coin * q < p)
            if holds:
                tl.store(out + i, token)
                accepted += 1
            else:
                rejected = True
    row = weights_of(target, accepted, size, width)
    if rejected:
        row = tl.maximum(row - weights_of(draft, accepted + off, size, width), 0.0)
    u = tl.load(coins + drafts) * tl.sum(row, 0)
    tl.store(out + accepted, tl.sum((tl.cumsum(row, 0) <= u).to(tl.int32), 0))
    tl.store(count, accepted + 1)


@triton.jit
def verify_by_counters(
    out, count, drafted, target, draft, seed, drafts, size,
    width: tl.constexpr, coin_step: tl.constexpr,
):  # fmt: skip
    """The same with coins and Gumbel noise from counters."""
    place = tl.arange(0, width)
    accepted = 0
    rejected = False
    for i in range(drafts):
        if not rejected:
            token = tl.load(drafted + i)
            ratio = tl.load(target + i * size + token) / tl.load(draft + i * size + token)
            if tl.rand(seed, COINS_AT + i * coin_step) < ratio:
                tl.store(out + i, token)
                accepted += 1
            else:
                rejected = True
    row = weights_of(target, accepted, size, width)
    if rejected:
        row = tl.maximum(row - weights_of(draft, accepted, size, width), 0.0)
    noise = -tl.log(-tl.log(tl.rand(seed, place)))
    tl.store(out + accepted, tl.argmax(tl.log(row) + noise, 0))
    tl.store(count, accepted + 1)


@triton.jit
def draw(out, rows, seed, size, width: tl.constexpr, step: tl.constexpr):
    """A position of each row by Gumbel noise, the best block after block."""
    i = tl.program_id(0)
    best = -float("inf")
    found = -1
    for start in range(0, size, width):
        place = start + tl.arange(0, width)
        row = tl.load(rows + i * size + place, mask=place < size, other=0.0)
        noise = -tl.log(-tl.log(tl.rand(seed, i * step + place)))
        value, index = tl.max(tl.log(row) + noise, 0, return_indices=True)
        if value > best:
            best = value
            found = start + index
    tl.store(out + i, found)


@triton.jit
def invert(out, rows, coins, size, width: tl.constexpr):
    """A position of each of two rows by inverse CDF, in blocks of two dimensions."""
    row, place = tl.arange(0, 2)[:, None], tl.arange(0, width)[None, :]
    x = tl.load(rows + row * size + place, mask=place < size, other=-float("inf")).to(tl.float32)
    x = tl.exp(x - tl.max(x, axis=1, keep_dims=True))
    reached = tl.cumsum(x / tl.sum(x, axis=1, keep_dims=True), axis=1)
    u = tl.load(coins + tl.arange(0, 2)).to(tl.float32)
    tl.store(out + tl.arange(0, 2), tl.sum((reached <= u[:, None]).to(tl.int32), axis=1))


@triton.jit
def apply(out, numbers, function: tl.constexpr):
    """One function of the library's, of numbers in a row of four."""
    place = tl.arange(0, 4)
    x = tl.load(numbers + place)
    if function == "randn":
        x = tl.randn(7, place)
    elif function == "sin":
        x = tl.sin(x)
    elif function == "atomic":
        tl.atomic_add(numbers + place, 1.0)
    tl.store(out + place, x)


def step(kernel, *options, **constants):
    """A verification step by a kernel."""

    def run(block):
        given, size = block.torch, block.vocabulary_size
        out = torch.full((block.draft_length + 1,), -1)
        count = torch.zeros(1, dtype=torch.int64)
        draft = torch.cat((given.draft_probs, given.draft_probs[-1:]))
        noise = options[0] if options else torch.rand(block.draft_length + 1)
        kernel[(1,)](
            out, count, given.draft_ids, given.target_probs, draft, noise,
            block.draft_length, size, width=triton.next_power_of_2(size), **constants,
        )  # fmt: skip
        return out[: count.item()]

    return run


def drawn(rows, width, step):
    """The law of positions drawn by noise from counters."""

    def program():
        out = torch.zeros(len(rows), dtype=torch.int32)
        draw[(len(rows),)](out, probs(rows), 7, len(rows[0]), width=width, step=step)
        return out

    return audit.enumerate(program).masses


@pytest.mark.parametrize("scenario", audit.portfolio(), ids=lambda scenario: scenario.title)
def test_kernels_that_accept_by_coins_and_correct_by_the_residual_are_lossless(scenario):
    by_coins = audit.step(step(verify, inclusive=False, off=0), scenario, drafts=2)
    by_counters = audit.step(step(verify_by_counters, 7, coin_step=1), scenario, drafts=2)
    assert (by_coins.word, by_counters.word) == ("lossless", "lossless")


def test_accepting_where_coin_and_ratio_are_equal_shows_on_the_grid_alone():
    at_most, below = step(verify, inclusive=True, off=0), step(verify, inclusive=False, off=0)
    scenario = TABLES["zeros in the target"]
    assert audit.step(at_most, scenario, drafts=1).word == "lossless"
    assert audit.step(below, scenario, drafts=1, level="grid").impossible == 0
    verdict = audit.step(at_most, scenario, drafts=1, level="grid")
    tables = audit.Tables(scenario)
    rows = zip(tables.target(tables.context), tables.draft(tables.context), strict=True)
    never_wanted = sum(q for p, q in rows if not p)
    assert (verdict.word, verdict.impossible) == ("lossy", never_wanted * F(1, 2**24))
    assert verdict.impossible > 0


def test_a_residual_of_the_wrong_row_is_lossy():
    verdict = audit.step(step(verify, inclusive=False, off=1), TABLES["two tokens"], drafts=2)
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 16))


def test_one_counter_for_all_coins_is_lossy():
    wrong = step(verify_by_counters, 7, coin_step=0)
    verdict = audit.step(wrong, parse(EVEN), drafts=2)
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 8))
    assert sum(verdict.got[0, 0, i] for i in range(2)) == F(3, 8)
    assert audit.step(step(verify_by_counters, 7, coin_step=1), parse(EVEN)).word == "lossless"


def test_gumbel_noise_draws_from_the_row_in_one_block_and_in_several():
    for width in (4, 2, 1):
        assert drawn([P], width, 8) == {(i,): p for i, p in enumerate(P)}
    assert drawn([P, Q], 4, 8) == {(i, j): p * q for i, p in enumerate(P) for j, q in enumerate(Q)}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_blocks_of_two_dimensions_and_any_float_hold_exact_numbers(dtype):
    def program():
        out = torch.zeros(2, dtype=torch.int64)
        invert[(1,)](out, logits([P, Q], dtype), torch.rand(2, dtype=dtype), 3, width=4)
        return out

    law = audit.enumerate(program)
    assert law.masses == {(i, j): p * q for i, p in enumerate(P) for j, q in enumerate(Q)}
    assert not law.is_rounded


def test_an_open_winner_is_decided_by_nobody():
    out = torch.zeros(1, dtype=torch.int32)
    law = audit.enumerate(lambda: draw[(1,)](out, probs([P]), 7, 3, width=4, step=8))
    assert law.replays == 1


def test_two_draws_from_the_same_counters_are_coupled():
    # two times in a ratio of x: of 1, then of 3
    coupled = drawn([R, (F(3, 4), F(1, 4))], 2, 0)
    assert coupled == {(0, 0): F(1, 2), (1, 0): F(1, 4), (1, 1): F(1, 4)}


@pytest.mark.parametrize("function", ["randn", "sin", "atomic"])
def test_what_has_no_rule_is_refused(function):
    def program():
        out = torch.zeros(4)
        apply[(1,)](out, torch.rand(4), function=function)
        return out[0] < 0.5

    with pytest.raises(Fault) as refused:
        audit.enumerate(program)
    assert refused.value.diagnostic.code == "audit-no-rule"


def test_random_numbers_pass_through_a_kernel():
    def program():
        out = torch.zeros(4)
        apply[(1,)](out, torch.rand(4), function="none")
        return out[1] < 0.25

    assert audit.enumerate(program).masses == {True: F(1, 4), False: F(3, 4)}


def test_a_kernel_runs_as_before_outside_an_audit():
    out = torch.zeros(4)
    apply[(1,)](out, torch.ones(4), function="none")
    assert out.tolist() == [1] * 4


COMPILED = """
import torch, triton
import triton.language as tl
from exactspec import audit
AFTER

@triton.jit
def kernel(out):
    tl.store(out, 1)

def program():
    kernel[(1,)](torch.zeros(1))

audit.enumerate(program)
"""


@pytest.mark.parametrize("begin", ["", "import os; os.environ['TRITON_INTERPRET'] = '1'\n"])
def test_a_launch_without_the_interpreter_is_refused(tmp_path, begin):
    script = tmp_path / "compiled.py"
    script.write_text(COMPILED.replace("AFTER", begin))
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment["PYTHONPATH"] = str(Path(audit.__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False
    )
    assert "Fault: the Triton kernel kernel is not interpreted" in ran.stderr
