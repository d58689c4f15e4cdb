"""Transport plans by exact maximum flow, against the formula of the minimum cut."""

from fractions import Fraction
from itertools import chain, combinations

import pytest

from exactspec import Distribution
from exactspec.transport import membership_plan

P = Distribution({"a": Fraction(1, 4), "b": Fraction(5, 12), "c": Fraction(1, 3)})
Q = Distribution({"a": Fraction(1, 8), "b": Fraction(5, 8), "c": Fraction(1, 4)})
PAIRS = Distribution({(x, y): Q[x] * Q[y] for x in Q for y in Q})
WITHOUT_A_SECOND_DRAW = Distribution(
    {(x, y): Q[x] * Q[y] / (1 - Q[x]) for x in Q for y in Q if x != y}
)


def _least_cut(candidates, target) -> Fraction:
    """The least of: mass of a set of tokens, plus mass of the candidates that hold none of them."""
    tokens = list(target)
    sets = chain.from_iterable(combinations(tokens, size) for size in range(len(tokens) + 1))
    return min(
        sum((target[x] for x in kept), Fraction(0))
        + sum((w for group, w in candidates.items() if set(group) - set(kept)), Fraction(0))
        for kept in sets
    )


@pytest.mark.parametrize("candidates", [PAIRS, WITHOUT_A_SECOND_DRAW], ids=["with", "without"])
def test_the_value_of_a_plan_is_that_of_the_least_cut(candidates) -> None:
    assert membership_plan(candidates, P).value == _least_cut(candidates, P)


@pytest.mark.parametrize("candidates", [PAIRS, WITHOUT_A_SECOND_DRAW], ids=["with", "without"])
def test_a_plan_moves_no_more_than_there_is_and_only_to_candidates(candidates) -> None:
    transport = membership_plan(candidates, P)
    moved = dict.fromkeys(P, Fraction(0))
    for group, row in transport.plan.items():
        assert sum(row.values()) <= candidates[group]
        assert set(row) <= set(group)
        for token, mass in row.items():
            moved[token] += mass
    assert all(moved[token] <= P[token] for token in P)
    assert sum(moved.values()) == transport.value


def test_one_candidate_reaches_what_the_token_rule_accepts() -> None:
    single = Distribution({(x,): w for x, w in Q.items()})
    assert membership_plan(single, P).value == sum(min(P[x], Q[x]) for x in P) == Fraction(19, 24)
