"""Drawn outcomes, decided when somebody looks; and outcomes that are no token."""

from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass, replace
from operator import index
from typing import Any, Generic, Protocol, TypeVar, cast

from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault

T = TypeVar("T", bound=Hashable)
Token = str


class Broken(str):
    """An outcome that is no token: undefined, stuck, out of range. Nothing follows it.

    A rule emits it in a token's place; the target never does. It equals no token, whatever its name.

    >>> print(Broken("stuck"), Broken("stuck") == "<stuck>", Broken("stuck") == Broken("stuck"))
    <stuck> False True
    """

    __slots__ = ()

    def __new__(cls, what: str) -> "Broken":
        return super().__new__(cls, f"<{what}>")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Broken) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Broken, str(self)))

    def __getnewargs__(self) -> tuple[str]:
        return (str(self)[1:-1],)


class Decider(Protocol):
    """What settles a question that a rule has looked at."""

    draft_draws: int

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        """Choose one outcome."""


class Draw(Generic[T]):
    """A drawn outcome that is decided at the first look: comparing, hashing, printing, indexing by it."""

    __slots__ = ("_chance", "_decided", "_outcome", "distribution", "label")

    def __init__(self, chance: Decider, label: str, distribution: Distribution[T]) -> None:
        self._chance, self.label, self.distribution = chance, label, distribution
        self._decided = False
        self._outcome: T | None = None

    @property
    def is_decided(self) -> bool:
        return self._decided

    def is_of(self, chance: Decider) -> bool:
        """Whether this chance has drawn it, and not that of an earlier run."""
        return self._chance is chance

    def look(self) -> T:
        """The outcome, decided now if it was not before."""
        if not self._decided:
            self._outcome = self._chance.decide("draw", self.label, self.distribution)
            self._decided = True
        return cast(T, self._outcome)

    def __copy__(self) -> "Draw[T]":
        return self

    def __deepcopy__(self, memo: object) -> "Draw[T]":
        return self

    def __eq__(self, other: object) -> bool:
        return self.look() == (other.look() if isinstance(other, Draw) else other)

    def __hash__(self) -> int:
        return hash(self.look())

    def __lt__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) < plain(other))

    def __gt__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) > plain(other))

    def __le__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) <= plain(other))

    def __ge__(self, other: Any) -> bool:
        return bool(cast(Any, self.look()) >= plain(other))

    def __bool__(self) -> bool:
        return bool(self.look())

    def __index__(self) -> int:
        return index(cast(Any, self.look()))

    def __str__(self) -> str:
        return str(self.look())

    def __repr__(self) -> str:
        return repr(self.look())

    def __format__(self, spec: str) -> str:
        return format(self.look(), spec)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.look(), name)


def is_decided(value: object) -> bool:
    """Whether a value is a plain one, or a draw that somebody has looked at."""
    return not isinstance(value, Draw) or value.is_decided


def checked_label(label: object) -> str:
    """A label, which is a text.

    Raises:
        Fault: for anything else.
    """
    if isinstance(label, str):
        return str(label)
    message = f"a label of type {type(label).__name__}"
    raise Fault(Diagnostic("rule-label", message, 'say in words what it is for: "residual"'))


def plain_law(distribution: Distribution[T]) -> Distribution[T]:
    """A law with every draw among its outcomes decided."""
    if not any(True for _ in draws_in(tuple(distribution))):
        return distribution
    return Distribution({plain(outcome): weight for outcome, weight in distribution.items()})


def draws_in(value: Any) -> Iterator[Draw[Any]]:
    """Every draw in a value: by itself, and inside tuples, frozen sets and dataclasses."""
    if isinstance(value, Draw):
        yield value
    elif isinstance(value, tuple | frozenset):
        for inner in value:
            yield from draws_in(inner)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from draws_in(getattr(value, each.name))


def plain(value: Any) -> Any:
    """A value with every draw in it decided: by itself, and inside tuples, frozen sets and dataclasses."""
    if isinstance(value, Draw):
        return value.look()
    if type(value) is tuple or type(value) is frozenset:
        return type(value)(map(plain, value))
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(map(plain, value))
    if is_dataclass(value) and not isinstance(value, type) and any(True for _ in draws_in(value)):
        return replace(
            value, **{f.name: plain(getattr(value, f.name)) for f in fields(value) if f.init}
        )
    return value
