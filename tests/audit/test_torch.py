"""PyTorch's random operations have the laws that theory gives them, exactly."""

import math
from fractions import Fraction as F  # noqa: N817
from itertools import permutations

import pytest

from exactspec import audit
from exactspec.errors import Fault

torch = pytest.importorskip("torch")

from exactspec.audit.sources.from_torch import logits, probs  # noqa: E402

P = (F(1, 6), F(1, 3), F(1, 2))
Q = (F(1, 2), F(1, 4), F(1, 4))


def law(program, level="rational"):
    """The masses of what a program returns."""
    return audit.enumerate(program, level=level).masses


def row(weights, dtype=None):
    return probs([weights], dtype)[0]


def test_a_uniform_number_is_below_a_bound_with_the_probability_of_the_bound():
    for draw in (
        lambda: torch.rand(()),
        lambda: torch.rand_like(torch.zeros(())),
        lambda: torch.empty(()).uniform_(),
        lambda: torch.rand((), dtype=torch.float64),
        lambda: torch.zeros(2).uniform_()[1],
    ):
        assert law(lambda draw=draw: draw() < row(P)[1]) == {True: F(1, 3), False: F(2, 3)}


def test_a_uniform_number_may_be_compared_twice_and_lie_between_any_bounds():
    def which_third():
        u = torch.rand(1)
        return (u < row(P)[1]).item() + (u < row(P)[1] * 2).item()

    assert law(which_third) == {0: F(1, 3), 1: F(1, 3), 2: F(1, 3)}
    assert law(lambda: torch.empty(()).uniform_(-1, 3) < 0)[True] == F(1, 4)
    assert law(lambda: 1 - 2 * torch.rand(()) > 0.5)[True] == F(1, 4)


def test_a_bernoulli_number_is_1_with_its_probability():
    for program in (
        lambda: torch.bernoulli(row(P)),
        lambda: torch.empty(3).bernoulli_(row(P)),
    ):
        masses = law(program)
        assert masses[(0, 1, 1)] == F(5, 6) * F(1, 3) * F(1, 2)
        assert len(masses) == 8
    assert law(lambda: torch.empty(()).bernoulli_(0.25))[1] == F(1, 4)


def test_multinomial_follows_its_weights():
    assert law(lambda: torch.multinomial(row(P), 1)) == {(i,): p for i, p in enumerate(P)}
    assert law(lambda: torch.multinomial(row(P) * 7, 1))[(2,)] == F(1, 2)
    two_rows = law(lambda: torch.multinomial(probs([P, Q]), 1).squeeze(1))
    assert two_rows == {(i, j): p * q for i, p in enumerate(P) for j, q in enumerate(Q)}


def test_multinomial_with_replacement_draws_independently():
    masses = law(lambda: torch.multinomial(row(P), 2, replacement=True))
    assert masses == {(i, j): p * q for i, p in enumerate(P) for j, q in enumerate(P)}


def test_multinomial_without_replacement_draws_by_weight_among_those_left():
    masses = law(lambda: torch.multinomial(row(P), 2))
    assert masses == {(i, j): P[i] * P[j] / (1 - P[i]) for i, j in permutations(range(3), 2)}


def test_multinomial_leaves_its_last_draw_open():
    assert audit.enumerate(lambda: torch.multinomial(row(P), 1)).replays == 1


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.0, 0.0], "sum of probabilities <= 0"),
        ([-1.0, 2.0], "inf`, `nan` or element < 0"),
        ([math.nan, 1.0], "inf`, `nan` or element < 0"),
        ([math.inf, 1.0], "inf`, `nan` or element < 0"),
    ],
)
def test_multinomial_raises_what_pytorch_raises(weights, message):
    with pytest.raises(RuntimeError) as real:
        torch.multinomial(torch.tensor(weights), 1)
    (raised,) = law(lambda: torch.multinomial(torch.tensor(weights), 1))
    assert message in raised.message
    assert (raised.type, raised.message) == ("RuntimeError", str(real.value).splitlines()[0])


def test_an_exponential_race_is_won_by_weight():
    for program in (
        lambda: (row(P) / torch.empty(3).exponential_()).argmax(),
        lambda: row(P).div_(torch.empty_like(row(P)).exponential_(1)).argmax(dim=-1),
        lambda: (torch.empty(3).exponential_() / row(P)).argmin(),
        lambda: (row(P) / -torch.log(torch.rand(3))).max(-1).indices,
    ):
        assert law(program) == dict(enumerate(P))


def test_gumbel_noise_draws_from_the_softmax():
    for program in (
        lambda: (logits([P])[0] - torch.log(-torch.log(torch.rand(3)))).argmax(),
        lambda: (logits([P])[0] - torch.empty(3).exponential_().log()).topk(1).indices[0],
    ):
        assert law(program) == dict(enumerate(P))


def test_the_best_k_under_gumbel_noise_are_draws_without_replacement():
    masses = law(lambda: (logits([P])[0] - torch.empty(3).exponential_().log()).topk(2).indices)
    assert masses == {(i, j): P[i] * P[j] / (1 - P[i]) for i, j in permutations(range(3), 2)}


def test_two_races_with_the_same_noise_are_coupled():
    def both():
        noise = torch.empty(2).exponential_()
        first = (row((F(1, 2), F(1, 2))) / noise).argmax()
        return first, (row((F(3, 4), F(1, 4))) / noise).argmax()

    # two times in a ratio of x: of 1, then of 3
    assert law(both) == {(0, 0): F(1, 2), (1, 0): F(1, 4), (1, 1): F(1, 4)}


def test_inverse_cdf_sampling_follows_the_weights():
    for program in (
        lambda: torch.searchsorted(row(P).cumsum(-1), torch.rand(1)),
        lambda: torch.bucketize(torch.rand(1), row(P).cumsum(-1)),
        lambda: (row(P).cumsum(-1) < torch.rand(1)).sum()[None],
        lambda: (torch.rand(1) <= row(P).cumsum(-1)).int().argmax()[None],
    ):
        assert law(program) == {(i,): p for i, p in enumerate(P)}


def test_products_of_uniform_numbers_have_laws_with_logarithms():
    def both_below():
        products = torch.rand(2).cumprod(-1)
        return products[1] < 0.5

    expected = 0.5 * (1 + math.log(2))
    assert abs(law(both_below)[True] - F(expected)) < F(1, 10**15)


def test_whole_numbers_are_drawn_evenly():
    assert law(lambda: torch.randint(3, (1,))) == {(i,): F(1, 3) for i in range(3)}
    assert law(lambda: torch.randint(-1, 1, ())) == {-1: F(1, 2), 0: F(1, 2)}
    assert law(lambda: torch.randperm(3)) == {order: F(1, 6) for order in permutations(range(3))}
    assert law(lambda: (torch.rand(()) * 4).long()) == {i: F(1, 4) for i in range(4)}


def test_the_same_state_of_a_generator_gives_the_same_numbers():
    def reseeded():
        torch.manual_seed(1)
        first = torch.rand(2)
        torch.manual_seed(1)
        return first[1] < 0.5, torch.rand(1) < 0.5, torch.rand(1) < 0.5

    def copied():
        first = torch.Generator()
        second = torch.Generator()
        second.set_state(first.get_state())
        pair = (torch.rand(1, generator=first), torch.rand(1, generator=second))
        return tuple(u < 0.5 for u in pair)

    half = F(1, 2)
    masses = law(reseeded)
    assert masses == {(x, (y,), (x,)): half * half for x in (False, True) for y in (False, True)}
    assert law(copied) == {((True,), (True,)): half, ((False,), (False,)): half}


def test_a_reseeded_multinomial_is_the_same_race():
    def twice(first, second):
        torch.manual_seed(0)
        one = torch.multinomial(row(first), 1).item()
        torch.manual_seed(0)
        return one, torch.multinomial(row(second), 1).item()

    assert law(lambda: twice(P, P)) == {(i, i): p for i, p in enumerate(P)}
    coupled = law(lambda: twice((F(1, 2), F(1, 2)), (F(3, 4), F(1, 4))))
    assert coupled == {(0, 0): F(1, 2), (1, 0): F(1, 4), (1, 1): F(1, 4)}


def test_one_state_for_two_kinds_of_draw_is_refused():
    def reseeded():
        torch.manual_seed(0)
        coin = torch.rand(1) < 0.5
        torch.manual_seed(0)
        return coin, torch.multinomial(row(P), 1)

    with pytest.raises(Fault, match="two different draws"):
        law(reseeded)


def test_the_state_of_the_global_generator_is_that_of_before_the_audit():
    before = torch.get_rng_state()
    law(lambda: torch.rand(3) < 0.5)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    "program",
    [
        lambda: torch.randn(2) < 0,
        lambda: torch.empty(2).normal_() + 1,
        lambda: torch.nn.functional.dropout(torch.ones(5_000), 0.5).sum(),
        lambda: torch.rand(2).sin(),
        lambda: torch.rand(2),
        lambda: torch.rand(2) @ torch.rand(2),
        lambda: torch.rand(1).numpy(),
        lambda: float(torch.rand(1)),
    ],
)
def test_noise_without_a_rule_is_refused(program):
    with pytest.raises(Fault) as refused:
        law(program)
    assert refused.value.diagnostic.code == "audit-no-rule"


def test_dropout_of_few_elements_is_followed():
    dropped = law(lambda: torch.nn.functional.dropout(torch.ones(2), 0.25, training=True) > 1)
    assert dropped[(True, False)] == F(3, 16)


def test_numbers_without_a_rule_that_nobody_uses_do_no_harm():
    def program():
        model = torch.nn.Embedding(4, 2)
        torch.randn(100_000)
        return model.weight.shape[0]

    assert law(program) == {4: F(1)}


def test_on_the_grid_at_most_and_below_differ_by_one_step():
    bounds = {torch.float32: 24, torch.float64: 53, torch.bfloat16: 8, torch.float16: 11}
    for dtype, bits in bounds.items():
        below = law(lambda d=dtype: torch.rand((), dtype=d) < 0.25, "grid")
        at_most = law(lambda d=dtype: torch.rand((), dtype=d) <= 0.25, "grid")
        assert below[True] == F(1, 4)
        assert at_most[True] == F(1, 4) + F(1, 2**bits)


def test_the_law_agrees_with_plain_sampling():
    target, draft = torch.tensor([0.2, 0.3, 0.5]), torch.tensor([0.5, 0.25, 0.25])

    def step():
        token = torch.multinomial(draft, 1).item()
        if torch.rand(()) < target[token] / draft[token]:
            second = (torch.rand(3) < 0.5).sum()
            return token, second.item()
        residual = (target - draft).clamp(min=0)
        return torch.multinomial(residual / residual.sum(), 1).item(), -1

    masses = law(step, "float")
    torch.manual_seed(7)
    runs = 4_000
    counts = {}
    for _ in range(runs):
        outcome = step()
        counts[outcome] = counts.get(outcome, 0) + 1
    assert set(counts) <= set(masses)
    for outcome, mass in masses.items():
        deviation = abs(counts.get(outcome, 0) / runs - mass)
        assert deviation < 6 * math.sqrt(mass * (1 - mass) / runs) + 1e-9


@pytest.mark.parametrize("scenario", audit.portfolio(), ids=lambda scenario: scenario.title)
def test_the_step_of_transformers_is_lossless(scenario):
    utils = pytest.importorskip("transformers.generation.utils")

    def step(block):
        given = block.torch
        return utils._speculative_sampling(
            given.ids[None], given.draft_logits[None], block.draft_length, given.target_logits[None]
        )[0]

    verdict = audit.step(step, scenario, drafts=2)
    assert (verdict.word, verdict.law.level) == ("lossless", "rational")
