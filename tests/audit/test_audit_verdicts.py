"""Verdicts on whole verification steps and loops in plain Python."""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from exactspec import audit, parse
from exactspec.audit import Audited, Block, Tables
from exactspec.model.scenario import Scenario

F = Fraction
PORTFOLIO = audit.portfolio()
Row = Sequence[Any]


def tables(
    target: Sequence[str], draft: Sequence[str], drafts: int = 1, more: str = ""
) -> Scenario:
    """Rows that are the same in every context, over tokens 0, 1, ..."""
    names = [str(i) for i in range(len(target))]
    rows = (
        "{" + ", ".join(f"'{n}': {w}" for n, w in zip(names, row, strict=True)) + "}"
        for row in (target, draft)
    )
    vocabulary = ", ".join(f"'{name}'" for name in names)
    return parse(
        f"version: 1\nvocabulary: [{vocabulary}]\ndraft_length: {drafts}\n"
        f"target: {next(rows)}\ndraft: {next(rows)}\n{more}".encode()
    )


def drawn(weights: Row) -> int:
    return random.choices(range(len(weights)), weights)[0]


def residual(p: Row, q: Row) -> list[Any]:
    return [max(a - b, 0) for a, b in zip(p, q, strict=True)]


def token_rule(block: Block) -> list[int]:
    """Each drafted token with min(1, p/q), the residual at the first rejection, the bonus behind all."""
    p, q = block.python.target_probs, block.python.draft_probs
    for i, token in enumerate(block.drafted):
        if random.random() >= min(1, p[i][token] / q[i][token]):
            return [*block.drafted[:i], drawn(residual(p[i], q[i]))]
    return [*block.drafted, drawn(p[-1])]


@pytest.mark.parametrize("scenario", PORTFOLIO, ids=lambda s: s.title)
@pytest.mark.parametrize("drafts", [1, 2, 3])
def test_the_token_rule_is_lossless_on_every_pair_of_tables(
    scenario: Scenario, drafts: int
) -> None:
    verdict = audit.step(token_rule, scenario, drafts=drafts)
    assert (verdict.word, verdict.deviations, verdict.is_exact) == ("lossless", (), True)
    assert (verdict.impossible, verdict.crash) == (0, 0)
    assert verdict.length == drafts + 1


# faults, one for each


def one_coin(block: Block) -> list[int]:
    """One uniform number serves the whole block."""
    p, q = block.python.target_probs, block.python.draft_probs
    u = random.random()
    for i, token in enumerate(block.drafted):
        if u >= min(1, p[i][token] / q[i][token]):
            return [*block.drafted[:i], drawn(residual(p[i], q[i]))]
    return [*block.drafted, drawn(p[-1])]


def with_parts(
    *,
    residual: Callable[..., Row] = lambda p, q, i, token: residual(p[i], q[i]),
    ratio: Callable[[Any, Any], Any] = lambda p, q: p / q,
    bonus: Callable[..., Row] = lambda p, q: p[-1],
) -> Callable[[Block], list[int]]:
    """The token rule with another part."""

    def step(block: Block) -> list[int]:
        p, q = block.python.target_probs, block.python.draft_probs
        for i, token in enumerate(block.drafted):
            if random.random() >= min(1, ratio(p[i][token], q[i][token])):
                return [*block.drafted[:i], drawn(residual(p, q, i, token))]
        return [*block.drafted, drawn(bonus(p, q))]

    return step


def only_at_the_draft(p: Row, q: Row, i: int, token: int) -> Row:
    return [max(x - (q[i][t] if t == token else 0), 0) for t, x in enumerate(p[i])]


def row_before(p: Row, q: Row, i: int, token: int) -> Row:
    other = max(i - 1, 0)
    return residual(p[other], q[other])


HALVES, THREE_TO_ONE = ("1/2", "1/2"), ("3/4", "1/4")
OF_THREE, AGAINST = ("1/2", "1/3", "1/6"), ("1/6", "1/3", "1/2")
ROWS_BY_PLACE = parse(b"""
version: 1
vocabulary: ['0', '1']
draft_length: 2
target: {^: {'0': 3/4, '1': 1/4}, '0': {'0': 1/4, '1': 3/4}, '1': {'0': 1/4, '1': 3/4}}
draft: {^: {'0': 1/4, '1': 3/4}, '0': {'0': 3/4, '1': 1/4}, '1': {'0': 3/4, '1': 1/4}}
""")


def law(verdict: Audited) -> dict[Any, Fraction]:
    return {outcome: mass for outcome, mass in verdict.got.items() if mass}


def first_token(verdict: Audited, size: int) -> list[Fraction]:
    firsts = [F(0)] * size
    for outcome, mass in verdict.got.items():
        firsts[outcome[0]] += mass  # type: ignore[index]
    return firsts


def test_one_coin_for_a_block() -> None:
    verdict = audit.step(one_coin, tables(HALVES, THREE_TO_ONE, 2))
    assert verdict.word == "lossy"
    assert verdict.total_variation == F(1, 8)
    worst = verdict.deviations[0]
    assert (worst.outcome[:2], worst.got, worst.want) == ((0, 0), F(3, 16), F(1, 8))


def test_a_residual_that_subtracts_only_at_the_drafted_token() -> None:
    step = with_parts(residual=only_at_the_draft)
    verdict = audit.step(step, tables(("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4")))
    assert verdict.word == "lossy"
    assert first_token(verdict, 3) == [F(5, 12), F(1, 4), F(1, 3)]


def test_a_residual_from_the_row_before() -> None:
    step = with_parts(residual=row_before)
    verdict = audit.step(step, ROWS_BY_PLACE)
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 4))
    assert audit.step(step, tables(OF_THREE, AGAINST, 2)).word == "lossless"
    assert audit.step(step, PORTFOLIO[0]).total_variation == F(7, 128)


def test_a_bonus_from_the_draft() -> None:
    step = with_parts(bonus=lambda p, q: q[-1])
    verdict = audit.step(step, tables(HALVES, THREE_TO_ONE))
    assert (verdict.word, verdict.total_variation) == ("lossy", F(3, 16))
    assert audit.step(step, tables(HALVES, HALVES)).word == "lossless"


def test_the_ratio_upside_down() -> None:
    step = with_parts(ratio=lambda p, q: q / p)
    verdict = audit.step(step, tables(OF_THREE, AGAINST))
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 3))
    assert first_token(verdict, 3) == [F(1, 6), F(1, 3), F(1, 2)]


def no_residual(block: Block) -> list[int]:
    """After a rejection the token is drawn from the target."""
    return with_parts(residual=lambda p, q, i, token: p[i])(block)


def test_the_target_instead_of_the_residual() -> None:
    verdict = audit.step(no_residual, tables(OF_THREE, AGAINST))
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 6))
    assert first_token(verdict, 3) == [F(1, 3), F(4, 9), F(2, 9)]


# the grid of a library's uniform numbers


def at_most(block: Block) -> list[int]:
    """Accepts where the coin is at most the ratio."""
    p, q = block.python.target_probs, block.python.draft_probs
    for i, token in enumerate(block.drafted):
        if not random.random() <= min(1, p[i][token] / q[i][token]):
            return [*block.drafted[:i], drawn(residual(p[i], q[i]))]
    return [*block.drafted, drawn(p[-1])]


ZERO = tables(("1", "0"), ("1/2", "1/2"))


def test_at_most_accepts_what_the_target_never_emits_on_a_grid() -> None:
    verdict = audit.step(at_most, ZERO, level="grid")
    assert verdict.word == "lossy"
    assert verdict.impossible == F(1, 2**54)
    assert verdict.ideal is not None
    assert verdict.ideal.word == "lossless"


def test_below_is_lossless_on_a_grid_where_rows_fit_it() -> None:
    assert audit.step(token_rule, ZERO, level="grid").word == "lossless"
    assert audit.step(at_most, ZERO).word == "lossless"


def test_rows_between_the_points_of_a_grid_are_undecided() -> None:
    verdict = audit.step(token_rule, tables(("1/3", "2/3"), ("1/2", "1/2")), level="grid")
    assert verdict.word == "undecided"
    assert 0 < verdict.total_variation < F(1, 2**50)


# floats


def test_a_right_sampler_in_floats_is_undecided_with_a_bound() -> None:
    verdict = audit.step(token_rule, tables(("1/3", "2/3"), ("3/5", "2/5")), level="float")
    assert verdict.word == "undecided"
    assert verdict.total_variation <= F(1, 10**15) < verdict.rounding < F(1, 10**4)


def test_a_wrong_sampler_in_floats_is_lossy() -> None:
    verdict = audit.step(no_residual, tables(OF_THREE, AGAINST), level="float")
    assert verdict.word == "lossy"
    assert abs(verdict.total_variation - F(1, 6)) < F(1, 10**15)


# crashes, end tokens, impossible outcomes


def crashing(block: Block) -> list[int]:
    emitted = token_rule(block)
    if emitted[0] == 1:
        raise IndexError("no row for token 1")
    return emitted


def test_a_crash_has_its_probability() -> None:
    verdict = audit.step(crashing, tables(HALVES, THREE_TO_ONE))
    assert (verdict.word, verdict.crash) == ("lossy", F(1, 2))
    assert verdict.law.crashes == {audit.Raised("IndexError", "no row for token 1"): F(1, 2)}
    assert verdict.impossible == 0


END = tables(HALVES, THREE_TO_ONE, 2, more="end: '1'\n")


def test_nothing_counts_behind_an_end_token() -> None:
    verdict = audit.step(token_rule, END)
    assert verdict.word == "lossless"
    assert law(verdict) == {(1,): F(1, 2), (0, 1): F(1, 4), (0, 0, 1): F(1, 8), (0, 0, 0): F(1, 8)}


def never_ending(block: Block) -> list[int]:
    """An accepted end token is drawn again."""
    emitted = token_rule(block)
    return [0 if token == block.end else token for token in emitted]


def test_an_end_token_that_is_replaced_is_lossy() -> None:
    verdict = audit.step(never_ending, END)
    assert verdict.word == "lossy"
    assert all(1 not in outcome[:1] for outcome in law(verdict))


def test_what_the_target_never_emits_is_counted() -> None:
    zero_at_1 = tables(("1", "0"), ("1/4", "3/4"))
    verdict = audit.step(lambda block: [*block.drafted, 0], zero_at_1)
    assert (verdict.word, verdict.impossible) == ("lossy", F(3, 4))


# loops


def loop(tables_: Tables, length: int) -> Callable[[], list[int]]:
    """The token rule, round after round."""

    def generate() -> list[int]:
        emitted: tuple[int, ...] = ()
        while len(emitted) < length:
            audit.boundary(emitted)
            context = tables_.context + emitted
            token = drawn(tables_.draft(context))
            p, q = tables_.target(context), tables_.draft(context)
            if random.random() >= min(1, p[token] / q[token]):
                token = drawn(residual(p, q))
            emitted = (*emitted, token)
        return list(emitted)

    return generate


@pytest.mark.parametrize("scenario", [PORTFOLIO[0], PORTFOLIO[3]], ids=lambda s: s.title)
def test_a_loop_is_judged_by_its_sequences(scenario: Scenario) -> None:
    verdict = audit.sequences(loop(Tables(scenario), 3), scenario, 3)
    assert (verdict.word, verdict.length) == ("lossless", 3)
    assert verdict.got == verdict.want


@pytest.mark.parametrize("token", [-1, 2, 7])
def test_an_id_that_is_no_token_is_impossible_and_the_target_does_not_continue_it(
    token: int,
) -> None:
    even = tables(["1/2", "1/2"], ["1/2", "1/2"])
    verdict = audit.step(lambda block: [token], even)
    assert (verdict.word, verdict.impossible) == ("lossy", 1)
    assert verdict.got == {(token,): 1}
