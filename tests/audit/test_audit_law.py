"""The law of a program: every outcome with its probability, or an error that says why there is none."""

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import random as imported_by_name
from typing import Any

import pytest

from exactspec import audit
from exactspec.audit.law import Exploration, law_of
from exactspec.errors import BudgetReached, Fault

F = Fraction
HALF, QUARTER = F(1, 2), F(1, 4)
MADE_BEFORE = random.Random(5)
BOUND_BEFORE = random.Random(6).random


def masses(program: Callable[[], Any], **options: Any) -> dict[Any, Fraction]:
    return audit.enumerate(program, **options).masses


def code_of(program: Callable[[], Any], **options: Any) -> str:
    with pytest.raises(Fault) as caught:
        audit.enumerate(program, **options)
    return caught.value.diagnostic.code


# outcomes


def two_coins_and_a_number() -> Any:
    return random.random() < 0.25, random.random() < 0.5, random.randrange(3)


def test_all_outcomes_are_seen_and_their_masses_sum_to_one() -> None:
    found = audit.enumerate(two_coins_and_a_number)
    assert sum(found.masses.values()) == 1
    assert len(found.masses) == 12
    assert found[True, False, 2] == F(1, 24)
    assert found["never"] == 0


def test_an_exception_is_an_outcome() -> None:
    def program() -> str:
        if random.random() < 0.25:
            raise KeyError("no such token")
        return "fine"

    found = audit.enumerate(program)
    assert found.crashes == {audit.Raised("KeyError", "'no such token'"): QUARTER}
    assert found["fine"] == F(3, 4)


def test_exceptions_of_one_kind_are_one_outcome() -> None:
    def program() -> None:
        random.choice("ab")
        raise ValueError("first line\nsecond line")

    assert masses(program) == {audit.Raised("ValueError", "first line"): 1}


def test_a_program_without_random_numbers_runs_once_for_its_law() -> None:
    found = audit.enumerate(lambda: 7)
    assert (found.masses, found.replays) == ({7: 1}, 1)


def test_a_loop_over_worlds_is_the_same() -> None:
    worlds = audit.worlds()
    for world in worlds:
        with world:
            world.emit(two_coins_and_a_number())
    assert worlds.law().masses == masses(two_coins_and_a_number)


def test_a_level_that_is_none_is_named() -> None:
    assert code_of(lambda: 0, level="double") == "audit-level"


# what has no law


def test_two_runs_that_differ_are_both_shown() -> None:
    runs: list[int] = []

    def program() -> int:
        runs.append(1)
        return len(runs)

    with pytest.raises(Fault) as caught:
        audit.enumerate(program)
    assert caught.value.diagnostic.code == "audit-not-deterministic"
    assert "first run:  returned 1" in caught.value.diagnostic.notes
    assert "second run: returned 2" in caught.value.diagnostic.notes


def test_state_kept_between_runs_is_found_by_its_questions() -> None:
    thresholds = [0.25]

    def program() -> bool:
        thresholds[0] += 0.125
        return random.random() < thresholds[0]

    assert code_of(program) == "audit-not-deterministic"


def test_state_that_asks_a_question_less_is_found() -> None:
    cache: dict[int, bool] = {}

    def program() -> bool:
        if 0 not in cache:
            cache[0] = random.random() < 0.5
        return cache[0]

    assert code_of(program) == "audit-not-deterministic"


def test_a_run_that_emits_nothing_is_an_error() -> None:
    worlds = iter(audit.worlds())
    with next(worlds):
        random.random()
    with pytest.raises(Fault, match="a run ended without an outcome"):
        next(worlds)


def test_more_runs_than_allowed_are_undecided() -> None:
    with pytest.raises(BudgetReached, match="the program was run 10 times"):
        audit.enumerate(lambda: tuple(random.randrange(4) for _ in range(3)), max_replays=10)


def test_a_law_that_is_not_complete_is_not_given() -> None:
    worlds = audit.worlds()
    for world in worlds:
        with world:
            world.emit(random.random() < 0.5)
        break
    with pytest.raises(Fault):
        worlds.law()


# draws that nobody looks at


def test_draws_that_are_only_returned_need_no_runs() -> None:
    def program() -> Any:
        from exactspec.audit.numbers import categorical

        first = categorical([F(1), F(3)], "first")
        return first, categorical([F(1), F(1), F(2)], "second"), first

    found = audit.enumerate(program)
    assert found.replays == 1
    assert found[1, 2, 1] == F(3, 8)
    assert found[0, 2, 1] == 0
    assert len(found.masses) == 6


# states of a loop


def rounds(limit: int, merged: bool) -> Callable[[], tuple[int, ...]]:
    """A walk that forgets how it came to where it is."""

    def program() -> tuple[int, ...]:
        total, steps = 0, 0
        while steps < limit:
            if merged:
                audit.boundary(total, steps)
            total = (total + random.randrange(3)) % 4
            steps += 1
        return (total,)

    return program


def test_merging_gives_the_same_law_with_fewer_runs() -> None:
    plain, merged = audit.enumerate(rounds(5, False)), audit.enumerate(rounds(5, True))
    assert plain.masses == merged.masses
    assert plain.replays == 3**5
    assert merged.replays < 60


def test_merging_can_be_left_out() -> None:
    found = law_of(rounds(3, True), Exploration(merge=False))
    assert found.masses == masses(rounds(3, False))
    assert found.replays == 27


def test_a_boundary_that_leaves_out_what_matters_gives_a_wrong_law() -> None:
    """The misuse that its documentation warns of; without merging the law is right."""

    def program() -> bool:
        first = random.random() < 0.5
        audit.boundary("the first coin is left out")
        return first and random.random() < 0.5

    assert masses(program) == {True: HALF, False: HALF}
    assert law_of(program, Exploration(merge=False))[True] == QUARTER


def test_a_boundary_outside_an_audit_does_nothing() -> None:
    audit.boundary("anything")


def test_what_was_drawn_before_a_boundary_and_is_used_behind_it_ends_merging() -> None:
    def program() -> Any:
        u = random.random()
        first = u < 0.5
        audit.boundary("one state for both")
        return first, u < 0.25

    assert masses(program) == {(True, True): QUARTER, (True, False): QUARTER, (False, False): HALF}


# one state of a generator, one number


def test_a_generator_that_is_seeded_again_gives_the_same_number() -> None:
    def program() -> Any:
        random.seed(3)
        first = random.random() < 0.5
        random.seed(3)
        return first, random.random() < 0.25, random.random() < 0.5

    found = masses(program)
    assert found[True, True, True] == F(1, 8)
    assert found[False, False, True] == QUARTER
    assert (False, True, True) not in found


def test_equal_seeds_give_equal_numbers_and_others_do_not() -> None:
    def program() -> Any:
        one, same, other = random.Random(1), random.Random(1), random.Random(2)
        return one.random() < 0.5, same.random() < 0.5, other.random() < 0.5

    assert set(masses(program)) == {(a, a, b) for a in (True, False) for b in (True, False)}


def test_a_state_that_is_set_back_gives_the_same_number() -> None:
    def program() -> Any:
        state = random.getstate()
        first = random.choice("ab")
        random.setstate(state)
        return first, random.choice("ab")

    assert masses(program) == {("a", "a"): HALF, ("b", "b"): HALF}


def test_one_state_used_for_two_kinds_of_numbers_is_refused() -> None:
    def program() -> Any:
        random.seed(3)
        first = random.random() < 0.5
        random.seed(3)
        return first, random.randrange(3)

    assert code_of(program) == "audit-no-rule"


def test_the_programs_own_generator_goes_on_after_the_audit() -> None:
    random.seed(7)
    wanted = [random.random() for _ in range(3)]
    random.seed(7)
    found = [random.random()]
    audit.enumerate(two_coins_and_a_number)
    assert [*found, random.random(), random.random()] == wanted


# generators past the audit


def test_a_generator_made_before_the_run_is_followed() -> None:
    assert masses(lambda: MADE_BEFORE.random() < 0.25) == {True: QUARTER, False: F(3, 4)}


def test_numbers_of_the_system_are_followed() -> None:
    system = random.SystemRandom()
    assert masses(lambda: system.random() < 0.25) == {True: QUARTER, False: F(3, 4)}
    assert masses(lambda: system.choice("ab")) == {"a": HALF, "b": HALF}


@pytest.mark.parametrize("draw", [imported_by_name, BOUND_BEFORE])
def test_a_function_that_draws_past_the_audit_is_an_error(draw: Callable[[], float]) -> None:
    assert code_of(lambda: draw() < 0.5) == "audit-uncontrolled-generator"


def test_it_is_an_error_in_any_run() -> None:
    def program() -> Any:
        return random.random() < 0.5 and random.random() < 0.5 and imported_by_name() < 2

    assert code_of(program) == "audit-uncontrolled-generator"


def test_numbers_without_a_rule_are_refused() -> None:
    assert code_of(lambda: random.gauss(0, 1)) == "audit-no-rule"
    assert code_of(lambda: random.getrandbits(8)) == "audit-no-rule"


# the functions of Python's random


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (lambda: random.uniform(2, 4) < 3, {True: HALF, False: HALF}),
        (lambda: random.randint(1, 2), {1: HALF, 2: HALF}),
        (lambda: random.choice("ab"), {"a": HALF, "b": HALF}),
        (lambda: random.choices("ab", [1, 3])[0], {"a": QUARTER, "b": F(3, 4)}),
        (lambda: random.choices("ab", [1, 0])[0], {"a": F(1)}),
        (lambda: random.choices("ab")[0], {"a": HALF, "b": HALF}),
        (
            lambda: tuple(random.sample(range(3), 2)),
            {(i, j): F(1, 6) for i in range(3) for j in range(3) if i != j},
        ),
        (
            lambda: random.expovariate(1) < random.expovariate(3),
            {True: QUARTER, False: F(3, 4)},
        ),
    ],
)
def test_the_functions_of_random_have_their_laws(
    program: Callable[[], Any], wanted: dict[Any, Fraction]
) -> None:
    assert masses(program) == wanted


# against sampling: the one test that draws numbers

SAMPLES, SIGMAS = 20_000, 6


def a_walk() -> tuple[int, ...]:
    position, path = 0, []
    while len(path) < 4 and random.random() < 0.8:
        position += random.choices((-1, 2), (3, 1))[0]
        path.append(position)
    return tuple(path)


def shared_numbers() -> Any:
    u, v = random.random(), random.random()
    return u < 0.3, 1 - u < 0.5, 2 * v < 0.5 or u < 0.6, int(v * 3)


def races() -> Any:
    times = [random.expovariate(1) for _ in range(3)]
    weights = ((1, 2, 3), (3, 2, 1))
    scores = [[w / t for w, t in zip(row, times, strict=True)] for row in weights]
    first, second = (max(range(3), key=row.__getitem__) for row in scores)
    return first, second, random.randrange(2)


@pytest.mark.parametrize("program", [a_walk, shared_numbers, races])
def test_a_law_agrees_with_plain_sampling(program: Callable[[], Any]) -> None:
    found = audit.enumerate(program)
    random.seed(20_240_229)
    counts = Counter(program() for _ in range(SAMPLES))
    assert set(counts) <= set(found.masses)
    for outcome, mass in found.masses.items():
        allowed = SIGMAS**2 * SAMPLES * mass * (1 - mass)
        assert (counts[outcome] - SAMPLES * mass) ** 2 <= allowed


def test_what_is_idealised_behind_a_known_state_counts_on_every_run_that_reaches_it() -> None:
    tiny = 1e-9

    def time() -> Any:
        return -math.log(random.random() + tiny)

    def coin() -> bool:
        return bool(time() < time())

    def program() -> bool:
        _ = coin() or coin()
        audit.boundary("one state for both")
        return coin()

    found = {merge: law_of(program, Exploration(merge=merge)) for merge in (True, False)}
    assert found[True].masses == found[False].masses
    assert found[False].uncertainty == 6 * F(tiny)
    assert found[True].uncertainty >= found[False].uncertainty
