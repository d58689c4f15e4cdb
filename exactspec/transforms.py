"""Rational steps from a model's law to a request's: temperature, filters, penalties, masks.

Each takes a distribution and gives one. Ties are settled by the distribution's own order, which is
the vocabulary's for rows of a table: of equally probable outcomes the earlier one comes first.
"""

from collections.abc import Callable, Container, Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

from exactspec.distribution import Distribution
from exactspec.numbers import Number

T = TypeVar("T", bound=Hashable)


def argmax(distribution: Distribution[T]) -> T:
    """The most probable outcome.

    >>> argmax(Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)}))
    'a'
    """
    return max(dict(distribution.possible()), key=lambda outcome: distribution[outcome])


def temperature(distribution: Distribution[T], inverse: int) -> Distribution[T]:
    """The law at temperature 1/``inverse``: weights to that power, normalised; whole powers are rational.

    >>> temperature(Distribution({"a": Fraction(1, 3), "b": Fraction(2, 3)}), 2)
    Distribution({a: 1/5, b: 4/5})
    """
    return Distribution.normalised(distribution.reweighted(lambda x: distribution[x] ** inverse))


def top_k(distribution: Distribution[T], count: int) -> Distribution[T]:
    """The ``count`` most probable outcomes, normalised.

    >>> top_k(Distribution({"a": Fraction(1, 4), "b": Fraction(1, 2), "c": Fraction(1, 4)}), 2)
    Distribution({a: 1/3, b: 2/3})
    """
    if len(distribution.possible()) <= count:
        return distribution
    kept = set(_by_probability(distribution)[:count])
    return _kept(distribution, lambda outcome: outcome in kept)


def top_p(distribution: Distribution[T], mass: Number) -> Distribution[T]:
    """The fewest most probable outcomes that together reach a mass, normalised.

    >>> top_p(Distribution({"a": Fraction(1, 2), "b": Fraction(1, 4), "c": Fraction(1, 4)}), Fraction(3, 4))
    Distribution({a: 2/3, b: 1/3})
    """
    kept: set[T] = set()
    reached = Fraction(0)
    for outcome in _by_probability(distribution):
        if reached >= mass:
            break
        kept.add(outcome)
        reached += distribution[outcome]
    return _kept(distribution, lambda outcome: outcome in kept)


def min_p(distribution: Distribution[T], share: Number) -> Distribution[T]:
    """The outcomes with at least a share of the greatest probability, normalised.

    >>> min_p(Distribution({"a": Fraction(2, 3), "b": Fraction(1, 3)}), Fraction(3, 4))
    Distribution({a: 1})
    """
    least = share * distribution[argmax(distribution)]
    return _kept(distribution, lambda outcome: distribution[outcome] >= least)


def penalised(distribution: Distribution[T], factors: Mapping[T, Number]) -> Distribution[T]:
    """Weights times a factor each, normalised; outcomes without a factor keep theirs.

    >>> penalised(Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)}), {"a": Fraction(1, 2)})
    Distribution({a: 1/3, b: 2/3})
    """
    return Distribution.normalised({x: w * factors.get(x, 1) for x, w in distribution.items()})


def allowed(distribution: Distribution[T], outcomes: Container[T]) -> Distribution[T]:
    """Only some outcomes, normalised.

    Raises:
        ValueError: where none of them has a positive probability.

    >>> allowed(Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)}), {"b"})
    Distribution({b: 1})
    """
    return _kept(distribution, lambda outcome: outcome in outcomes)


def _by_probability(distribution: Distribution[T]) -> list[T]:
    outcomes = dict(distribution.possible())
    return sorted(outcomes, key=lambda outcome: distribution[outcome], reverse=True)


def _kept(distribution: Distribution[T], keep: Callable[[T], bool]) -> Distribution[T]:
    return Distribution.normalised({x: w for x, w in distribution.possible() if keep(x)})
