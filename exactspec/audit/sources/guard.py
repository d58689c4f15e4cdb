"""Generators whose draws nobody answers: a run in which one of them moves is not audited.

A generator that a library made before the run, or a function of it that the program imported by name,
draws real numbers: the program would seem to be certain of what it is not.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import compress
from typing import Any

from exactspec.audit.world import World, current
from exactspec.errors import Diagnostic, Fault


class Watch:
    """Generators with the states that they should be in, as far as their moves are known of.

    Args:
        kinds: the classes of generators.
        state_of: the state of a generator, to compare.
        what: what has drawn when one of them moves unseen.
        hint: what the program should do.
    """

    def __init__(
        self, kinds: tuple[type, ...], state_of: Callable[[Any], Any], what: str, hint: str
    ) -> None:
        self._kinds, self._state_of = kinds, state_of
        self._what, self._hint = what, hint
        self._exploration: object = None
        self._found: list[Any] = []
        self._expected: dict[int, tuple[Any, Any]] = {}

    @contextmanager
    def over(self, world: World) -> Iterator[None]:
        """For one run: a fault of the run where a generator has moved that should not have."""
        if world.path is not self._exploration:
            gc.unfreeze()  # what a library has frozen is not listed
            self._exploration, self._found = world.path, generators(self._kinds)
        self._expected = {}
        for generator in self._found:
            self.seen(generator)
        try:
            yield
            self._compare(world)
        finally:
            self._expected = {}

    def check(self, generator: Any) -> None:
        """A generator is about to be moved by the audit or seeded: nobody has moved it unseen before.

        Raises:
            Fault: where somebody has.
        """
        known = self._expected.get(id(generator))
        if known is not None and known[1] != self._state_of(generator):
            fault = uncontrolled(self._what, self._hint)
            current().fault = current().fault or fault
            raise fault

    def seen(self, generator: Any) -> None:
        """A generator was moved by the audit, or seeded by the program: this is its state now."""
        self._expected[id(generator)] = (generator, self._state_of(generator))

    def moved(self, generator: Any) -> None:
        """A generator was moved by the audit; one that was made in the run needs no watching."""
        if id(generator) in self._expected:
            self.seen(generator)

    def _compare(self, world: World) -> None:
        if world.fault is None and any(
            self._state_of(generator) != state for generator, state in self._expected.values()
        ):
            world.fault = uncontrolled(self._what, self._hint)


def generators(kinds: tuple[type, ...]) -> list[Any]:
    """Every object of these classes that there is."""
    wanted = set(kinds)
    for kind in kinds:
        wanted |= _below(kind)
    objects = gc.get_objects()
    return list(compress(objects, map(wanted.__contains__, map(type, objects))))


def _below(kind: type) -> set[type]:
    """All classes derived from a class."""
    derived: set[type] = set(kind.__subclasses__())
    return derived.union(*map(_below, derived))


def uncontrolled(what: str, hint: str) -> Fault:
    """The fault of a program that draws real random numbers."""
    return Fault(Diagnostic("audit-uncontrolled-generator", what, hint))
