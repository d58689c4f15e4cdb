"""What stands for a number that a program has drawn, or that is known better than a float knows it.

A value is a ``Fraction``, one of the floats inf, -inf and nan, or a symbol. Uniform numbers are known as
intervals (``chance.Uniform``), exponential times by the races between them (``chance.Race``), whole
draws and truth values are decided when somebody looks (``chance.Draw``, ``Deferred``).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from exactspec.audit.world import GRID, Deferred, call_site, current
from exactspec.chance import Draw, Uniform
from exactspec.distribution import Distribution
from exactspec.noise.products import ERROR, box_probability

INFINITY = math.inf
NAN = math.nan
TINY = Fraction(1, 10**6)
_ONE = Fraction(1)
_DISCRETE = (Draw, Deferred)


class Symbol:
    """A number that is not a plain one."""

    __slots__ = ()


@dataclass(eq=False)
class Variable:
    """A uniform number as it was drawn.

    Attributes:
        chain: the products that it is a factor of.
        time: the exponential time -log(U), or -log(1 - U) if ``time_of_rest``, once it is used as one.
        part: the part of the run that it was drawn in.
    """

    uniform: Uniform
    site: str
    chain: "Chain | None" = None
    time: "Time | None" = None
    time_of_rest: bool = False
    part: int = field(default_factory=lambda: current().part)

    def is_below(self, bound: Fraction, *, inclusive: bool) -> bool:
        """Whether it lies below a bound, decided now."""
        current().use(self.part)
        if self.time is not None:
            self.refuse("compared after its logarithm was an exponential time")
        if self.chain is not None:
            if self.chain.variables[0] is not self:
                self.refuse("compared by itself after it was a later factor of a product")
            return self.chain.is_below(1, bound)
        return self.uniform <= bound if inclusive else self.uniform < bound

    @property
    def is_only_compared(self) -> bool:
        """Whether it is no factor and no exponential time."""
        return self.chain is None and self.time is None

    @property
    def is_fresh(self) -> bool:
        """Whether nothing is known of it yet."""
        return self.is_only_compared and self.uniform.is_fresh

    def refuse(self, what: str) -> None:
        current().refuse(
            "audit-no-rule",
            f"the uniform number drawn at {self.site} is {what}",
            "one number can be compared as often as you like, or be a factor of products, or an "
            "exponential time; not two of these",
        )


def uniform(bits: int) -> "Affine":
    """A new uniform number on [0, 1), or on a library's grid of 2^bits steps."""
    return Affine(Variable(current().new_uniform(bits), call_site()))


@dataclass(eq=False)
class Affine(Symbol):
    """slope U + offset, for a uniform U; the slope is not 0."""

    variable: Variable
    slope: Fraction = _ONE
    offset: Fraction = Fraction(0)


@dataclass(eq=False)
class LogAffine(Symbol):
    """The logarithm of an affine form, or its negative."""

    inner: Affine
    is_negative: bool = False


@dataclass(eq=False)
class Product(Symbol):
    """factor U1 ... Uk: the first k uniform numbers of a chain, and a positive factor."""

    variables: tuple[Variable, ...]
    factor: Fraction = _ONE


class Chain:
    """The products U1 ... Uk for k = 1, 2, ..., each known as an interval."""

    _whole = (Fraction(0), _ONE)

    def __init__(self, first: Variable) -> None:
        self.variables: list[Variable] = []
        self.box: list[tuple[Fraction, Fraction]] = []
        self.extend([first])

    def extend(self, variables: Sequence[Variable]) -> None:
        """Make these numbers the first ones of the chain."""
        for number, variable in enumerate(variables):
            if number < len(self.variables):
                if self.variables[number] is not variable:
                    variable.refuse(
                        "a factor of two products of which neither begins with the other"
                    )
            else:
                is_usable = variable.is_fresh or (number == 0 and variable.is_only_compared)
                if not is_usable:
                    variable.refuse("a factor of a product after it was used otherwise")
                if current().level == GRID:
                    current().idealise(
                        "a number of the grid in a product taken for a real one", TINY
                    )
                self.variables.append(variable)
                self.box.append(variable.uniform.bounds)
                variable.chain = self

    def is_below(self, length: int, bound: Fraction) -> bool:
        """Whether the product of so many numbers lies below a bound, decided now."""
        for variable in self.variables:
            current().use(variable.part)
        low, high = self.box[length - 1]
        bound = min(max(bound, low), high)
        if bound in (low, high):
            return bound == high
        share = self._share(length, (low, bound))
        law = Distribution({True: share, False: 1 - share})
        is_below = current().decide("compare", f"U1...U{length} < {bound}", law)
        self.box[length - 1] = (low, bound) if is_below else (bound, high)
        return is_below

    def _share(self, length: int, interval: tuple[Fraction, Fraction]) -> Fraction:
        inside = [*self.box[: length - 1], interval, *self.box[length:]]
        if length == 1 and all(later == self._whole for later in self.box[1:]):
            low, high = self.box[0]
            return (interval[1] - low) / (high - low)
        current().idealise("probabilities with logarithms, to 60 digits", 2 * ERROR)
        share = box_probability(inside) / box_probability(self.box)
        return Fraction(0) if share < ERROR else _ONE if share > 1 - ERROR else share


@dataclass(eq=False)
class Time:
    """An exponential time of rate 1, and the race over it that nobody has looked at yet."""

    number: int
    undecided: "Winner | None" = None
    part: int = field(default_factory=lambda: current().part)


def new_time() -> Time:
    """A new exponential time."""
    world = current()
    world.times_drawn += 1
    return Time(world.times_drawn)


@dataclass(eq=False)
class Exponential(Symbol):
    """factor E^power for an exponential time E, a positive factor and power 1 or -1; or its logarithm."""

    time: Time
    factor: Fraction = _ONE
    power: int = 1
    is_log: bool = False


@dataclass(eq=False)
class Log(Symbol):
    """The logarithm of a positive rational."""

    argument: Fraction


@dataclass(eq=False)
class Opaque(Symbol):
    """A number without an exact rule: an error where it is used."""

    what: str


class Categorical(Draw[int]):
    """A position drawn with probability proportional to its weight."""

    __slots__ = ("_part",)

    def __init__(self, label: str, weights: Sequence[Fraction]) -> None:
        super().__init__(current(), label, Distribution.normalised(dict(enumerate(weights))))
        self._part = current().part

    def look(self) -> int:
        if not self._decided:
            current().use(self._part)
        return super().look()


class Winner(Draw[int]):
    """The position of the winner of a race: 0 for the first contestant."""

    __slots__ = ("_times", "_weights")

    def __init__(self, label: str, times: Sequence[Time], weights: Sequence[Fraction]) -> None:
        pairs = zip(range(len(times)), weights, strict=True)
        super().__init__(current(), label, Distribution.normalised(dict(pairs)))
        self._times, self._weights = tuple(times), tuple(weights)

    def look(self) -> int:
        if not self._decided:
            for time in self._times:
                current().use(time.part)
            self._decided = True
            numbers = {t.number: w for t, w in zip(self._times, self._weights, strict=True)}
            winner = current().times.draw(Distribution.normalised(numbers), self.label)
            self._outcome = [time.number for time in self._times].index(winner)
            for time in self._times:
                if time.undecided is self:
                    time.undecided = None
        return self._outcome or 0


def race(times: Sequence[Time], weights: Sequence[Fraction]) -> Draw[int]:
    """Who wins a race: the position of the least time over weight; the weights are positive.

    A race over times that no other race has used is a draw of its own, open until somebody looks.
    """
    world = current()
    is_new = all(time.number not in world.raced for time in times)
    if len({time.number for time in times}) < len(times):
        world.refuse(
            "audit-no-rule",
            "one exponential time takes part in a race twice",
            "draw the noise anew",
        )
    for time in times:
        world.raced.add(time.number)
        if time.undecided is not None:
            time.undecided.look()
    winner = Winner(f"race at {call_site()}", times, weights)
    if is_new:
        for time in times:
            time.undecided = winner
    else:
        world.notes.add("exponential noise decides more than one race")
        winner.look()
    return winner


def value_of(number: Any) -> Fraction | float:
    """A Python number as a value: a float as the binary fraction that it is."""
    if isinstance(number, Fraction):
        return number
    known = getattr(number, "exact", None)
    if known is not None:
        return known  # type: ignore[no-any-return]
    if isinstance(number, bool | int):
        return Fraction(int(number))
    number = float(number)
    return Fraction(number) if math.isfinite(number) else number


def is_plain(value: Any) -> bool:
    """Whether a value is a rational, infinite, or no number: nothing is drawn in it."""
    return type(value) is Fraction or isinstance(value, float)


def is_discrete(value: Any) -> bool:
    """Whether a value is a token or a truth value that is decided when somebody looks."""
    return isinstance(value, _DISCRETE)
