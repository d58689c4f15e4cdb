"""Parts of a parameter's range that numbers are compared on: an open stretch, or one irrational root."""

from fractions import Fraction

from exactspec.parameter.number import ParameterNumber, Place
from exactspec.parameter.polynomial import (
    ONE,
    Polynomial,
    content,
    greatest_common_divisor,
    inverse_modulo,
    over,
    primitive,
    product_of,
    quotient,
    remainder,
    sign_at,
    times,
)
from exactspec.parameter.roots import Root


class SpecialValue(BaseException):
    """The value that stands for a part of the range is a root of what is looked at: take another one."""

    def __init__(self, polynomial: Polynomial) -> None:
        self.polynomial = polynomial
        super().__init__("a special value of the parameter")


class Stretch(Place):
    """An open part of the range around a rational value: as far as what was looked at keeps its sign.

    Args:
        value: a value in it.
    """

    def __init__(self, value: Fraction) -> None:
        super().__init__()
        self.value = value
        self.looked_at: dict[Polynomial, None] = {}

    def reduced(self, top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
        if len(bottom) > 1 and len(top) > 1:
            shared = greatest_common_divisor(top, bottom)
            top, bottom = quotient(top, shared), quotient(bottom, shared)
        elif not top:
            return (), ONE
        factor = content(top, bottom) * (1 if bottom[-1] > 0 else -1)
        return over(top, factor), over(bottom, factor)

    def sign(self, number: "ParameterNumber", *, counts: bool) -> int:
        if counts:
            self.look(number.top)
            self.look(number.bottom)
        return sign_at(number.top, self.value) * sign_at(number.bottom, self.value)

    def look(self, polynomial: Polynomial) -> None:
        """Note that the sign of a polynomial matters.

        Raises:
            SpecialValue: where it is 0 at the value.
        """
        if len(polynomial) > 1:
            if not sign_at(polynomial, self.value):
                raise SpecialValue(polynomial)
            self.looked_at[primitive(polynomial)] = None


class AtRoot(Place):
    """The part of the range that is one irrational root: numbers are polynomials below its degree."""

    def __init__(self, root: Root) -> None:
        super().__init__()
        self.root = root

    def reduced(self, top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
        modulus = self.root.polynomial
        if len(bottom) > 1:
            inverse, number = inverse_modulo(bottom, modulus)
            top, bottom = product_of(top, inverse), (number,)
        top, multiple = remainder(top, modulus)
        bottom = times(multiple, bottom)
        factor = content(top, bottom) * (1 if bottom[-1] > 0 else -1)
        return over(top, factor), over(bottom, factor)

    def sign(self, number: "ParameterNumber", *, counts: bool) -> int:
        return self.root.sign_of(number.top)
