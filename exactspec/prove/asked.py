"""What Python asks of a number, put to whoever reads the rule, or refused.

A comparison and a truth test are questions; a hash, a text, a float or an index would tell what a formula
can't say.
"""

from abc import abstractmethod
from typing import Any, Self

from exactspec.numbers import Symbolic
from exactspec.prove.reader import Reader
from exactspec.prove.signs import NEGATIVE, POSITIVE, ZERO, Signs


class AskedNumber(Symbolic):
    """A number whose comparisons are asked for, and which is never looked at otherwise."""

    __slots__ = ()

    reader: Reader

    @abstractmethod
    def _lift(self, other: object) -> Any:
        """Another number as one of this kind; None where it is no number."""

    @abstractmethod
    def _plus(self, other: Any) -> "AskedNumber":
        """The sum with another number of this kind."""

    @abstractmethod
    def sign_in(self, choices: tuple[Signs, ...]) -> Signs:
        """Which of some sets of signs its own is in."""

    def _compared(self, other: object, choices: tuple[Signs, ...]) -> Signs:
        lifted = self._lift(other)
        if lifted is None:
            raise TypeError(f"a number was compared with a {type(other).__name__}")
        return self._plus(-lifted).sign_in(choices)

    def __lt__(self, other: object) -> bool:
        return self._compared(other, (NEGATIVE, ZERO | POSITIVE)) == NEGATIVE

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __gt__(self, other: object) -> bool:
        return self._compared(other, (NEGATIVE | ZERO, POSITIVE)) == POSITIVE

    def __le__(self, other: object) -> bool:
        return not self > other

    def __eq__(self, other: object) -> bool:
        if self._lift(other) is None:
            return NotImplemented
        return self._compared(other, (NEGATIVE, ZERO, POSITIVE)) == ZERO

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self.sign_in((NEGATIVE, ZERO, POSITIVE)) != ZERO

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __hash__(self) -> int:
        self.reader.refuse("the hash of a number is looked at")

    def __repr__(self) -> str:
        self.reader.refuse("a number is written out as a text")

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        self.reader.refuse("a number is written out as a text")

    def __float__(self) -> float:
        self.reader.refuse("a number is turned into a float")

    def __int__(self) -> int:
        self.reader.refuse("a number is turned into an int")

    __index__ = __trunc__ = __floor__ = __ceil__ = __round__ = __int__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.reader.refuse(f"the {name} of a number is looked at")
