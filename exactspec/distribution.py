"""Exact distributions, and what the theory builds from two rows: excess, residual, total variation."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Generic, TypeVar

from exactspec.errors import UndefinedResidual
from exactspec.numbers import exact, positive_part
from exactspec.text import fraction_text, show

T = TypeVar("T", bound=Hashable)
_ZERO = Fraction(0)


class Distribution(Generic[T]):
    """A law with finitely many outcomes: positive exact weights that sum to one. Immutable.

    Two are equal if they give the same outcomes the same weights in the same order: a rule can see the
    order, by iteration, by ``pick``, where it breaks ties.

    Args:
        weights: outcome -> ``int`` or ``Fraction``; outcomes of weight 0 are left out.

    Raises:
        TypeError: for a float.
        ValueError: for a negative weight, or weights that don't sum to exactly one.

    >>> p = Distribution({"a": Fraction(1, 3), "b": Fraction(2, 3), "c": 0})
    >>> p["b"], p["c"], list(p)
    (Fraction(2, 3), Fraction(0, 1), ['a', 'b'])
    """

    __slots__ = ("_hash", "_only_texts", "_weights")

    def __init__(self, weights: Mapping[T, Fraction | int]) -> None:
        kept = {}
        for outcome, weight in weights.items():
            what = f"the probability of {show(str(outcome))}"
            value = exact(weight, what=what)
            if value < 0:
                raise ValueError(f"{what} is {fraction_text(value)}, below 0")
            if value:
                kept[outcome] = value
        total = sum(kept.values(), _ZERO)
        if total != 1:
            raise ValueError(f"the probabilities sum to {fraction_text(total)}, not 1")
        self._weights: dict[T, Fraction] = kept
        self._hash: int | None = None
        self._only_texts: bool | None = None

    @classmethod
    def normalised(cls, weights: Mapping[T, Fraction | int]) -> "Distribution[T]":
        """Weights that are not negative, divided by their sum.

        Raises:
            ValueError: where all weights are 0.

        >>> Distribution.normalised({"a": 1, "b": 3})["b"]
        Fraction(3, 4)
        """
        total = sum((exact(weight) for weight in weights.values()), _ZERO)
        if total == 0:
            raise ValueError("weights that sum to 0 have no normalised law")
        return cls({outcome: exact(weight) / total for outcome, weight in weights.items()})

    @classmethod
    def one_hot(cls, outcome: T) -> "Distribution[T]":
        """The law that gives one outcome probability 1.

        >>> Distribution.one_hot("a")["a"]
        Fraction(1, 1)
        """
        return cls({outcome: 1})

    def __getitem__(self, outcome: T) -> Fraction:
        return self._weights.get(outcome, _ZERO)

    def __iter__(self) -> Iterator[T]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def items(self) -> Iterable[tuple[T, Fraction]]:
        """Each outcome of positive probability with its weight, in the order in which they were given."""
        return self._weights.items()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Distribution) or hash(self) != hash(other):
            return False
        return list(self._weights.items()) == list(other._weights.items())

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._weights.items()))
        return self._hash

    @property
    def only_texts(self) -> bool:
        """Whether every outcome is a plain text, as tokens are."""
        if self._only_texts is None:
            self._only_texts = all(type(outcome) is str for outcome in self._weights)
        return self._only_texts

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{show(str(outcome))}: {fraction_text(w)}" for outcome, w in self.items()
        )
        return f"Distribution({{{inside}}})"


def excess(p: Distribution[T], q: Distribution[T]) -> dict[T, Fraction]:
    """How much more p gives to each outcome than q does: [p(x) - q(x)]+ where it is positive.

    >>> excess(Distribution({"a": 1}), Distribution({"a": Fraction(1, 4), "b": Fraction(3, 4)}))
    {'a': Fraction(3, 4)}
    """
    over = ((x, positive_part(weight - q[x])) for x, weight in p.items())
    return {x: weight for x, weight in over if weight}


@lru_cache(maxsize=4096)
def residual(p: Distribution[T], q: Distribution[T]) -> Distribution[T]:
    """The residual distribution [p - q]+ / β, drawn from after a rejection.

    Args:
        p: the target's row.
        q: the draft's row.

    Raises:
        UndefinedResidual: where p = q; β is 0 then, and no draft is ever rejected.

    Source: Leviathan, Kalman, Matias 2023, section 2.3.

    >>> residual(Distribution({"a": Fraction(1, 2), "b": Fraction(1, 2)}), Distribution({"a": 1}))
    Distribution({b: 1})
    """
    over = excess(p, q)
    if not over:
        raise UndefinedResidual(
            "the residual of two equal rows is undefined: its mass β is 0, so no draft is rejected "
            "there and nothing is drawn from it"
        )
    return Distribution.normalised(over)


def total_variation(p: Distribution[T], q: Distribution[T]) -> Fraction:
    """The total variation distance of two laws: half the sum of all |p(x) - q(x)|.

    >>> total_variation(Distribution({"a": 1}), Distribution({"b": 1}))
    Fraction(1, 1)
    """
    outcomes = dict.fromkeys((*p, *q))
    return sum((abs(p[x] - q[x]) for x in outcomes), _ZERO) / 2
