"""Expressions in one parameter: read by a grammar of ours into steps, worked out for any value.

sum     = product, then any number of: + product or - product
product = signed, then any number of: * signed or / signed
signed  = power, or - signed
power   = atom, or atom ^ n, or atom ** n, where n is a whole number
atom    = number, or name, or ( sum )
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul, sub, truediv
from typing import Any

from exactspec.numbers import LONGEST_NUMBER, NumberError, parse_number
from exactspec.text import brief

LARGEST_POWER = 30
LARGEST_DEGREE = 30
DEEPEST = 20
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,29}", re.ASCII)
_WORD = re.compile(r" *(\*\*|[-+*/^()]|[0-9]+(?:\.[0-9]+)?|[A-Za-z][A-Za-z0-9_]*)", re.ASCII)
_EXAMPLE = "for example: 1 - t, t/2, 2*t*(1 - t), t^2"
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "/": truediv}


class ExpressionError(ValueError):
    """A text that is no expression, or one that is too large, with the way to write it.

    Args:
        message: what is wrong.
        hint: how to write it.
        begin: where in the text; ``end`` is the first character behind.
    """

    def __init__(self, message: str, hint: str, begin: int, end: int) -> None:
        self.hint, self.begin, self.end = hint, begin, end
        super().__init__(message)


class DivisionByZero(ArithmeticError):
    """A divisor that has no value other than 0."""


@dataclass(frozen=True)
class Expression:
    """An expression as steps on a pile: a number or the parameter goes on top, an operation takes two off.

    Args:
        steps: the steps in their order; None is the parameter, a whole number behind ``^`` a power.
    """

    steps: tuple[tuple[str, Any], ...]

    def at(self, value: Any, divisor: Callable[[Any], None] = lambda number: None) -> Any:
        """Its value where the parameter has this one.

        Args:
            value: the parameter's; any exact number.
            divisor: told every number that is divided by.

        Raises:
            DivisionByZero: where a divisor is 0.

        >>> parsed("2*t*(1 - t)", "t").at(Fraction(1, 4))
        Fraction(3, 8)
        """
        pile: list[Any] = []
        for kind, content in self.steps:
            if kind == "number":
                pile.append(value if content is None else content)
            elif kind == "^":
                pile[-1] = pile[-1] ** content
            else:
                above = pile.pop()
                if kind == "/":
                    if above == 0:
                        raise DivisionByZero
                    divisor(above)
                pile[-1] = _OPERATIONS[kind](pile[-1], above)
        (result,) = pile
        return result


def parsed(text: str, name: str) -> Expression:
    """The expression that a text stands for.

    Args:
        text: as the model file has it.
        name: the parameter's.

    Raises:
        ExpressionError: for everything else.
    """
    if len(text) > LONGEST_NUMBER:
        message = f"an expression of {len(text):,} characters, the limit is {LONGEST_NUMBER:,}"
        raise ExpressionError(message, "write it shorter", 0, len(text))
    reader = _Reader(text, name)
    reader.sum(0)
    if reader.word:
        reader.refuse(f"found {brief(reader.word)}, expected an operation or the end", _EXAMPLE)
    return Expression(tuple(reader.steps))


@dataclass
class _Size:
    """How large an expression can become: degrees of numerator and denominator, and about how many digits."""

    top: int
    bottom: int
    digits: int

    @property
    def degree(self) -> int:
        return max(self.top, self.bottom)

    def joined(self, kind: str, other: "_Size") -> "_Size":
        """The size of the result of an operation."""
        digits = self.digits + other.digits
        if kind == "*":
            return _Size(self.top + other.top, self.bottom + other.bottom, digits)
        if kind == "/":
            return _Size(self.top + other.bottom, self.bottom + other.top, digits)
        top = max(self.top + other.bottom, other.top + self.bottom)
        return _Size(top, self.bottom + other.bottom, digits)


class _Reader:
    """Reads one word after another, and keeps the steps."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self.steps: list[tuple[str, Any]] = []
        self._words = self._all_words()
        self._next()

    def _all_words(self) -> Iterator[tuple[str, int, int]]:
        position = 0
        length = len(self._text.rstrip(" "))
        while position < length:
            found = _WORD.match(self._text, position)
            if found is None:
                begin = (
                    position + len(self._text[position:]) - len(self._text[position:].lstrip(" "))
                )
                what = f"found {brief(self._text[begin])}, which belongs to no expression"
                raise ExpressionError(what, _EXAMPLE, begin, begin + 1)
            yield found[1], found.start(1), found.end(1)
            position = found.end()
        yield "", length, length + 1

    def _next(self) -> None:
        self.word, self.begin, self.end = next(self._words)

    def refuse(self, message: str, hint: str) -> None:
        """An error at the word at hand."""
        raise ExpressionError(message, hint, self.begin, self.end)

    def sum(self, depth: int) -> _Size:
        """Products with + and - between them."""
        size = self._product(depth)
        while self.word in ("+", "-"):
            size = self._operation(self.word, size, self._product, depth)
        return size

    def _product(self, depth: int) -> _Size:
        size = self._signed(depth)
        while self.word in ("*", "/"):
            size = self._operation(self.word, size, self._signed, depth)
        return size

    def _operation(
        self, kind: str, size: _Size, operand: Callable[[int], _Size], depth: int
    ) -> _Size:
        self._next()
        other = operand(depth)
        self.steps.append((kind, None))
        return self._checked(size.joined(kind, other))

    def _signed(self, depth: int) -> _Size:
        minus = 0
        while self.word == "-":
            minus += 1
            self._next()
        size = self._power(depth)
        if minus % 2:
            self.steps += [("number", Fraction(-1)), ("*", None)]
        return size

    def _power(self, depth: int) -> _Size:
        size = self._atom(depth)
        if self.word not in ("^", "**"):
            return size
        self._next()
        if not self.word.isdigit() or len(self.word) > 3 or int(self.word) > LARGEST_POWER:
            self.refuse(
                f"found the power {brief(self.word) if self.word else 'nothing'}, "
                f"expected a whole number from 0 to {LARGEST_POWER}",
                _EXAMPLE,
            )
        power = int(self.word)
        self.steps.append(("^", power))
        self._next()
        return self._checked(_Size(size.top * power, size.bottom * power, size.digits * power))

    def _checked(self, size: _Size) -> _Size:
        if size.degree > LARGEST_DEGREE or size.digits > LONGEST_NUMBER:
            what = (
                f"a degree of up to {size.degree:,}, the limit is {LARGEST_DEGREE}"
                if size.degree > LARGEST_DEGREE
                else f"numbers of up to {size.digits:,} digits, the limit is {LONGEST_NUMBER:,}"
            )
            raise ExpressionError(
                f"the expression has {what}", "write a simpler one", 0, len(self._text)
            )
        return size

    def _atom(self, depth: int) -> _Size:
        word = self.word
        if word == "(":
            return self._in_brackets(depth)
        if word[:1].isdigit():
            return self._number(word)
        if word == self._name:
            self._next()
            self.steps.append(("number", None))
            return _Size(1, 0, 1)
        if word[:1].isalpha():
            self.refuse(
                f"{brief(word)} is not known; the parameter is {self._name}",
                f"write {self._name}, or declare {brief(word)} in its place",
            )
        found = brief(word) if word else "the end"
        self.refuse(f"found {found}, expected a number, {self._name} or a bracket", _EXAMPLE)
        raise AssertionError

    def _number(self, word: str) -> _Size:
        self._next()
        try:
            self.steps.append(("number", parse_number(word)))
        except NumberError as error:
            self.refuse(str(error), error.hint)
        return _Size(0, 0, len(word))

    def _in_brackets(self, depth: int) -> _Size:
        if depth == DEEPEST:
            self.refuse(f"more than {DEEPEST} brackets inside each other", "multiply some out")
        self._next()
        size = self.sum(depth + 1)
        if self.word != ")":
            found = brief(self.word) if self.word else "the end"
            self.refuse(f"found {found}, expected a closing bracket", "close every bracket")
        self._next()
        return size
