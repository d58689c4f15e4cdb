"""Numbers that depend on a parameter: quotients of polynomials, compared exactly on a part of its range.

What comes in is a place, which is a part of the range; what goes out is the parameter there as a
number. Whatever is worked out with it is a number for every value of that part at once.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, cast

from exactspec.errors import BudgetReached
from exactspec.numbers import Symbolic, exact
from exactspec.parameter.polynomial import (
    ONE,
    Polynomial,
    product_of,
    sum_of,
    times,
    value_at,
)


class Place(ABC):
    """A part of the parameter's range, and what was looked at there."""

    def __init__(self) -> None:
        self.is_looked_at = False

    @property
    def parameter(self) -> Any:
        """The parameter as a number."""
        return self.number((0, 1), ONE)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """In the block every comparison counts, as in a rule, which may do what it wants with the answer.

        Outside of it two formulas are equal where they are the same, as in linear algebra over
        formulas, and their order is that at one value.
        """
        before, self.is_looked_at = self.is_looked_at, True
        try:
            yield
        finally:
            self.is_looked_at = before

    def number(self, top: Polynomial, bottom: Polynomial) -> Any:
        """A quotient of two polynomials: a ``Fraction`` where the parameter has no part in it."""
        top, bottom = self.reduced(top, bottom)
        if len(top) < 2 and len(bottom) < 2:
            return Fraction(top[0] if top else 0, bottom[0])
        return ParameterNumber(self, top, bottom)

    @abstractmethod
    def reduced(self, top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
        """The one way to write a quotient here."""

    @abstractmethod
    def sign(self, number: "ParameterNumber", *, counts: bool) -> int:
        """The sign of a number here; where it ``counts``, the place is a part where it is constant."""


class ParameterNumber(Symbolic):
    """A quotient of two polynomials in the parameter, which is no rational number.

    Args:
        place: the part of the range that it is a number on.
        top: the numerator.
        bottom: the denominator, nowhere 0 there.
    """

    __slots__ = ("bottom", "place", "top")

    def __init__(self, place: Place, top: Polynomial, bottom: Polynomial) -> None:
        self.place, self.top, self.bottom = place, top, bottom

    @property
    def is_zero(self) -> bool:
        """Never: a number that is 0 for every value of the place is the rational 0."""
        return False

    def at(self, value: Fraction) -> Fraction | None:
        """Its value for a rational value of the parameter; None where it has none."""
        bottom = value_at(self.bottom, value)
        return value_at(self.top, value) / bottom if bottom else None

    def vanishes_with(self, other: Any) -> bool:
        """Never found: it is 0 at single values at most, and those are places of their own."""
        return False

    def _parts(self, other: object) -> tuple[Polynomial, Polynomial] | None:
        if isinstance(other, ParameterNumber):
            return (other.top, other.bottom) if other.place is self.place else None
        if isinstance(other, int):
            return ((int(other),) if other else ()), ONE
        if isinstance(other, float | complex):
            self._refuse()
        try:
            value = exact(other)
        except TypeError:
            return None
        return ((value.numerator,) if value else ()), (value.denominator,)

    def _sum(self, top: Polynomial, bottom: Polynomial, sign: int) -> Any:
        if bottom == self.bottom:
            return self.place.number(sum_of(self.top, times(sign, top)), bottom)
        one = product_of(self.top, bottom)
        return self.place.number(
            sum_of(one, times(sign, product_of(top, self.bottom))), product_of(self.bottom, bottom)
        )

    def __add__(self, other: object) -> Any:
        parts = self._parts(other)
        return NotImplemented if parts is None else self._sum(*parts, 1)

    def __sub__(self, other: object) -> Any:
        parts = self._parts(other)
        return NotImplemented if parts is None else self._sum(*parts, -1)

    def __rsub__(self, other: object) -> Any:
        return -self + other

    def __mul__(self, other: object) -> Any:
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        return self.place.number(product_of(self.top, parts[0]), product_of(self.bottom, parts[1]))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: object) -> Any:
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        if isinstance(other, ParameterNumber):
            return other._under(self.top, self.bottom)
        if not parts[0]:
            raise ZeroDivisionError("division by zero")
        return self.place.number(product_of(self.top, parts[1]), product_of(self.bottom, parts[0]))

    def __rtruediv__(self, other: object) -> Any:
        parts = self._parts(other)
        return NotImplemented if parts is None else self._under(*parts)

    def _under(self, top: Polynomial, bottom: Polynomial) -> Any:
        """Something divided by this number."""
        if self.place.is_looked_at:
            self.place.sign(self, counts=True)
        return self.place.number(product_of(top, self.bottom), product_of(bottom, self.top))

    def __pow__(self, exponent: object) -> Any:
        if not isinstance(exponent, int):
            return self._refuse()
        result: Any = Fraction(1)
        for _ in range(abs(exponent)):
            result = result * self
        return 1 / result if exponent < 0 else result

    def __neg__(self) -> "ParameterNumber":
        return ParameterNumber(self.place, times(-1, self.top), self.bottom)

    def __pos__(self) -> "ParameterNumber":
        return self

    def __abs__(self) -> "ParameterNumber":
        return -self if self.place.sign(self, counts=True) < 0 else self

    def smaller(self, other: Any) -> Any:
        """The minimum with another number; the answer is a formula, so the comparison counts."""
        difference = self - other
        if isinstance(difference, ParameterNumber):
            return self if self.place.sign(difference, counts=True) < 0 else other
        return self if difference < 0 else other

    def _compared(self, other: object) -> int:
        """The sign of the difference to another number."""
        difference: Any = self.__sub__(other)
        if difference is NotImplemented:
            raise TypeError(f"a number was compared with a {type(other).__name__}")
        if isinstance(difference, ParameterNumber):
            return self.place.sign(difference, counts=self.place.is_looked_at)
        return int(difference > 0) - int(difference < 0)

    def __lt__(self, other: object) -> bool:
        return self._compared(other) < 0

    def __le__(self, other: object) -> bool:
        return self._compared(other) <= 0

    def __gt__(self, other: object) -> bool:
        return self._compared(other) > 0

    def __ge__(self, other: object) -> bool:
        return self._compared(other) >= 0

    def __eq__(self, other: object) -> bool:
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        if parts == (self.top, self.bottom):
            return True
        if self.place.is_looked_at:
            self._compared(other)
        return False

    def __bool__(self) -> bool:
        if self.place.is_looked_at:
            self.place.sign(self, counts=True)
        return True

    def __hash__(self) -> int:
        if self.place.is_looked_at:
            self._refuse()
        return hash((self.top, self.bottom))

    def __copy__(self) -> "ParameterNumber":
        return self

    def __deepcopy__(self, memo: object) -> "ParameterNumber":
        return self

    @property
    def denominator(self) -> int:
        """A whole number as long as all coefficients together: what a budget of bits looks at."""
        if self.place.is_looked_at:
            self._refuse()
        return 1 << sum(abs(each).bit_length() for each in (*self.top, *self.bottom))

    def _refuse(self, *_: object) -> Any:
        raise BudgetReached(
            "parameter",
            "the rule asks for more of a number than arithmetic and comparisons, and the number "
            "depends on the parameter",
            "put in a value for the parameter: --at",
        )

    @property
    def numerator(self) -> int:
        return cast(int, self._refuse())

    def __repr__(self) -> str:
        return str(self._refuse()) if self.place.is_looked_at else f"{self.top}/{self.bottom}"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._refuse()

    __float__ = __complex__ = __int__ = __index__ = __trunc__ = __floor__ = __ceil__ = __round__ = (
        _refuse
    )
    __divmod__ = __rdivmod__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __rpow__ = (
        __str__
    ) = __format__ = _refuse
