"""Every path of one round: the rule is run again and again, each time with other answers.

What comes in is a function that runs one round with a given ``Chance``; what goes out is one
``Path`` after another, depth first, none of them kept.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, TypeVar, cast

from exactspec.chance import Chance, Draw, Token
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault
from exactspec.rule import Drafted, Round, as_round
from exactspec.text import fraction_text, show, show_token

T = TypeVar("T", bound=Hashable)
LONGEST_PATH = 100_000
_STEPS_SHOWN = 8
_FIRST_PATHS = 16
_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Step:
    """One decided question of a path: its kind (draw, accept, compare), label, outcome, probability."""

    kind: str
    label: str
    outcome: Any
    probability: Fraction

    @property
    def name(self) -> str:
        """What the proof tree calls the step: accept, reject, a comparison, or the label of a draw."""
        if self.kind == "accept":
            return "accept" if self.outcome else "reject"
        return f"not {self.label}" if self.kind == "compare" and not self.outcome else self.label

    def describe(self) -> str:
        """The step in words, for messages."""
        if self.kind == "draw":
            what = f" {show_token(str(self.outcome))}"
        else:
            what = ": yes" if self.outcome else ": no"
        return f"{show(self.label)}{what} ({fraction_text(self.probability)})"


def steps_text(steps: Sequence[Step]) -> str:
    """The steps of a path in words; of a long one the first and the last."""
    left_out = len(steps) - 2 * _STEPS_SHOWN
    if left_out <= 1:
        return ", ".join(step.describe() for step in steps) or "(no draw)"
    first, last = steps[:_STEPS_SHOWN], steps[-_STEPS_SHOWN:]
    return f"{steps_text(first)}, ... {left_out:,} more ..., {steps_text(last)}"


@dataclass(frozen=True, slots=True)
class Path:
    """One run of a round: its decided steps, what it emitted, and its mass.

    ``last`` is the law of a further emitted token that the rule never looked at, under the label
    ``last_label``; a path with it stands for one path for each outcome.
    """

    steps: tuple[Step, ...]
    mass: Fraction
    tokens: tuple[Token, ...]
    last: Distribution[Token] | None
    last_label: str
    accepted: int | None
    state: Hashable
    drafting: tuple[Drafted, ...]
    other_drafts: int
    first_new_step: int


class Decision:
    """A question of the current path: all its outcomes, and which one is being followed."""

    __slots__ = (
        "_mass_before",
        "_outcomes",
        "_position",
        "distribution",
        "kind",
        "label",
        "mass",
        "step",
    )

    def __init__(
        self, kind: str, label: str, distribution: Distribution[Any], mass_before: Fraction
    ) -> None:
        self.kind, self.label, self.distribution = kind, label, distribution
        self._outcomes, self._mass_before = tuple(distribution.items()), mass_before
        self._follow(0)

    def _follow(self, position: int) -> None:
        self._position = position
        outcome, probability = self._outcomes[position]
        self.step = Step(self.kind, self.label, outcome, probability)
        self.mass = self._mass_before if probability == 1 else self._mass_before * probability

    def advance(self) -> bool:
        """Go on to the next outcome; False where there is none."""
        if self._position + 1 == len(self._outcomes):
            return False
        self._follow(self._position + 1)
        return True


class Replay(Chance):
    """A chance that gives recorded answers first, then the first outcome of each new question."""

    def __init__(self, decisions: list[Decision], longest_path: int) -> None:
        super().__init__()
        self._decisions = decisions
        self._asked = 0
        self._longest_path = longest_path
        self._is_over = False

    def end(self) -> None:
        """The run is over: what is undecided stays so, and nothing holds it in a circle."""
        self._is_over = True
        self.drafting = []

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        if self._is_over:
            raise Fault(
                Diagnostic(
                    "rule-late-look",
                    f"the draw {show(label)!r} was looked at after its round was over",
                    "keep nothing between rounds but Round(state=...), and carry tokens in tuples",
                )
            )
        position = self._asked
        self._asked += 1
        if position == len(self._decisions):
            self._record(kind, label, distribution)
        decision = self._decisions[position]
        if decision.distribution != distribution or (decision.kind, decision.label) != (
            kind,
            label,
        ):
            raise self.differing(
                f"asked for {_question(decision.kind, decision.label, decision.distribution)}",
                f"asked for {_question(kind, label, distribution)}",
                self.steps(position),
            )
        return cast(T, decision.step.outcome)

    def _record(self, kind: str, label: str, distribution: Distribution[Any]) -> None:
        if len(self._decisions) >= self._longest_path:
            raise Fault(
                Diagnostic(
                    "rule-endless",
                    f"one path of the round asked more than {self._longest_path:,} questions",
                    "a round must come to an end on every path",
                )
            )
        mass = self._decisions[-1].mass if self._decisions else _ONE
        self._decisions.append(Decision(kind, label, distribution, mass))

    @property
    def asked(self) -> int:
        """How many questions the run has asked so far."""
        return self._asked

    @property
    def mass(self) -> Fraction:
        return self._decisions[-1].mass if self._decisions else _ONE

    def steps(self, count: int | None = None) -> tuple[Step, ...]:
        """The decided steps so far."""
        return tuple(decision.step for decision in self._decisions[: self._asked][:count])

    def check_all_asked(self) -> None:
        """A run is over: the questions that it was to ask again must all have been asked."""
        if self._asked != len(self._decisions):
            unasked = self._decisions[self._asked]
            raise self.differing(
                f"asked for {_question(unasked.kind, unasked.label, unasked.distribution)}",
                "returned without a further question",
                self.steps(),
            )

    def differing(self, first: str, second: str, steps: tuple[Step, ...]) -> Fault:
        """The fault of two runs that differ after the same answers."""
        return not_deterministic(first, second, steps)


def follow_next(decisions: list[Decision]) -> bool:
    """Turn to the next path, depth first; False where every path has been followed."""
    while decisions and not decisions[-1].advance():
        decisions.pop()
    return bool(decisions)


def _path(replay: Replay, outcome: Round, first_new_step: int) -> Path:
    """What a run of a round has come to."""
    replay.check_all_asked()
    *first, last = outcome.tokens or (None,)
    open_end = isinstance(last, Draw) and not last.is_decided
    tokens = tuple(first) if open_end else tuple(outcome.tokens)
    if isinstance(last, Draw) and not open_end:
        tokens = (*first, last.look())
    return Path(
        steps=replay.steps(),
        mass=replay.mass,
        tokens=tokens,
        last=cast(Draw[Token], last).distribution if open_end else None,
        last_label=cast(Draw[Token], last).label if open_end else "",
        accepted=outcome.accepted,
        state=outcome.state,
        drafting=cast(tuple[Drafted, ...], tuple(replay.drafting)),
        other_drafts=replay.draft_draws - sum(drafted.drawn() for drafted in replay.drafting),
        first_new_step=first_new_step,
    )


def not_deterministic(first: str, second: str, steps: tuple[Step, ...]) -> Fault:
    """The fault of a rule that does different things after the same answers."""
    return Fault(
        Diagnostic(
            "rule-not-deterministic",
            "the rule is not deterministic given its draws: two runs with the same answers differ",
            "take every random number from chance; keep nothing between rounds but Round(state=...); "
            "don't iterate over sets",
            notes=(
                f"after: {steps_text(steps)}",
                f"first run:  {first}",
                f"second run: {second}",
            ),
        )
    )


def _question(kind: str, label: str, distribution: Distribution[Any]) -> str:
    if kind != "draw":
        return f"a coin {show(label)!r} with probability {fraction_text(distribution[True])}"
    return f"a draw {show(label)!r} from {distribution!r}"


def paths_of(
    run: Callable[[Chance], object], *, longest_path: int = LONGEST_PATH, again: int = 0
) -> Iterator[Path]:
    """Every path of a round, depth first, with its exact mass; the masses sum to one.

    Args:
        run: runs the round once with the chance that it is given, and returns what the rule returned.
        longest_path: more questions than this on one path are a fault.
        again: how often to run every path once more and compare, which finds rules with randomness
            of their own: eight times as often for the first paths, where few runs may agree by chance.

    Raises:
        Fault: whatever the rule does that no law can be given for.
    """
    decisions: list[Decision] = []
    kept = 0
    for number in count():
        path = _run_once(run, decisions, longest_path, kept)
        for _ in range(again * 8 if number < _FIRST_PATHS else again):
            _compare(path, _run_once(run, decisions, longest_path, kept))
        yield path
        if not follow_next(decisions):
            return
        kept = len(decisions) - 1


def _run_once(
    run: Callable[[Chance], object], decisions: list[Decision], longest_path: int, kept: int
) -> Path:
    replay = Replay(decisions, longest_path)
    try:
        return _path(replay, as_round(run(replay), replay), kept)
    except BaseException as error:
        error.__dict__.setdefault("exactspec_steps", replay.steps())
        raise
    finally:
        replay.end()


def _compare(first: Path, second: Path) -> None:
    def result(path: Path) -> tuple[object, ...]:
        return path.tokens, path.last, path.accepted, path.state

    if result(first) != result(second):
        raise not_deterministic(
            f"returned {result(first)!r}", f"returned {result(second)!r}", first.steps
        )
