"""Who answers what a rule asks about a number, and remembers what was worked out for it."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NoReturn, Protocol

from exactspec.prove.polynomial import Polynomial
from exactspec.prove.signs import Signs
from exactspec.prove.world import World

Operation = Callable[[Any, Any], Any]
Memory = dict[tuple[str, int, int], tuple[Any, Any, Any]]


class Unreadable(BaseException):
    """The rule does with a number what can't be followed for all tables at once."""


class Reader(Protocol):
    """Who answers what a rule asks about a number."""

    world: World
    memory: "Memory | None"

    def sign(self, polynomial: Polynomial, choices: tuple[Signs, ...]) -> Signs:
        """Which of some sets of signs that of a polynomial is in."""

    def world_signs(self, polynomial: Polynomial) -> Signs:
        """The signs that a polynomial can have in any table, so far as that is soon found."""

    def possible(self, polynomial: Polynomial) -> Signs:
        """The signs that a polynomial can have here, so far as that is found."""

    def vanishes(self, number: Any, other: Any) -> bool:
        """Whether a number is 0 in every table of this place in which another one is."""

    def constant(self, number: Fraction) -> Any:
        """A number as a formula, the same one each time."""

    def divides_by(self, divisors: Iterable[Polynomial]) -> None:
        """Note what a number is divided by, once it is known not to be 0."""

    def refuse(self, what: str) -> NoReturn:
        """End the reading: the rule does something that can't be followed."""


def worked_out_once(operation: Operation) -> Operation:
    """An operation that depends on its two sides alone: a run that is repeated finds its results again.

    A result is looked up by the identity of the two sides, which are kept with it.
    """
    name = operation.__name__

    def call(one: Any, other: Any) -> Any:
        memory = one.reader.memory
        if memory is None:
            return operation(one, other)
        key = name, id(one), id(other)
        if key not in memory:
            memory[key] = operation(one, other), one, other
        return memory[key][0]

    return call
