"""Races of exponential times that several draws share, exactly.

Every outcome x has an exponential time E(x) of rate 1; a race with weights w is won by the x with the
least E(x)/w(x), so that x wins with probability w(x) over the sum of all weights. The times divided by
their sum are uniform on a simplex, so whatever is known of them after some races is a polytope with
rational corners, and the law of a further race over the same times is rational.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from exactspec.distribution import Distribution
from exactspec.errors import BudgetReached

T = TypeVar("T", bound=Hashable)
Corner = tuple[Fraction, ...]
Simplex = tuple[Corner, ...]
Won = tuple[tuple[tuple[Any, Fraction], ...], Any]
MOST_SIMPLICES = 20_000
_ZERO = Fraction(0)
_ONE = Fraction(1)


def won(weights: Mapping[T, Fraction] | Distribution[T], winner: T) -> Won:
    """What a race that is over says of the times: its positive weights, and who won it."""
    return tuple((x, w) for x, w in weights.items() if w), winner


def race_after(
    races: Sequence[Won], weights: Mapping[T, Fraction] | Distribution[T]
) -> Distribution[T]:
    """The law of the winner of one more race, given who won the earlier ones over the same times.

    Args:
        races: the earlier races, as ``won`` gives them.
        weights: the weights of the new race, none negative, not all 0.

    Raises:
        BudgetReached: where what is known of the times has too many corners.

    >>> even = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    >>> race_after([won(even, "a")], even)
    Distribution({a: 1})
    """
    live = {x: w for x, w in weights.items() if w}
    times = _times((*races, (tuple(live.items()), None)))
    known = _after(tuple(races), times)
    joint = {x: _volume(_cut(known, times, won(live, x))) for x in live}
    return Distribution.normalised(joint)


def _times(races: Sequence[Won]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(x for weights, _ in races for x, _ in weights))


@lru_cache(maxsize=256)
def _after(races: tuple[Won, ...], times: tuple[Any, ...]) -> tuple[Simplex, ...]:
    """Simplices that fill what is possible after some races."""
    size = len(times)
    known: tuple[Simplex, ...] = (
        tuple(tuple(Fraction(i == j) for j in range(size)) for i in range(size)),
    )
    for race in races:
        known = _cut(known, times, race)
    return known


def _cut(simplices: tuple[Simplex, ...], times: tuple[Any, ...], race: Won) -> tuple[Simplex, ...]:
    """The part of some simplices in which a race has this winner."""
    weights, winner = race
    place = {x: i for i, x in enumerate(times)}
    weight_of = dict(weights)
    for x, weight in weights:
        if x != winner:
            kept: list[Simplex] = []
            for simplex in simplices:
                _keep_earlier(simplex, place[winner], place[x], weight, weight_of[winner], kept)
            simplices = tuple(kept)
    return simplices


def _keep_earlier(
    simplex: Simplex, first: int, then: int, slower: Fraction, faster: Fraction, kept: list[Simplex]
) -> None:
    """Collect the part of a simplex in which E(first)/faster <= E(then)/slower, as simplices.

    An edge that crosses the border is halved there: the simplex falls into two, with one crossing
    edge fewer each.
    """
    waiting = [simplex]
    while waiting:
        corners = waiting.pop()
        late = [corner[first] * slower - corner[then] * faster for corner in corners]
        high = next((i for i, value in enumerate(late) if value > 0), None)
        low = next((i for i, value in enumerate(late) if value < 0), None)
        if high is None:
            kept.append(corners)
            if len(kept) > MOST_SIMPLICES:
                raise BudgetReached(
                    "race",
                    f"what is known of the times that races share has more than {MOST_SIMPLICES:,} parts",
                    "fewer tokens, or fewer draws that share the same times",
                )
        elif low is not None:
            share = late[high] / (late[high] - late[low])
            pairs = zip(corners[high], corners[low], strict=True)
            border = tuple(h + share * (one - h) for h, one in pairs)
            waiting.append(_with(corners, high, border))
            waiting.append(_with(corners, low, border))


def _with(corners: Simplex, position: int, corner: Corner) -> Simplex:
    return (*corners[:position], corner, *corners[position + 1 :])


def _volume(simplices: tuple[Simplex, ...]) -> Fraction:
    """The share of all times that lies in some simplices: the sum of the determinants of their corners."""
    return sum((abs(_determinant(simplex)) for simplex in simplices), _ZERO)


def _determinant(simplex: Simplex) -> Fraction:
    rows = [list(corner) for corner in simplex]
    product = _ONE
    for column in range(len(rows)):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return _ZERO
        position = rows.index(pivot, column)
        rows[column], rows[position] = rows[position], rows[column]
        product *= pivot[column] if position == column else -pivot[column]
        for row in rows[column + 1 :]:
            if row[column]:
                factor = row[column] / pivot[column]
                for j in range(column, len(row)):
                    row[j] -= factor * pivot[j]
    return product


def second_race(first: Distribution[T], winner: T, second: Distribution[T]) -> Distribution[T]:
    """The law of the second race's winner, given who won the first, over the same times.

    Every outcome x has an exponential time E(x) of rate 1; a race with weights w is won by the x with
    the least E(x)/w(x), so that x wins with probability w(x). The integral over the times of both
    winners, along each range of their ratio in which no other outcome's condition changes, is rational.

    Args:
        first: the weights of the first race.
        winner: who won it.
        second: the weights of the second race.

    >>> even = Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    >>> second_race(even, "a", even)
    Distribution({a: 1})
    """
    joint = {other: _both_win(first, winner, second, other) for other in second}
    return Distribution({other: mass / first[winner] for other, mass in joint.items()})


def _both_win(first: Distribution[T], a: T, second: Distribution[T], b: T) -> Fraction:
    """The probability that a wins the first race and b the second."""
    others = [x for x in dict.fromkeys((*first, *second)) if x not in (a, b)]
    if a == b:
        faster = (max(first[x] / first[a], second[x] / second[a]) for x in others)
        return 1 / sum(faster, _ONE)
    by_a = [first[x] / first[a] for x in others]
    by_b = [second[x] / second[b] for x in others]
    least = first[b] / first[a]
    most = second[b] / second[a] if second[a] else None
    if most is not None and most <= least:
        return _ZERO
    cuts = [one / two for one, two in zip(by_a, by_b, strict=True) if two]
    inner = sorted(cut for cut in cuts if least < cut and (most is None or cut < most))
    lows, highs = [least, *inner], [*inner, most]
    ranges = zip(lows, highs, strict=True)
    return sum((_between(low, high, by_a, by_b) for low, high in ranges), _ZERO)


def _between(
    low: Fraction, high: Fraction | None, by_a: list[Fraction], by_b: list[Fraction]
) -> Fraction:
    """The integral of 1/(c + d r)^2 for r from low to high, where c + d r adds up what must not come first.

    r is the time of the second winner over that of the first.
    """
    inside = low + 1 if high is None else (low + high) / 2
    of_a = [one >= two * inside for one, two in zip(by_a, by_b, strict=True)]
    c = 1 + sum((one for one, is_a in zip(by_a, of_a, strict=True) if is_a), _ZERO)
    d = 1 + sum((two for two, is_a in zip(by_b, of_a, strict=True) if not is_a), _ZERO)
    if high is None:
        return 1 / (d * (c + d * low))
    return (high - low) / ((c + d * low) * (c + d * high))
