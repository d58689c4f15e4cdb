"""What is drawn from a generator: the same state gives the same numbers, as it does in PyTorch."""

import ctypes
from collections.abc import Callable, Hashable
from typing import Any

import torch

from exactspec.audit.world import World


class State:
    """A generator's state before a draw, and after it."""

    def __init__(self, world: World, generator: Any) -> None:
        self.world = world
        self._generator = torch.default_generator if generator is None else generator
        self.before = self._now()

    def _now(self) -> bytes:
        state = self._generator.get_state()
        return ctypes.string_at(state.data_ptr(), state.numel())

    @property
    def has_moved(self) -> bool:
        """Whether something was drawn since."""
        return self._now() != self.before

    def numbers(self, kind: Hashable, count: int, draw: Callable[[], Any]) -> list[Any]:
        """So many numbers of a kind; called after the generator has moved on.

        Who draws them anew from the same state, at once or one by one, gets the same ones.
        """
        if not count:
            return []
        known, start = self._stream(kind)
        while len(known) < start + count:
            known.append(draw())
        # what is drawn next is no use of what was drawn before, unless it was drawn already: it is
        # the symbols that know in which part of the run they were drawn
        dict.setdefault(self.world.by_state, (self._now(), kind), (known, start + count))
        return known[start : start + count]

    def outcomes(self, kind: Hashable, draw: Callable[[], list[Any]]) -> list[Any]:
        """What one draw comes to, whose arguments are a part of its kind."""
        known, _ = self._stream(kind)
        if not known:
            known += draw()
        return known

    def _stream(self, kind: Hashable) -> tuple[list[Any], int]:
        """The numbers drawn from this state, which may begin inside those of an earlier one."""
        by_state: dict[Hashable, Any] = self.world.by_state
        if dict.setdefault(by_state, ("torch", self.before), kind) != kind:
            self.world.refuse(
                "audit-no-rule",
                "one state of a generator is used for two different draws",
                "seed a generator once, or use one for each kind of draw",
            )
        start: tuple[list[Any], int] = dict.setdefault(by_state, (self.before, kind), ([], 0))
        return start
