"""The laws by brute force: a recursion over whole histories that nobody optimises.

It imports nothing from exactspec. A rule's file is read as text and run with the helpers of this
module in the place of exactspec's, so that one source is judged twice. Every draw is decided at
once, a context is the tuple of all tokens so far, and no two histories are ever one state.
"""

import builtins
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

Tokens = tuple[str, ...]
Key = tuple[str | None, ...]
Law = dict[Tokens, Fraction]
Rule = Callable[..., Any]


class Row(dict[Any, Fraction]):
    """A law as a dict; what is left out has probability 0."""

    def __init__(self, weights: dict[Any, Any]) -> None:
        super().__init__({x: Fraction(w) for x, w in weights.items() if w})
        assert all(w > 0 for w in self.values())
        assert sum(self.values()) == 1

    @classmethod
    def normalised(cls, weights: dict[Any, Fraction]) -> "Row":
        return cls({x: w / sum(weights.values()) for x, w in weights.items()})

    @classmethod
    def one_hot(cls, outcome: Any) -> "Row":
        return cls({outcome: 1})

    def __missing__(self, outcome: object) -> Fraction:
        return Fraction(0)


@dataclass(frozen=True)
class Table:
    """Rows by context key; a key that begins with None is a whole history."""

    rows: dict[Key, Row]
    end: str | None = None

    def __call__(self, context: Tokens) -> Row:
        history: Key = (None, *context)
        for start in range(len(history) + 1):
            if history[start:] in self.rows:
                return self.rows[history[start:]]
        raise LookupError(context)

    def ends(self, tokens: Sequence[str]) -> bool:
        return len(tokens) > 0 and self.end is not None and tokens[-1] == self.end


class Broken(str):
    """An outcome that is no token, and equals none."""

    def __new__(cls, what: str) -> "Broken":
        return super().__new__(cls, f"<{what}>")


@dataclass(frozen=True)
class Setting:
    """What a rule is judged on."""

    target: Table
    draft: Table
    draft_length: int
    end: str | None = None
    prompt: Tokens = ()
    max_tokens: int | None = None
    cut_after_end: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def is_over(self, emitted: Tokens) -> bool:
        """Whether no round begins behind these tokens."""
        broken = any(isinstance(token, Broken) for token in emitted)
        at_its_length = self.max_tokens is not None and len(emitted) >= self.max_tokens
        return broken or self.end in emitted or at_its_length


def setting_of(scenario: Any) -> Setting:
    """The setting of a parsed model file, row by row."""

    def table(model: Any) -> Table:
        return Table({key: Row(dict(row.items())) for key, row in model.rows.items()}, scenario.end)

    return Setting(
        table(scenario.target),
        table(scenario.draft),
        scenario.draft_length,
        scenario.end,
        scenario.prompt,
        scenario.max_tokens,
        scenario.cut_after_end,
        dict(scenario.options),
    )


@dataclass(frozen=True)
class Round:
    tokens: Sequence[str]
    accepted: int | None = None
    state: Any = None


class Question(BaseException):
    """Asks for an outcome that the script does not hold yet."""

    def __init__(self, outcomes: list[tuple[Any, Fraction]]) -> None:
        self.outcomes = outcomes
        super().__init__()


class Chance:
    """Answers from a script; at its end it raises the question."""

    def __init__(self, script: tuple[Any, ...]) -> None:
        self.script, self.asked = script, 0

    def _answer(self, outcomes: Iterable[tuple[Any, Fraction]]) -> Any:
        if self.asked == len(self.script):
            raise Question(list(outcomes))
        self.asked += 1
        return self.script[self.asked - 1]

    def draw(self, row: Row, label: str = "draw") -> Any:
        return self._answer(row.items())

    def accept(self, probability: Fraction | int, label: str = "accept") -> bool:
        yes = Fraction(probability)
        assert 0 <= yes <= 1
        both = ((True, yes), (False, 1 - yes))
        return bool(self._answer((outcome, p) for outcome, p in both if p))

    def uniform(self, label: str = "u") -> "Uniform":
        return Uniform(self)

    def grid(self, steps: int, label: str = "u") -> "Grid":
        return Grid(self, [Fraction(n, steps) for n in range(steps)])

    def race(self, label: str = "race") -> "Race":
        return Race(self)


class Uniform:
    """A number in [low, high); a comparison inside it is a coin, and narrows it."""

    def __init__(self, chance: Chance) -> None:
        self.chance, self.low, self.high = chance, Fraction(0), Fraction(1)

    def __lt__(self, bound: Fraction) -> bool:
        if bound <= self.low or bound >= self.high:
            return bound >= self.high
        below = self.chance.accept((bound - self.low) / (self.high - self.low))
        self.low, self.high = (self.low, bound) if below else (bound, self.high)
        return below

    def __le__(self, bound: Fraction) -> bool:
        return self < bound

    def __ge__(self, bound: Fraction) -> bool:
        return not self < bound

    def __gt__(self, bound: Fraction) -> bool:
        return not self < bound

    def pick(self, row: Row) -> Any:
        reached = Fraction(0)
        for outcome, weight in row.items():
            reached += weight
            if self < reached:
                return outcome
        raise AssertionError


@dataclass
class Grid:
    """A number of a grid: one of those that all comparisons have left."""

    chance: Chance
    left: list[Fraction]

    def _is(self, true_of: Callable[[Fraction], bool]) -> bool:
        yes = [number for number in self.left if true_of(number)]
        shown = self.chance.accept(Fraction(len(yes), len(self.left)))
        self.left = [number for number in self.left if true_of(number) == shown]
        return shown

    def __lt__(self, bound: Fraction) -> bool:
        return self._is(lambda number: number < bound)

    def __le__(self, bound: Fraction) -> bool:
        return self._is(lambda number: number <= bound)


@dataclass
class Race:
    """Exponential times that two draws share; the least time over weight wins."""

    chance: Chance
    first: tuple[Row, Any] | None = None

    def draw(self, row: Row, label: str = "draw") -> Any:
        if self.first is None:
            self.first = row, self.chance.draw(row)
            return self.first[1]
        q, x = self.first
        others = {y: both_win(q, x, row, y) / q[x] for y in row if y != x}
        return self.chance.draw(Row({**others, x: 1 - sum(others.values())}))


def both_win(q: Row, x: object, r: Row, y: object) -> Fraction:
    """The probability that x wins with weights q, and another outcome y with weights r.

    Let x take the time t over its weight and y the time c t. Given c, what must not come first has
    the rate ``rate(c)``, so that the integral over t leaves q(x) r(y) / rate(c)^2; c runs from
    q(y)/r(y), where x is still the faster one of the first race, to q(x)/r(x).
    """

    def rate(c: Fraction) -> Fraction:
        others = (max(q[z], c * r[z]) for z in {*q, *r} - {x, y})
        return q[x] + c * r[y] + sum(others, Fraction(0))

    least = q[y] / r[y]
    bends = {q[z] / r[z] for z in r}
    cuts = sorted(c for c in bends if c >= least and (not r[x] or c <= q[x] / r[x]))
    pieces = ((b - a) / (rate(a) * rate(b)) for a, b in pairwise(cuts))
    endless = 0 if r[x] else 1 / rate(cuts[-1])
    return q[x] * r[y] * (sum(pieces, Fraction(0)) + endless)


@dataclass(frozen=True)
class End:
    """One way in which a round ends."""

    mass: Fraction
    tokens: Tokens
    accepted: int | None
    state: Any


def ends_of_round(
    rule: Rule, setting: Setting, emitted: Tokens, state: Any, script: tuple[Any, ...] = ()
) -> list[End]:
    """Every path of the round that begins behind the emitted tokens."""
    length = setting.draft_length
    if setting.max_tokens is not None:
        length = min(length, setting.max_tokens - len(emitted) - 1)
    given = {"draft_length": length, "state": state}
    wanted = inspect.signature(rule).parameters
    keywords = {name: value for name, value in given.items() if name in wanted}
    context = (*setting.prompt, *emitted)
    try:
        returned = rule(
            Chance(script), setting.target, setting.draft, context, **keywords, **setting.options
        )
    except Question as question:
        return [
            End(p * end.mass, end.tokens, end.accepted, end.state)
            for outcome, p in question.outcomes
            for end in ends_of_round(rule, setting, emitted, state, (*script, outcome))
        ]
    end = returned if isinstance(returned, Round) else Round(returned)
    tokens = tuple(end.tokens)
    if setting.cut_after_end:
        while setting.is_over((*emitted, *tokens[:-1])):
            tokens = tokens[:-1]
    return [End(Fraction(1), tokens, end.accepted, end.state)]


@dataclass
class Run:
    """What a rule emits up to a horizon.

    Args:
        law: probability of each output: an ended sequence, or the first tokens to the horizon.
        calls: expected number of rounds that begin before the horizon.
    """

    law: Law
    calls: Fraction

    @property
    def tokens(self) -> Fraction:
        """The expected length of an output."""
        return sum((len(output) * p for output, p in self.law.items()), Fraction(0))


def run(rule: Rule, setting: Setting, horizon: int) -> Run:
    """Every sequence of rounds, each begun behind its own whole history."""
    result = Run({}, Fraction(0))
    rounds: dict[tuple[Tokens, str], list[End]] = {}

    def follow(emitted: Tokens, state: Any, mass: Fraction) -> None:
        if setting.is_over(emitted) or len(emitted) >= horizon:
            output = emitted[:horizon]
            result.law[output] = result.law.get(output, Fraction(0)) + mass
            return
        result.calls += mass
        here = emitted, repr(state)
        if here not in rounds:
            rounds[here] = _summed(ends_of_round(rule, setting, emitted, state))
        for end in rounds[here]:
            follow((*emitted, *end.tokens), end.state, mass * end.mass)

    follow((), None, Fraction(1))
    return result


def _summed(ends: list[End]) -> list[End]:
    """Ends that no round behind them can tell apart as one."""
    found: dict[str, End] = {}
    for end in ends:
        name = repr((end.tokens, end.state))
        mass = end.mass + (found[name].mass if name in found else 0)
        found[name] = End(mass, end.tokens, None, end.state)
    return list(found.values())


def target_law(setting: Setting, horizon: int) -> Law:
    """The products of the target's conditionals."""
    law: Law = {}

    def follow(emitted: Tokens, mass: Fraction) -> None:
        if setting.is_over(emitted) or len(emitted) == horizon:
            law[emitted] = mass
            return
        for token, p in setting.target((*setting.prompt, *emitted)).items():
            follow((*emitted, token), mass * p)

    follow((), Fraction(1))
    return law


def total_variation(one: Law, other: Law) -> Fraction:
    outputs = {*one, *other}
    zero = Fraction(0)
    return sum((abs(one.get(x, zero) - other.get(x, zero)) for x in outputs), zero) / 2


def differing(one: Law, other: Law) -> dict[Tokens, tuple[Fraction, Fraction]]:
    """The outputs of different probability."""
    zero = Fraction(0)
    pairs = {x: (one.get(x, zero), other.get(x, zero)) for x in (*one, *other)}
    return {x: pair for x, pair in pairs.items() if pair[0] != pair[1]}


def draft_tokens(chance: Chance, draft: Table, context: Tokens, draft_length: int) -> Tokens:
    drafted: Tokens = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        drafted = (*drafted, chance.draw(draft((*context, *drafted))))
    return drafted


class Masses(dict[Any, Fraction]):
    @property
    def total(self) -> Fraction:
        return sum(self.values(), Fraction(0))


def excess(p: Row, q: Row, scale: Fraction | int = 1) -> Masses:
    return Masses({x: scale * p[x] - q[x] for x in p if scale * p[x] > q[x]})


def residual(p: Row, q: Row) -> Row:
    if not excess(p, q):
        raise ArithmeticError
    return Row.normalised(excess(p, q))


def positive_part(a: Fraction) -> Fraction:
    return max(a, Fraction(0))


def argmax(row: Row) -> Any:
    return next(x for x in row if row[x] == max(row.values()))


def temperature(row: Row, inverse: int) -> Row:
    return Row.normalised({x: w**inverse for x, w in row.items()})


def top_k(row: Row, count: int) -> Row:
    kept: dict[Any, Fraction] = {}
    while len(kept) < min(count, len(row)):
        best = argmax(Row.normalised({x: w for x, w in row.items() if x not in kept}))
        kept[best] = row[best]
    return Row.normalised({x: w for x, w in row.items() if x in kept})


def top_p(row: Row, mass: Fraction) -> Row:
    counts = range(1, len(row) + 1)
    return next(top_k(row, n) for n in counts if sum(row[x] for x in top_k(row, n)) >= mass)


def penalised(row: Row, factors: dict[Any, Fraction]) -> Row:
    return Row.normalised({x: w * factors.get(x, 1) for x, w in row.items()})


def allowed(row: Row, outcomes: Any) -> Row:
    return Row.normalised({x: w for x, w in row.items() if x in outcomes})


def algorithm(function: Rule | None = None, **known: Any) -> Any:
    return (lambda inner: inner) if function is None else function


HELPERS = SimpleNamespace(
    Broken=Broken,
    Chance=Chance,
    Context=tuple,
    Distribution=Row,
    Masses=Masses,
    Model=Table,
    Round=Round,
    Token=str,
    algorithm=algorithm,
    allowed=allowed,
    argmax=argmax,
    draft_tokens=draft_tokens,
    excess=excess,
    minimum=min,
    penalised=penalised,
    positive_part=positive_part,
    residual=residual,
    temperature=temperature,
    top_k=top_k,
    top_p=top_p,
)


def rules_in(path: Path) -> dict[str, Rule]:
    """The rules of a file, run with this module's helpers wherever it imports exactspec."""

    def its_import(name: str, *rest: Any, **more: Any) -> Any:
        helpers = name.partition(".")[0] == "exactspec"
        return HELPERS if helpers else builtins.__import__(name, *rest, **more)

    namespace: dict[str, Any] = {
        "__builtins__": {**vars(builtins), "__import__": its_import},
        "__name__": path.stem,
    }
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return {
        name: value
        for name, value in namespace.items()
        if inspect.isfunction(value) and value.__globals__ is namespace and name[0] != "_"
    }
