"""Where rounds begin, and the law of one round: how it ends, with which mass."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.errors import BudgetReached
from exactspec.expand.replay import Path

_ZERO = Fraction(0)
_DEEPEST_STATE = 100


@dataclass(frozen=True)
class State:
    """Where a round begins: what the models still see of the context, and what was carried over.

    ``key`` tells states apart; ``context`` is one context of the state, for people.
    """

    key: Hashable
    carried: Hashable = field(compare=False)
    tokens_left: int | None
    context: tuple[Token, ...] = field(compare=False)


STOPPED: Final = State("stopped", None, None, ())


class Outcome(NamedTuple):
    """One way in which a round ends: tokens, the law of an unlooked-at last one, state, accepted drafts.

    ``carried_key`` tells states apart that Python calls equal.
    """

    tokens: tuple[Token, ...]
    last: Distribution[Token] | None
    carried: Hashable
    accepted: int | None
    carried_key: Hashable

    @property
    def length(self) -> int:
        return len(self.tokens) + (self.last is not None)


def typed(value: Hashable, levels: int = _DEEPEST_STATE) -> Hashable:
    """A carried value with its types, because 1 == True and 0.0 == -0.0, and a rule could tell them apart.

    Raises:
        BudgetReached: where it is nested too deeply to be compared.
    """
    if levels == 0:
        raise BudgetReached(
            "state-depth",
            f"a state that is carried over is nested more than {_DEEPEST_STATE} levels deep",
            "carry flat tuples",
        )

    def inside(values: Iterable[Hashable]) -> Iterator[Hashable]:
        return (typed(each, levels - 1) for each in values)

    if isinstance(value, tuple):
        return type(value), tuple(inside(value))
    if isinstance(value, frozenset):
        return type(value), frozenset(inside(value))
    if isinstance(value, float):
        return type(value), value.hex()
    if is_dataclass(value):
        compared = (getattr(value, each.name) for each in fields(value) if each.compare)
        return type(value), value, tuple(inside(compared))
    return type(value), value


@dataclass
class RoundLaw:
    """The law of one round from one state, summed over all its paths.

    Args:
        outcomes: how the round ends -> mass.
        first_coins: (first drafted token, whether the first coin accepts) -> mass.
        reached: the kinds of steps that some path takes.
        drafted: expected number of drafted tokens, where the file has latencies.
        paths: how many paths there are; nodes: of the whole tree.
    """

    state: State
    outcomes: dict[Outcome, Fraction] = field(default_factory=dict)
    first_coins: dict[tuple[Token | None, bool], Fraction] = field(default_factory=dict)
    reached: dict[str, None] = field(default_factory=dict)
    drafted: Fraction | None = _ZERO
    paths: int = 0
    nodes: int = 1

    def add(self, path: Path) -> None:
        """Count one more path."""
        outcome = Outcome(path.tokens, path.last, path.state, path.accepted, typed(path.state))
        self.outcomes[outcome] = self.outcomes.get(outcome, _ZERO) + path.mass
        ends = 1 if path.last is None else len(path.last)
        self.paths += ends
        self.nodes += len(path.steps) - path.first_new_step + (0 if path.last is None else ends)
        coin = next((step.outcome for step in path.steps if step.kind == "accept"), None)
        if coin is not None:
            drafts = (step.outcome for step in path.steps if step.label == "draft")
            first = next(drafts, None), coin
            self.first_coins[first] = self.first_coins.get(first, _ZERO) + path.mass
        for step in path.steps[path.first_new_step :]:
            self.reached["compare" if step.kind == "compare" else step.name] = None
        if path.last is not None:
            self.reached[path.last_label] = None

    def add_drafted(self, path: Path, drafted: Fraction | None) -> None:
        """Count the tokens that one more path has drafted; None where a draft row is missing."""
        known = self.drafted is not None and drafted is not None
        self.drafted = self.drafted + path.mass * drafted if known else None  # type: ignore[operator]
