"""NumPy under an audit: laws of its random functions, exact arrays, and generators past the audit."""

import copy
import gc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from exactspec import audit
from exactspec.audit import Block
from exactspec.errors import Fault
from exactspec.model.scenario import Scenario

np = pytest.importorskip("numpy")
sources = pytest.importorskip("exactspec.audit.sources.from_numpy")

F = Fraction
HALF, QUARTER, THREE = F(1, 2), F(1, 4), F(3, 4)
MADE_BEFORE = np.random.default_rng(4)
STATE_MADE_BEFORE = np.random.RandomState(4)
BITS_MADE_BEFORE = np.random.PCG64(5)
by_name, uniform_by_name = np.random.default_rng, np.random.random
Class_by_name, Bits_by_name, State_by_name = (
    np.random.Generator,
    np.random.PCG64,
    np.random.RandomState,
)


def rng() -> Any:
    return np.random.default_rng()


def masses(program: Callable[[], Any], **options: Any) -> dict[Any, Fraction]:
    return audit.enumerate(program, **options).masses


def code_of(program: Callable[[], Any], **options: Any) -> str:
    with pytest.raises(Fault) as caught:
        audit.enumerate(program, **options)
    return caught.value.diagnostic.code


COIN = {0: QUARTER, 1: THREE}
EVEN = {i: F(1, 3) for i in range(3)}
PAIRS = {(i, j): F(1, 6) for i in range(3) for j in range(3) if i != j}
ROW = np.array([0.25, 0.75])
RARE = {True: QUARTER, False: THREE}


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (lambda: rng().random() < 0.25, RARE),
        (lambda: np.random.random() < 0.25, RARE),
        (lambda: np.random.rand() < 0.25, RARE),
        (lambda: np.random.RandomState(3).random_sample() < 0.25, RARE),
        (lambda: rng().uniform(1, 5) < 2, RARE),
        (lambda: bool((rng().random(2) < 0.5).all()), RARE),
        (lambda: bool((np.random.rand(2, 1) < 0.5).all()), RARE),
        (lambda: bool(np.all(rng().uniform(size=2) < [0.5, 0.5])), RARE),
        (lambda: rng().choice(2, p=ROW), COIN),
        (lambda: rng().choice([7, 8], p=ROW), {7: QUARTER, 8: THREE}),
        (lambda: str(rng().choice(["a", "b"], p=ROW)), {"a": QUARTER, "b": THREE}),
        (lambda: np.random.choice(3), EVEN),
        (lambda: rng().choice(3, size=2, replace=False), PAIRS),
        (lambda: rng().permutation(3)[:2], PAIRS),
        (lambda: rng().choice(2, size=(1, 1), p=ROW)[0], {(0,): QUARTER, (1,): THREE}),
        (lambda: rng().integers(3), EVEN),
        (lambda: np.random.randint(1, 4) - 1, EVEN),
        (lambda: rng().integers(0, 2, endpoint=True), EVEN),
        (lambda: rng().multinomial(1, ROW), {(1, 0): QUARTER, (0, 1): THREE}),
        (lambda: int(np.random.multinomial(2, ROW)[0]), {0: F(9, 16), 1: F(3, 8), 2: F(1, 16)}),
        (lambda: np.argmax(ROW / rng().exponential(size=2)), COIN),
        (lambda: np.argmin(rng().standard_exponential(2) / ROW), COIN),
        (lambda: (-np.log(rng().random(2)) / ROW).argmin(), COIN),
        (lambda: np.argmax(np.log(sources.exact_array(ROW)) + rng().gumbel(size=2)), COIN),
        (lambda: np.searchsorted(np.cumsum(ROW), rng().random(), side="right"), COIN),
        (lambda: int((rng().random() > np.cumsum(ROW)).sum()), COIN),
        (lambda: int(rng().random() * 3), EVEN),
    ],
)
def test_a_function_of_numpys_has_its_law(
    program: Callable[[], Any], wanted: dict[Any, Fraction]
) -> None:
    assert masses(program) == wanted
    assert masses(program, level="float") == wanted


def test_choice_without_replacement_by_weights() -> None:
    found = masses(lambda: rng().choice(3, size=2, replace=False, p=[0.5, 0.25, 0.25]))
    assert found[0, 1] == QUARTER
    assert found[1, 2] == QUARTER / 3


def test_shuffle_works_in_place() -> None:
    def program() -> Any:
        values = [1, 2]
        rng().shuffle(values)
        return values

    assert masses(program) == {(1, 2): HALF, (2, 1): HALF}


def test_numpys_own_complaints_are_outcomes() -> None:
    found = masses(lambda: rng().choice(2, p=[0.5, 0.25]))
    assert [outcome.type for outcome in found] == ["ValueError"]


def test_a_token_that_is_only_returned_needs_no_runs() -> None:
    found = audit.enumerate(lambda: [1, rng().choice(2, p=ROW)])
    assert (found.masses, found.replays) == ({(1, 0): QUARTER, (1, 1): THREE}, 1)


def test_a_token_behaves_like_a_whole_number() -> None:
    def program() -> Any:
        token = rng().choice(2, p=ROW)
        assert isinstance(token, np.integer)
        assert np.arange(5, 7)[token] == 5 + token
        assert [5, 6][token] == token + 5 == 5 + int(token) == np.add(token, 5)
        assert token.item() in (0, 1)
        return np.append([3], token)

    assert masses(program) == {(3, 0): QUARTER, (3, 1): THREE}


def test_a_choice_on_a_grid_is_one_by_points_of_the_grid() -> None:
    third = masses(lambda: rng().choice(3, p=[F(1, 3)] * 3), level="grid")[0]
    assert third == F(2**53 // 3 + 1, 2**53)
    assert masses(lambda: rng().choice(2, p=[0.0, 1.0]), level="grid") == {1: 1}


# one state, one number


def test_equal_seeds_give_equal_numbers() -> None:
    def program() -> Any:
        one, same, other = (np.random.default_rng(seed) for seed in (1, 1, 2))
        return one.random() < 0.5, same.random() < 0.5, other.random() < 0.5

    assert set(masses(program)) == {(a, a, b) for a in (True, False) for b in (True, False)}


def test_seeding_again_gives_the_same_number() -> None:
    def program() -> Any:
        np.random.seed(3)
        first = np.random.rand() < 0.5
        np.random.seed(3)
        return first, np.random.rand() < 0.25

    assert masses(program) == {(True, True): QUARTER, (True, False): QUARTER, (False, False): HALF}


def test_a_state_that_is_set_back_gives_the_same_numbers() -> None:
    def program() -> Any:
        generator = rng()
        state = generator.bit_generator.state
        first = generator.random(2) < 0.5
        generator.bit_generator.state = state
        return [bool(np.all(first == (generator.random(2) < 0.5)))]

    assert masses(program) == {(True,): 1}


def test_copies_go_on_as_they_really_do() -> None:
    def program() -> Any:
        generator = rng()
        apart, shared = copy.deepcopy(generator), copy.copy(generator)
        first = generator.random() < 0.5
        return first == (apart.random() < 0.5), shared.random() < 0.5

    assert masses(program) == {(True, True): HALF, (True, False): HALF}


def test_spawned_generators_are_followed() -> None:
    found = masses(lambda: [g.random() < 0.5 for g in np.random.default_rng(1).spawn(2)])
    assert found == {(a, b): QUARTER for a in (True, False) for b in (True, False)}


def test_a_choice_and_a_number_of_one_state_are_the_same_number() -> None:
    def program() -> Any:
        tokens = [np.random.default_rng(3).choice(2, p=row) for row in (ROW, ROW[::-1])]
        return *tokens, np.random.default_rng(3).random() < 0.5

    assert masses(program) == {
        (0, 0, True): QUARTER,
        (1, 0, True): QUARTER,
        (1, 0, False): QUARTER,
        (1, 1, False): QUARTER,
    }


def test_two_kinds_of_numbers_from_one_state_are_refused() -> None:
    def program() -> Any:
        np.random.seed(3)
        first = np.random.rand() < 0.5
        np.random.seed(3)
        return first, np.random.randint(3)

    assert code_of(program) == "audit-no-rule"


def test_a_generator_gives_real_numbers_after_the_run() -> None:
    kept = []

    def program() -> int:
        kept.append(np.random.default_rng(7))
        return 0

    audit.enumerate(program)
    assert kept[-1].random() == np.random.default_rng(7).random()


# generators past the audit


@pytest.mark.parametrize(
    "program",
    [
        lambda: MADE_BEFORE.random() < 0.5,
        lambda: STATE_MADE_BEFORE.rand() < 0.5,
        lambda: uniform_by_name() < 0.5,
        lambda: by_name(0).random() < 0.5,
        lambda: by_name().choice(3, p=[0.5, 0.25, 0.25]),
        lambda: Class_by_name(Bits_by_name(1)).integers(3),
        lambda: State_by_name(1).rand() < 0.5,
        lambda: rng().bit_generator.random_raw() % 2,
        lambda: BITS_MADE_BEFORE.random_raw() % 2,
        lambda: rng().random() < 0.5 and MADE_BEFORE.random() < 2,
    ],
)
def test_numbers_drawn_past_the_audit_are_an_error(program: Callable[[], Any]) -> None:
    assert code_of(program) == "audit-uncontrolled-generator"


def test_a_generator_made_between_two_runs_is_an_error_too() -> None:
    """The first run does not draw from its generator: the second's was made after the search."""
    with pytest.raises(Fault, match="has drawn past the audit"):  # noqa: PT012
        for world in audit.worlds():
            generator = np.random.default_rng(0)
            with world:
                first = rng().random() < 0.5
                world.emit(first or bool(generator.random() < 0.5))


def test_a_generator_that_a_library_has_frozen_is_found() -> None:
    gc.freeze()
    assert code_of(lambda: MADE_BEFORE.random() < 0.5) == "audit-uncontrolled-generator"


def test_a_generator_of_the_programs_own_class_is_an_error() -> None:
    class Own(np.random.Generator):
        pass

    made = [Own]
    assert code_of(lambda: made[0](np.random.PCG64(1)).random() < 0.5) == (
        "audit-uncontrolled-generator"
    )


def test_hiding_the_error_does_not_help() -> None:
    def program() -> bool:
        try:
            return bool(by_name(0).random() < 0.5)
        except Exception:
            return True

    assert code_of(program) == "audit-uncontrolled-generator"


def test_a_generator_made_before_and_wrapped_in_the_run_is_followed() -> None:
    assert masses(lambda: np.random.default_rng(MADE_BEFORE).random() < 0.25) == RARE


def test_a_generator_made_before_still_counts_as_one() -> None:
    assert masses(lambda: isinstance(MADE_BEFORE, np.random.Generator)) == {True: 1}


@pytest.mark.parametrize(
    "program",
    [
        lambda: rng().normal(),
        lambda: np.random.randn(2),
        lambda: np.random.beta(1, 2),
        lambda: rng().bytes(2),
        lambda: rng().random(out=np.zeros(1)),
        lambda: rng().choice(2, p=rng().random(2)),
        lambda: np.zeros(2).__setitem__(0, rng().random()),
        lambda: np.sin(rng().random(2)),
        lambda: rng().random(2).sum(),
        lambda: rng().random(2).argmax(),
    ],
)
def test_what_has_no_rule_is_refused(program: Callable[[], Any]) -> None:
    assert code_of(program) == "audit-no-rule"


# exact arrays

TABLE = [[F(1, 2), F(1, 4), F(1, 4)], [F(1, 8), F(0), F(7, 8)]]
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "row": lambda p: p[0],
    "sum": lambda p: p.sum(),
    "sum along": lambda p: p.sum(axis=-1, keepdims=True),
    "np.sum": lambda p: np.sum(p, 0),
    "mean": lambda p: p.mean(),
    "cumsum": lambda p: np.cumsum(p, axis=-1),
    "cumprod": lambda p: np.cumprod(p, axis=0),
    "prod": lambda p: p.prod(axis=1),
    "max": lambda p: p.max(axis=-1),
    "np.min": lambda p: np.min(p),
    "argmax": lambda p: p.argmax(axis=-1),
    "np.argmax": lambda p: np.argmax(p),
    "argmin": lambda p: np.argmin(p, axis=0),
    "argsort": lambda p: np.argsort(-p[1]),
    "sort": lambda p: np.sort(p, axis=-1),
    "maximum": lambda p: np.maximum(p[0] - p[1], 0),
    "minimum": lambda p: np.minimum(p, 0.3125),
    "clip": lambda p: np.clip(p[0] - p[1], 0, None),
    "clip method": lambda p: p.clip(0.25, 0.5),
    "where": lambda p: np.where(p > 0.25, p, 0.0),
    "divide": lambda p: p / p.sum(axis=0),
    "quotient of 0": lambda p: p[1] / p[0],
    "divide where": lambda p: np.divide(p[0], p[1], out=np.ones(3), where=p[1] > 0),
    "in place": lambda p: _in_place(p.copy()),
    "log": lambda p: np.exp(np.log(p[0])),
    "log of 0": lambda p: np.log(p[1])[1],
    "softmax": lambda p: _softmax(np.log(p)),
    "isfinite": lambda p: np.isfinite(np.log(p[1])),
    "isnan": lambda p: np.isnan(p),
    "isclose": lambda p: np.isclose(p, 0.25),
    "allclose": lambda p: np.allclose(p.sum(-1), 1),
    "nan_to_num": lambda p: np.nan_to_num(p[1] / 0.0)[1],
    "count_nonzero": lambda p: np.count_nonzero(p),
    "nonzero": lambda p: np.nonzero(p[1])[0],
    "any": lambda p: np.any(p == 0, axis=-1),
    "fancy index": lambda p: p[np.arange(2), [0, 2]],
    "take_along": lambda p: np.take_along_axis(p, np.array([[1], [2]]), axis=1),
    "concatenate": lambda p: np.concatenate([p, p[:1] * 2]),
    "stack": lambda p: np.stack([p[0], p[1]]),
    "array": lambda p: np.array([p[0][0], p[1][2]]) * 2,
    "asarray": lambda p: np.asarray(p, dtype=np.float64) + p,
    "astype": lambda p: p.astype(np.float32) * 2,
    "astype int": lambda p: (p * 8).astype(int),
    "dot": lambda p: p @ np.array([1, 2, 4]),
    "outer": lambda p: np.multiply.outer(p[0], p[1]),
    "sqrt": lambda p: np.sqrt(p[0][1]),
    "power": lambda p: p**2,
    "abs": lambda p: np.abs(p[0] - p[1]),
    "negative": lambda p: -p,
    "reversed": lambda p: 1 - p[::-1],
    "floor": lambda p: np.floor(p * 3),
    "searchsorted": lambda p: np.searchsorted(np.cumsum(p[0]), 0.5, side="right"),
    "flip": lambda p: np.flip(p, -1),
    "pad": lambda p: np.pad(p, ((0, 0), (0, 1))),
    "zeros_like": lambda p: np.zeros_like(p) + 1,
    "scalar": lambda p: min(1.0, p[0][0] / p[1][0]),
    "float of numpy's": lambda p: np.float64(2) * p[0],
}


def _in_place(p: Any) -> Any:
    p[0, 1] = 0
    p[0] -= 0.125
    p /= 2
    np.maximum(p, 0, out=p)
    return p


def _softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def plain(result: Any) -> Any:
    return np.asarray(np.asarray(result).tolist(), dtype=float)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_a_function_gives_on_exact_numbers_what_it_gives_on_floats(name: str) -> None:
    function = FUNCTIONS[name]
    wanted = plain(function(np.array([[float(x) for x in row] for row in TABLE])))
    found: list[Any] = []
    law = audit.enumerate(lambda: found.append(function(sources.probs(TABLE))))
    assert not law.crashes
    np.testing.assert_allclose(plain(found[-1]), wanted, rtol=1e-15)
    assert np.shape(found[-1]) == wanted.shape


def test_exact_numbers_stay_exact() -> None:
    def program() -> Any:
        p = sources.probs([[F(1, 3), F(2, 3)], [F(3, 7), F(4, 7)]])
        q = _softmax(np.log(p) + np.log(p[::-1]))
        r = np.maximum(p[0] - p[1], 0)
        return [q[0, 0].exact, (r / r.sum())[1].exact, p.sum(axis=0)[0].exact]

    found = audit.enumerate(program)
    assert found.masses == {(F(3, 11), F(1), F(16, 21)): 1}
    assert not found.is_rounded


def test_exact_numbers_that_become_floats_are_noted() -> None:
    def program() -> float:
        p = sources.probs([[F(1, 3), F(2, 3)]])
        out = np.zeros(2)
        out += p[0]
        return float(out[0])

    found = audit.enumerate(program)
    assert found.is_rounded
    assert "rounded to floats" in found.notes[0]


# whole steps


def one_by_one(block: Block) -> Any:
    generator = np.random.default_rng(0)
    p, q = block.numpy.target_probs, block.numpy.draft_probs
    for i, token in enumerate(block.numpy.draft_ids):
        if generator.random() >= min(1.0, p[i, token] / q[i, token]):
            r = np.maximum(p[i] - q[i], 0)
            return [*block.drafted[:i], generator.choice(len(r), p=r / r.sum())]
    return [*block.drafted, generator.choice(p.shape[1], p=p[-1])]


def all_at_once(block: Block) -> Any:
    p, q, ids = block.numpy.target_probs, block.numpy.draft_probs, block.numpy.draft_ids
    places = np.arange(len(ids))
    accepted = np.random.rand(len(ids)) < np.minimum(1.0, p[places, ids] / q[places, ids])
    k = len(ids) if accepted.all() else int(np.argmin(accepted))
    weights = np.clip(p[k] - q[k], 0, None) if k < len(ids) else p[k].copy()
    weights /= weights.sum()
    token = np.searchsorted(np.cumsum(weights), np.random.rand(), side="right")
    return np.append(ids[:k], [token])


def with_logarithms(block: Block) -> Any:
    p, q, ids = block.numpy.target_logits, block.numpy.draft_logits, block.numpy.draft_ids
    for i, token in enumerate(ids):
        if np.log(np.random.random()) >= p[i, token] - q[i, token]:
            r = np.log(np.maximum(np.exp(p[i]) - np.exp(q[i]), 0))
            return np.array([*ids[:i], np.argmax(r + np.random.gumbel(size=len(r)))])
    return np.array([*ids, np.argmax(p[-1] + np.random.gumbel(size=p.shape[1]))])


@pytest.mark.parametrize("step", [one_by_one, all_at_once, with_logarithms])
@pytest.mark.parametrize("scenario", audit.portfolio(), ids=lambda s: s.title)
def test_right_steps_are_lossless(step: Callable[[Block], Any], scenario: Scenario) -> None:
    assert audit.step(step, scenario).word == "lossless"


@pytest.mark.parametrize("step", [one_by_one, all_at_once, with_logarithms])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_right_steps_in_floats_are_undecided_with_a_bound(step: Callable[[Block], Any]) -> None:
    verdict = audit.step(step, audit.portfolio()[1], level="float")
    assert verdict.word == "undecided"
    assert verdict.total_variation < F(1, 10**15)


def test_a_row_written_in_place_is_what_the_next_position_reads() -> None:
    """The residual overwrites the target's row of the block: right, as no later position reads it."""

    def step(block: Block) -> Any:
        p, q = block.numpy.target_probs, block.numpy.draft_probs
        for i, token in enumerate(block.drafted):
            if np.random.rand() >= min(1.0, p[i, token] / q[i, token]):
                p[i] -= q[i]
                np.maximum(p[i], 0, out=p[i])
                p[i] /= p[i].sum()
                return [*block.drafted[:i], np.random.choice(p.shape[1], p=p[i])]
        return [*block.drafted, np.random.choice(p.shape[1], p=p[-1])]

    assert audit.step(step, audit.portfolio()[0]).word == "lossless"
