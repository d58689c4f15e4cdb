"""The entries of rows: numbers, or expressions in the file's parameter, which must be right on its whole range."""

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from exactspec.model.nodes import Node
from exactspec.model.values import Reader
from exactspec.numbers import NumberError, Symbolic, parse_number
from exactspec.parameter.expression import DivisionByZero, Expression, ExpressionError, parsed
from exactspec.parameter.number import ParameterNumber
from exactspec.parameter.place import Stretch
from exactspec.parameter.range import Parameter, RangeError, parse_parameter
from exactspec.parameter.written import formula_text, point_text
from exactspec.text import fraction_text, short_fraction_text

_LONGEST_DENOMINATOR = 10_000
_LARGEST_DENOMINATOR = 10**_LONGEST_DENOMINATOR
_HIGHEST_DEGREE = 100


def too_long(total: Fraction) -> str | None:
    """How long the denominator of a sum is, where that is too long."""
    if isinstance(total, ParameterNumber) and len(total.bottom) > _HIGHEST_DEGREE:
        return f"a degree above {_HIGHEST_DEGREE}"
    if total.denominator >= _LARGEST_DENOMINATOR:
        return f"more than {_LONGEST_DENOMINATOR:,} digits"
    return None


def read_parameter(read: Reader, node: Node) -> Parameter | None:
    """What a file says about its parameter."""
    text = read.text(node)
    if text is None:
        return None
    try:
        return parse_parameter(text)
    except RangeError as error:
        read.wrong(node, "parameter", str(error), error.hint)
        return None


class Entries:
    """Reads the probabilities of rows.

    Args:
        read: turns nodes into values, and keeps what is wrong.
        parameter: that expressions may hold; None for numbers only.
        value: of the parameter; None where every value of its range is to be right.
    """

    def __init__(self, read: Reader, parameter: Parameter | None, value: Any) -> None:
        self._read, self._parameter = read, parameter
        self._for_all_values = value is None
        if parameter is not None and value is None:
            value = Stretch(parameter.some_value).parameter
        self._value = value
        self.looking = value.place.looking if isinstance(value, ParameterNumber) else nullcontext

    def probability(self, node: Node) -> Fraction:
        """One entry of a row."""
        if self._parameter is None or node.kind != "text" or not node.text:
            return self._at_most_one(node, self._read.number(node))
        try:
            return self._at_most_one(node, parse_number(node.text))
        except NumberError:
            return self._of_the_parameter(node, self._parameter)

    def _at_most_one(self, node: Node, value: Fraction) -> Fraction:
        if value > 1:
            message = f"a probability of {short_fraction_text(value)}, above 1"
            self._read.wrong(node, "probability-range", message, "the entries of a row sum to 1")
        return value

    def _of_the_parameter(self, node: Node, parameter: Parameter) -> Fraction:
        try:
            return self._checked(node, parameter, parsed(node.text, parameter.name))
        except ExpressionError as error:
            where = _part(node, error.begin, error.end)
            self._read.wrong(where, "expression", str(error), error.hint)
        except DivisionByZero:
            message = "this divides by 0, whatever the parameter is"
            self._read.wrong(node, "division-by-zero", message, "write it without the division")
        return Fraction(0)

    def _checked(self, node: Node, parameter: Parameter, expression: Expression) -> Fraction:
        if not self._for_all_values:
            return cast(Fraction, expression.at(self._value))
        divisors: list[Any] = []
        value = expression.at(self._value, divisors.append)
        for divisor in divisors:
            zero = None if isinstance(divisor, Fraction) else parameter.root_of(divisor.top)
            if zero is not None:
                what = f"{formula_text(divisor, parameter.name)} is 0 at {parameter.name} = "
                message = f"this divides by 0 in the range: {what}{point_text(zero)}"
                hint = "choose a range in which no divisor is 0"
                self._read.wrong(node, "division-by-zero", message, hint)
                return Fraction(0)
        return self._not_negative(node, parameter, value)

    def _not_negative(self, node: Node, parameter: Parameter, value: Any) -> Fraction:
        if isinstance(value, ParameterNumber):
            at = parameter.negative_at((value.top, value.bottom))
        else:
            at = parameter.some_value if value < 0 else None
        if at is not None:
            found: Any = value.at(at) if isinstance(value, ParameterNumber) else value
            shown = f"{fraction_text(found)} at {parameter.name} = {fraction_text(at)}"
            message = f"the probability is {shown}, below 0"
            hint = f"it must be at least 0 for every {parameter.name} in {parameter}"
            self._read.wrong(node, "probability-range", message, hint)
            return Fraction(0)
        return self._at_most_one(node, value) if isinstance(value, Fraction) else cast(Any, value)

    def does_not_sum_to_one(self, node: Node, total: Symbolic, place: str) -> None:
        """Note that the entries of a row sum to a formula that is not 1."""
        assert self._parameter is not None
        found = formula_text(total, self._parameter.name)
        message = f"the probabilities {place} sum to {found}, not 1"
        hint = f"they must sum to 1 for every {self._parameter.name}"
        self._read.wrong(node, "row-sum", message, hint)


def _part(node: Node, begin: int, end: int) -> Node:
    """A part of a text that stands in the file as it is, else the whole."""
    if not node.plain or node.end_column != node.column + len(node.text):
        return node
    return replace(node, column=node.column + begin, end_column=node.column + end)
