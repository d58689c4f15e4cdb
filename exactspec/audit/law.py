"""The exact law of what a program returns: it is run once for every combination of random outcomes."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from time import perf_counter
from typing import Any

from exactspec.audit.sources import loaded
from exactspec.audit.world import RATIONAL, Cut, Raised, Source, Unmergeable, World, misuse
from exactspec.chance import Draw, draws_in
from exactspec.errors import BudgetReached, Diagnostic, Fault, InternalError
from exactspec.expand.replay import Decision, follow_next

MAX_REPLAYS = 200_000
_RERUN = (1, 2, 3)
_MOST_TOGETHER = 4096
_MOST_RESTARTS = 20


@dataclass(frozen=True)
class Law:
    """The exact law of a program's outcomes.

    Args:
        masses: outcome -> exact probability; they sum to one.
        level: how numbers were followed: ``rational``, ``float`` or ``grid``.
        replays: how often the program ran.
        seconds: how long that took.
        uncertainty: how much probability idealisations may have moved at most.
        notes: what was idealised, and where numbers became floats, in words.
        unit: the relative rounding of the coarsest floats that the program was given.
        is_rounded: whether a number that was followed exactly became a float.
    """

    masses: dict[Any, Fraction]
    level: str
    replays: int
    seconds: float
    uncertainty: Fraction = Fraction(0)
    notes: tuple[str, ...] = ()
    unit: Fraction = Fraction(0)
    is_rounded: bool = False

    def __getitem__(self, outcome: Hashable) -> Fraction:
        return self.masses.get(outcome, Fraction(0))

    @property
    def crashes(self) -> dict[Raised, Fraction]:
        """The exceptions that the program ends in, with their probabilities."""
        return {o: mass for o, mass in self.masses.items() if isinstance(o, Raised)}


class _Outcomes:
    """Outcomes with their masses, as they come in."""

    def __init__(self) -> None:
        self.masses: dict[Any, Fraction] = {}

    def add(self, outcome: Any, mass: Fraction) -> None:
        try:
            before = self.masses.get(outcome, Fraction(0))
        except TypeError:
            what = f"the outcome of a run is no hashable value: {outcome!r}"
            raise misuse(what[:300]) from None
        self.masses[outcome] = before + mass


class _Visit(_Outcomes):
    """A state that a path has come to, while what follows from it is explored."""

    def __init__(self, state: Hashable, depth: int, mass: Fraction) -> None:
        super().__init__()
        self.state, self.depth, self.mass = state, depth, mass


class Merging:
    """Follows a program from each state of its own only once."""

    def __init__(self) -> None:
        self.open: list[_Visit] = []
        self.known: dict[Hashable, dict[Any, Fraction]] = {}

    def reach(self, world: World, state: Hashable) -> None:
        """A run has come to a state."""
        if world.cut is not None:
            raise world.cut
        if state in self.known:
            world.cut = Cut(state)
            raise world.cut
        depth = world.asked
        if not any(v.depth == depth and v.state == state for v in self.open):
            self.open.append(_Visit(state, depth, world.mass))

    def close_behind(self, decisions: Sequence[Decision]) -> None:
        """The decision that was made last is made anew: what lay behind it is explored to its end."""
        while self.open and self.open[-1].depth >= len(decisions):
            visit = self.open.pop()
            self.known[visit.state] = {o: m / visit.mass for o, m in visit.masses.items()}


class Exploration:
    """All runs of a program, depth first: iterate, and run the program in each world.

    A few paths are followed twice, to see whether they come out alike. An exception that leaves the
    block is the run's outcome.

    >>> import random
    >>> worlds = Exploration()
    >>> for world in worlds:
    ...     with world:
    ...         coin = random.choice(["head", "tail", "edge"])
    ...         if coin == "edge":
    ...             raise RuntimeError("the coin stands")
    ...         world.emit(coin)
    >>> for outcome, mass in worlds.law().masses.items():
    ...     print(f"{outcome}: {mass}")
    head: 1/3
    tail: 1/3
    RuntimeError: the coin stands: 1/3

    Args:
        level: ``rational``, ``float`` or ``grid``.
        sources: the libraries whose random numbers are answered, asked for before each run.
        max_replays: more runs than this are undecided.
        merge: whether states that the program declares by ``boundary`` are followed only once.

    Raises:
        BudgetReached: (when iterated) after ``max_replays`` runs.
        Fault: (when iterated) where the program's law can't be found.
    """

    def __init__(
        self,
        level: str = RATIONAL,
        sources: Callable[[], Sequence[Source]] = loaded,
        max_replays: int = MAX_REPLAYS,
        merge: bool = True,
    ) -> None:
        self._level, self._sources, self._max_replays = level, sources, max_replays
        self._started = perf_counter()
        self.replays = self._restarts = 0
        self._start(Merging() if merge else None)

    def _start(self, merging: Merging | None) -> None:
        self._merging = merging
        self._decisions: list[Decision] = []
        self._first: tuple[list[Decision], World] | None = None
        self._total = _Outcomes()
        self._notes: set[str] = set()
        self._uncertainty = self._unit = Fraction(0)
        self._is_rounded = self._is_done = False

    def __iter__(self) -> Iterator[World]:
        while not self._is_done:
            if self.replays == self._max_replays:
                raise BudgetReached(
                    "replays",
                    f"the program was run {self.replays:,} times and its outcomes are not all seen",
                    "fewer drafts, tokens or a smaller vocabulary; or --max-replays",
                )
            sources = self._sources()
            world = self._new_world(sources)
            yield world
            if isinstance(world.outcome, Unmergeable):
                self._start(None)
                continue
            if world.is_outdated():
                self._start_with_another_library()
                continue
            self._count(world)
            if self.replays in _RERUN and not isinstance(world.outcome, Cut):
                again = self._new_world(sources)
                yield again
                _compare(world, again)
            if self.replays == 1 and not isinstance(world.outcome, Cut):
                self._first = list(map(copy, self._decisions)), world
            self._advance()
        if self._first is not None and self.replays > max(_RERUN):
            yield from self._first_again(*self._first)

    def _first_again(self, decisions: list[Decision], first: World) -> Iterator[World]:
        """The first path once more behind all others: what a program has kept since then shows."""
        self._first = None
        again = World(decisions, self._level, first.sources)
        yield again
        if not again.is_outdated():
            _compare(first, again)

    def _start_with_another_library(self) -> None:
        self._restarts += 1
        if self._restarts > _MOST_RESTARTS:
            raise InternalError("the libraries that are imported differ in every run")
        self._start(Merging() if self._merging else None)

    def _new_world(self, sources: Sequence[Source]) -> World:
        world = World(self._decisions, self._level, sources)
        world.merging = self._merging
        world.is_outdated = lambda: list(self._sources()) != list(sources)
        return world

    def _count(self, world: World) -> None:
        """A run is over: add what it has come to."""
        _check_is_over(world)
        self.replays += 1
        self._notes |= world.notes
        # what lies behind a cut was idealised on other runs
        behind = self._uncertainty if isinstance(world.outcome, Cut) else 0
        self._uncertainty = max(self._uncertainty, world.uncertainty + behind)
        self._unit = max(self._unit, world.unit)
        self._is_rounded |= world.is_rounded
        for result, share in self._results(world.outcome):
            self._total.add(result, world.mass * share)
            for visit in self._merging.open if self._merging else ():
                visit.add(result, world.mass * share)
        world.end()

    def _results(self, outcome: Any) -> Iterator[tuple[Any, Fraction]]:
        if isinstance(outcome, Cut) and self._merging:
            return iter(self._merging.known[outcome.state].items())
        return expanded(outcome)

    def _advance(self) -> None:
        """Turn to the next path."""
        self._is_done = not follow_next(self._decisions)
        if self._merging:
            self._merging.close_behind(self._decisions)

    def law(self) -> Law:
        """The law of all outcomes.

        Raises:
            Fault: where there are runs that were not made.
            InternalError: where the masses don't sum to one.
        """
        if not self._is_done:
            raise misuse("the law was asked for before every run was made")
        total = sum(self._total.masses.values(), Fraction(0))
        if total != 1:
            raise InternalError(f"the outcomes of an audited program sum to {total}, not 1")
        return Law(
            self._total.masses,
            self._level,
            self.replays,
            perf_counter() - self._started,
            self._uncertainty,
            tuple(sorted(self._notes)),
            self._unit,
            self._is_rounded,
        )


def law_of(program: Callable[[], Any], exploration: Exploration) -> Law:
    """The law of what a program returns."""
    for world in exploration:
        with world:
            world.emit(program())
    return exploration.law()


def _check_is_over(world: World) -> None:
    if not world.has_emitted:
        raise Fault(
            Diagnostic(
                "audit-nothing-emitted",
                "a run ended without an outcome",
                "call world.emit(...) inside `with world:`, once in each run",
            )
        )
    world.check_all_asked()


def _compare(world: World, again: World) -> None:
    """Two runs of one path."""
    _check_is_over(again)
    first, second = _settled(world.outcome), _settled(again.outcome)
    if first != second:
        raise world.differing(f"returned {first!r}", f"returned {second!r}", world.steps())
    again.end()


def _undecided(outcome: Any) -> list[Draw[Any]]:
    found: list[Draw[Any]] = []
    for draw in draws_in(outcome):
        if not draw.is_decided and not any(draw is other for other in found):
            found.append(draw)
    return found


def expanded(outcome: Any) -> Iterator[tuple[Any, Fraction]]:
    """The outcomes that a result stands for: a draw that nobody has looked at is a law of its own.

    Draws are independent of each other as long as nobody looks, so no run is needed for each of them.
    """
    draws = _undecided(outcome)
    size = prod(len(draw.distribution) for draw in draws)
    if size > _MOST_TOGETHER:
        raise Fault(
            Diagnostic(
                "audit-too-many-outcomes",
                f"one run of the program stands for {size:,} outcomes",
                "fewer tokens, or a smaller vocabulary",
            )
        )
    for choice in product(*(draw.distribution.items() for draw in draws)):
        mass = prod((weight for _, weight in choice), start=Fraction(1))
        chosen = [(draw, value) for draw, (value, _) in zip(draws, choice, strict=True)]
        yield _settled(outcome, chosen), mass


def _settled(outcome: Any, chosen: Sequence[tuple[Draw[Any], Any]] = ()) -> Any:
    """An outcome with its draws replaced: by what was chosen, what they came to, or their laws."""
    if isinstance(outcome, Draw):
        for draw, value in chosen:
            if draw is outcome:
                return value
        return outcome.look() if outcome.is_decided else outcome.distribution
    if isinstance(outcome, tuple):
        return tuple(_settled(each, chosen) for each in outcome)
    return outcome
