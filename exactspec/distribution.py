"""Exact distributions, and what the theory builds from two rows: excess, residual, total variation."""

from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any, Generic, ParamSpec, TypeVar, cast

from exactspec.errors import UndefinedResidual
from exactspec.numbers import Symbolic, exact, positive_part
from exactspec.text import fraction_text, show

T = TypeVar("T", bound=Hashable)
P = ParamSpec("P")
R = TypeVar("R")
_ZERO = Fraction(0)


class Masses(Generic[T]):
    """Weights of outcomes, none negative; what an outcome that has none weighs is 0.

    Weights may be formulas (``Symbolic``). One that is 0 only in some tables is kept; who looks at the
    outcomes, by iteration or ``len``, asks each formula whether it is 0.

    Args:
        weights: outcome -> ``int`` or ``Fraction``; outcomes of weight 0 are left out.

    Raises:
        TypeError: for a float.
        ValueError: for a negative weight.

    >>> masses = Masses({"a": Fraction(1, 3), "b": 0})
    >>> masses["a"], masses["b"], list(masses), masses.total
    (Fraction(1, 3), Fraction(0, 1), ['a'], Fraction(1, 3))
    """

    __slots__ = ("_weights", "is_open")

    def __init__(self, weights: Mapping[T, Fraction | int]) -> None:
        kept = {}
        is_open = False
        for outcome, weight in weights.items():
            what = f"the probability of {show(str(outcome))}"
            value = exact(weight, what=what)
            if value < 0:
                raise ValueError(f"{what} is {fraction_text(value)}, below 0")
            if isinstance(value, Symbolic):
                if not value.is_zero:
                    kept[outcome] = cast(Fraction, value)
                    is_open = True
            elif value:
                kept[outcome] = value
        self._weights: dict[T, Fraction] = kept
        self.is_open = is_open

    def __getitem__(self, outcome: T) -> Fraction:
        return self._weights.get(outcome, _ZERO)

    def __iter__(self) -> Iterator[T]:
        return iter(self._looked_at() if self.is_open else self._weights)

    def __len__(self) -> int:
        return len(self._looked_at() if self.is_open else self._weights)

    def items(self) -> Iterable[tuple[T, Fraction]]:
        """Each outcome of positive weight with it, in the order in which they were given."""
        return self._looked_at().items() if self.is_open else self._weights.items()

    def values(self) -> Iterable[Fraction]:
        """The positive weights."""
        return dict(self.items()).values()

    def _looked_at(self) -> dict[T, Fraction]:
        """The outcomes whose weight is found not to be 0."""
        return {outcome: weight for outcome, weight in self._weights.items() if weight}

    def possible(self) -> ItemsView[T, Fraction]:
        """Each outcome with its weight, those among them whose formula may be 0; no look at the weights."""
        return self._weights.items()

    @property
    def total(self) -> Fraction:
        """The sum of all weights."""
        return sum(self._weights.values(), _ZERO)

    def reweighted(self, weight: Callable[[T], Fraction | int]) -> "Masses[T]":
        """Other weights, none negative, for the outcomes that have one here.

        A formula that may be 0 is looked at only where the new weight is not 0 with it.

        Args:
            weight: outcome -> its new weight.

        >>> Masses({"a": 1, "b": 2}).reweighted(lambda x: 5).total
        Fraction(10, 1)
        """
        weights = {}
        for outcome, old in self._weights.items():
            new = weight(outcome)
            if not isinstance(old, Symbolic) or _vanishes_with(new, old) or old:
                weights[outcome] = new
        return Masses(weights)


class Distribution(Masses[T]):
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

    __slots__ = ("_hash", "_only_texts")

    def __init__(self, weights: Mapping[T, Fraction | int]) -> None:
        super().__init__(weights)
        total = self.total
        if total != 1:
            raise ValueError(f"the probabilities sum to {fraction_text(total)}, not 1")
        self._hash: int | None = None
        self._only_texts: bool | None = None

    @classmethod
    def normalised(cls, weights: Mapping[T, Fraction | int] | Masses[T]) -> "Distribution[T]":
        """Weights that are not negative, divided by their sum.

        Raises:
            ValueError: where all weights are 0.

        >>> Distribution.normalised({"a": 1, "b": 3})["b"]
        Fraction(3, 4)
        """
        pairs = weights.possible() if isinstance(weights, Masses) else weights.items()
        exact_ones = {outcome: exact(weight) for outcome, weight in pairs}
        total = sum(exact_ones.values(), _ZERO)
        if total == 0:
            raise ValueError("weights that sum to 0 have no normalised law")
        return cls({outcome: weight / total for outcome, weight in exact_ones.items()})

    @classmethod
    def one_hot(cls, outcome: T) -> "Distribution[T]":
        """The law that gives one outcome probability 1.

        >>> Distribution.one_hot("a")["a"]
        Fraction(1, 1)
        """
        return cls({outcome: 1})

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Distribution):
            return False
        if not (self.is_open or other.is_open) and hash(self) != hash(other):
            return False
        return list(self.items()) == list(other.items())

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
            f"{show(str(outcome))}: {repr(w) if isinstance(w, Symbolic) else fraction_text(w)}"
            for outcome, w in self.items()
        )
        return f"Distribution({{{inside}}})"


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """A function of laws whose results are kept; what is a formula is worked out afresh."""
    kept = lru_cache(maxsize=4096)(function)

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        if any(isinstance(law, Distribution) and law.is_open for law in arguments):
            return function(*arguments, **options)
        return kept(*arguments, **cast(Any, options))

    return call


def _vanishes_with(new: Fraction | int, old: Symbolic) -> bool:
    return new.vanishes_with(old) if isinstance(new, Symbolic) else new == 0


def excess(p: Distribution[T], q: Distribution[T], scale: Fraction | int = 1) -> Masses[T]:
    """How much more p, scaled, gives to each outcome than q does: [scale p(x) - q(x)]+.

    Args:
        p: a law.
        q: a law.
        scale: at least 0.

    >>> excess(Distribution({"a": 1}), Distribution({"a": Fraction(1, 4), "b": Fraction(3, 4)}))["a"]
    Fraction(3, 4)
    """
    return Masses({x: positive_part(scale * weight - q[x]) for x, weight in p.possible()})


@remembered
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
    if over.total == 0:
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
    outcomes = {**dict(p.possible()), **dict(q.possible())}
    return sum((abs(p[x] - q[x]) for x in outcomes), _ZERO) / 2
