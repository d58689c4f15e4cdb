"""A number of a rule that runs on all tables at once: a quotient of products of polynomials.

A formula is a number times powers of polynomials. Products and quotients only add exponents, and a
sum multiplies out no more than what its two sides do not share, so that most polynomials stay small.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from numbers import Number, Rational
from typing import Any, cast

from exactspec.errors import BudgetReached
from exactspec.numbers import exact
from exactspec.prove.asked import AskedNumber
from exactspec.prove.polynomial import Polynomial, Variable
from exactspec.prove.reader import Reader, worked_out_once
from exactspec.prove.signs import NEGATIVE, POSITIVE, ZERO, Signs, power

_MOST_TERMS = 2_000
_MOST_TERMS_DIVIDED = 400


class Formula(AskedNumber):
    """A rational number times powers of primitive polynomials.

    Args:
        reader: who answers questions about it.
        number: the rational factor.
        powers: polynomial -> exponent, none of them 0; each polynomial primitive and no number.
    """

    __slots__ = ("_inverse", "_negated", "_world_signs", "number", "powers", "reader")

    def __init__(
        self, reader: Reader, number: Fraction, powers: Mapping[Polynomial, int] | None = None
    ) -> None:
        self.reader, self.number = reader, number
        self.powers: dict[Polynomial, int] = dict(powers or {}) if number else {}
        self._inverse: Formula | None = None
        self._negated: Formula | None = None
        self._world_signs: Signs | None = None

    @classmethod
    def of(cls, reader: Reader, polynomial: Polynomial) -> "Formula":
        """A polynomial as a formula, the variables that all its terms share taken out."""
        if not polynomial:
            return cls(reader, Fraction(0))
        number, primitive = reader.world.primitive(polynomial)
        shared, primitive = primitive.without_shared()
        powers: dict[Polynomial, int] = {}
        for variable in shared:
            factor = Polynomial.variable(variable)
            powers[factor] = powers.get(factor, 0) + 1
        if primitive.number is None:
            powers[primitive] = 1
        return cls(reader, number, powers)

    @property
    def is_zero(self) -> bool:
        return self.number == 0

    def numerator_polynomial(self) -> Polynomial:
        """The numerator, multiplied out."""
        return self._expanded(e for e in self.powers.items() if e[1] > 0)

    def denominator_polynomial(self) -> Polynomial:
        """The denominator, multiplied out."""
        below = Polynomial.constant(1)
        for factor, exponent in self.powers.items():
            below = below * factor ** max(0, -exponent)
        return below

    def _expanded(self, powers: Iterable[tuple[Polynomial, int]]) -> Polynomial:
        product = Polynomial.constant(self.number)
        for factor, exponent in powers:
            product = product * factor**exponent
            if len(product.terms) > _MOST_TERMS:
                reason = f"a polynomial of more than {_MOST_TERMS:,} terms, which nothing cancels"
                raise BudgetReached(
                    "parts", reason, "prove a smaller vocabulary or a shorter draft"
                )
        return product

    def at(self, value: Any) -> Fraction:
        """Its value, where each variable has a value and no divisor is 0."""
        result = self.number
        for factor, exponent in self.powers.items():
            result *= factor.at(value) ** exponent
        return result

    def variables(self) -> frozenset[Variable]:
        """The variables in it."""
        return frozenset(v for factor in self.powers for v in factor.variables())

    def _lift(self, other: object) -> "Formula | None":
        if isinstance(other, Formula):
            return other
        if isinstance(other, Number) and not isinstance(other, Rational):
            self.reader.refuse(f"an exact number is mixed with the {type(other).__name__} {other}")
        try:
            return cast(Formula, self.reader.constant(exact(+other)))  # type: ignore[operator]
        except TypeError:
            return None

    def __add__(self, other: object) -> "Formula":
        lifted = self._lift(other)
        return NotImplemented if lifted is None else self._plus(lifted)

    def _plus(self, other: "Formula") -> "Formula":
        if other.is_zero or self.is_zero:
            return self if other.is_zero else other
        return cast(Formula, self._sum(other))

    @worked_out_once
    def _sum(self, other: "Formula") -> "Formula":
        shared, one, two = common(self, other)
        return shared * Formula.of(self.reader, one + two)._cancelled(shared)

    def _cancelled(self, divisors: "Formula") -> "Formula":
        """The same formula, its polynomials divided by those that it is to be divided by."""
        found = self
        for divisor, exponent in divisors.powers.items():
            for _ in range(-exponent):
                quotients = {f: f.over(divisor) for f in found.powers if _may_divide(divisor, f)}
                factor = next((f for f, quotient in quotients.items() if quotient), None)
                if factor is None:
                    break
                swap = Formula(self.reader, Fraction(1), {factor: -1, divisor: 1})
                found = found * swap * Formula.of(self.reader, cast(Polynomial, quotients[factor]))
        return found

    def __mul__(self, other: object) -> "Formula":
        lifted = self._lift(other)
        return NotImplemented if lifted is None else cast(Formula, self._product(lifted))

    @worked_out_once
    def _product(self, lifted: "Formula") -> "Formula":
        powers = dict(self.powers)
        for factor, exponent in lifted.powers.items():
            total = powers.get(factor, 0) + exponent
            if total:
                powers[factor] = total
            else:
                del powers[factor]
        return Formula(self.reader, self.number * lifted.number, powers)

    def inverse(self) -> "Formula":
        """1 over the formula, without a question."""
        if self._inverse is None:
            powers = {f: -e for f, e in self.powers.items()}
            self._inverse = Formula(self.reader, 1 / self.number, powers)
        return self._inverse

    def __truediv__(self, other: object) -> "Formula":
        lifted = self._lift(other)
        if lifted is None:
            return NotImplemented
        if lifted == 0:
            raise ZeroDivisionError("Fraction division by zero")
        self.reader.divides_by(factor for factor, exponent in lifted.powers.items() if exponent > 0)
        return self * lifted.inverse()

    def __rtruediv__(self, other: object) -> "Formula":
        lifted = self._lift(other)
        return NotImplemented if lifted is None else lifted / self

    def __neg__(self) -> "Formula":
        if self._negated is None:
            self._negated = Formula(self.reader, -self.number, self.powers)
        return self._negated

    def __pos__(self) -> "Formula":
        return self

    def __sub__(self, other: object) -> "Formula":
        lifted = self._lift(other)
        return NotImplemented if lifted is None else self._plus(-lifted)

    def __rsub__(self, other: object) -> "Formula":
        lifted = self._lift(other)
        return NotImplemented if lifted is None else lifted._plus(-self)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: object) -> "Formula":
        if not isinstance(exponent, int) or isinstance(exponent, bool):
            self.reader.refuse("a power that is no whole number")
        if exponent < 0:
            return 1 / self ** (-exponent)
        if exponent == 0:
            return Formula(self.reader, Fraction(1))
        return Formula(
            self.reader, self.number**exponent, {f: e * exponent for f, e in self.powers.items()}
        )

    def __abs__(self) -> "Formula":
        return self - 2 * self.smaller(0)

    def smaller(self, other: object) -> "Formula":
        """min(a, b), by what the two do not share: their common factor is settled to be at least 0."""
        lifted = self._lift(other)
        if lifted is None:
            raise TypeError(f"minimum of a number and a {type(other).__name__}")
        shared, smaller, greater = self._apart(lifted)
        negative = shared.sign_in((NEGATIVE, ZERO | POSITIVE)) == NEGATIVE
        return cast(Formula, shared * (greater if negative else smaller))

    @worked_out_once
    def _apart(self, other: "Formula") -> "tuple[Formula, Formula, Formula]":
        """What two formulas share, and the smaller and the greater of what is left of them."""
        world = self.reader.world
        shared, one, two = common(self, other)
        for factor, exponent in list(shared.powers.items()):
            if exponent > 0 and not world.is_not_negative(factor):
                shared *= Formula(self.reader, Fraction(1), {factor: -exponent})
                one, two = one * factor**exponent, two * factor**exponent
        for side, formula in ((one, self), (two, other)):
            if (formula * shared.inverse())._is_plainly_not_negative():
                world.note_not_negative(side)
        smaller = world.minimum(one, two)
        greater = one + two - smaller
        return shared, Formula.of(self.reader, smaller), Formula.of(self.reader, greater)

    def vanishes_with(self, other: object) -> bool:
        lifted = self._lift(other)
        return lifted is not None and self.reader.vanishes(self, lifted)

    def _is_plainly_not_negative(self) -> bool:
        known = self.reader.world.is_not_negative
        return self.number >= 0 and all(known(f) for f, e in self.powers.items() if e % 2)

    def sign_in(self, choices: tuple[Signs, ...]) -> Signs:
        """Which of some sets of signs its own is in; polynomials whose sign is open are asked for."""
        if self._world_signs is None:
            self._world_signs = self._signs(self.reader.world_signs)
        found = next((c for c in choices if self._world_signs <= c), None)
        if found is None:
            here = self._signs(self.reader.possible)
            found = next((c for c in choices if here <= c), None)
        return self._asked(choices) if found is None else found

    def _signs(self, possible: Callable[[Polynomial], Signs]) -> Signs:
        signs: Signs = frozenset({(self.number > 0) - (self.number < 0)})
        for factor, exponent in self.powers.items():
            each = possible(factor) - (ZERO if exponent < 0 else frozenset())
            signs = frozenset(one * two for one in signs for two in power(each, exponent))
        return signs

    def _asked(self, choices: tuple[Signs, ...]) -> Signs:
        sign = frozenset({1 if self.number > 0 else -1})
        open_factors = [(f, e) for f, e in self.powers.items() if len(self.reader.possible(f)) > 1]
        for factor, exponent in self.powers.items():
            if len(self.reader.possible(factor)) == 1:
                each = power(self.reader.possible(factor), exponent)
                sign = frozenset(one * two for one in sign for two in each)
        single = len(open_factors) == 1 and open_factors[0][1] % 2 == 1
        for factor, exponent in open_factors:
            asked = (NEGATIVE, ZERO, POSITIVE)
            if single:
                asked = cast(
                    Any, tuple(frozenset(s * next(iter(sign)) for s in c) for c in choices)
                )
            answer = power(self.reader.sign(factor, asked), exponent)
            sign = frozenset(one * two for one in sign for two in answer)
        return next(choice for choice in choices if sign <= choice)


def common(one: Formula, other: Formula) -> tuple[Formula, Polynomial, Polynomial]:
    """What two formulas share, and the polynomials that are left of them."""
    shared = {}
    for factor in {**one.powers, **other.powers}:
        least = min(one.powers.get(factor, 0), other.powers.get(factor, 0))
        if least:
            shared[factor] = least

    def left(formula: Formula) -> Polynomial:
        if formula.is_zero:
            return Polynomial({})
        exponents = {
            f: formula.powers.get(f, 0) - shared.get(f, 0) for f in {**formula.powers, **shared}
        }
        return formula._expanded(exponents.items())

    return Formula(one.reader, Fraction(1), shared), left(one), left(other)


def same(one: Formula, other: Formula) -> bool:
    """Whether two formulas are equal for all tables."""
    return one._plus(-other).is_zero


def _may_divide(divisor: Polynomial, factor: Polynomial) -> bool:
    if divisor == factor or len(factor.terms) > _MOST_TERMS_DIVIDED:
        return False
    return divisor.variables() <= factor.variables()
