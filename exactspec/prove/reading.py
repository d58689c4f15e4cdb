"""One round of a rule on all tables at once: a tree of draws and of tests of numbers.

The rule is run again and again, as in the enumeration, each time with other answers. A question is
either a draw, whose outcomes have formulas as weights, or a test of the sign of a polynomial. A test
whose outcome is proved from what is known on the way there is no question.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn, TypeVar, cast

from exactspec.chance import Chance, Draw
from exactspec.distribution import Distribution
from exactspec.errors import BudgetReached, Fault, InternalError
from exactspec.prove.case import Case
from exactspec.prove.certificate import Certificate
from exactspec.prove.formula import Formula, same
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.reader import Memory, Unreadable
from exactspec.prove.signs import ANY, NEGATIVE, POSITIVE, ZERO, Signs
from exactspec.prove.tree import Asked, Leaf, Question
from exactspec.prove.world import World
from exactspec.rule import as_round

T = TypeVar("T", bound=Hashable)
_LONGEST_PATH = 10_000
_ONE_SIGN = (frozenset({-1}), frozenset({0}), frozenset({1}))


class Reading(Chance):
    """A chance that follows one run on all tables, and answers what the rule asks about numbers."""

    def __init__(self, world: World, notes: "Notes") -> None:
        super().__init__()
        self.world, self.notes = world, notes
        self.memory: Memory | None = {}
        self._vanishing: dict[tuple[int, Polynomial], tuple[bool, Formula]] = {}
        self._constants: dict[Fraction, Formula] = {}
        self._asked: list[Asked] = []
        self._reached = 0
        self.has_tested = False

    def start(self) -> None:
        """Begin a run with the answers that are recorded."""
        self._reached = 0
        self.draft_draws, self.drafting = 0, []

    @property
    def case(self) -> Case:
        """What is known where the run has come to."""
        return self._asked[self._reached - 1].case if self._reached else self.notes.start

    def refuse(self, what: str) -> NoReturn:
        """End the reading: the rule does something that can't be followed for all tables."""
        self.notes.refused = self.notes.refused or what
        raise Unreadable(what)

    def world_signs(self, polynomial: Polynomial) -> Signs:
        if self.world.is_not_negative(polynomial):
            return ZERO | POSITIVE
        if self.world.is_not_negative(-polynomial):
            return ZERO | NEGATIVE
        return ANY

    def possible(self, polynomial: Polynomial) -> Signs:
        signs = self.case.signs(polynomial)
        evidence = self.case.evidence(polynomial)
        if evidence is not None:
            self.notes.evidence.setdefault(polynomial, evidence)
        return signs

    def vanishes(self, number: Formula, other: Formula) -> bool:
        (factor, exponent), *more = other.powers.items() or [(None, 0)]
        if factor is None or more or exponent < 0:
            return number.is_zero
        if number.powers.get(factor, 0) > 0:
            return True
        key = id(number), factor
        if key not in self._vanishing:
            self._vanishing[key] = _is_zero(self.notes.start.where(factor, ZERO), number), number
        return self._vanishing[key][0] or _is_zero(self.case.where(factor, ZERO), number)

    def constant(self, number: Fraction) -> Formula:
        if number not in self._constants:
            self._constants[number] = Formula(self, number)
        return self._constants[number]

    def divides_by(self, divisors: Iterable[Polynomial]) -> None:
        """Note what a number is divided by, once it is known not to be 0."""
        self.notes.divisors.update(dict.fromkeys(divisors))

    def sign(self, polynomial: Polynomial, choices: tuple[Signs, ...]) -> Signs:
        possible = self.possible(polynomial)
        if not self.case.is_linear(self.case.reduced(polynomial)):
            choices = _ONE_SIGN
        open_choices = [(signs & possible, None) for signs in choices if signs & possible]
        if len(open_choices) == 1:
            return open_choices[0][0]
        self.has_tested = True
        return cast(Signs, self._ask("test", "", polynomial, tuple(open_choices)))

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        case = self.case
        answers = []
        for outcome, weight in distribution.possible():
            formula = weight if isinstance(weight, Formula) else Formula(self, weight)
            here = case.formula(formula)
            if here is None or not here.is_zero:
                answers.append((outcome, formula))
        if not answers:
            raise ArithmeticError("no outcome of a draw has a weight in this case")
        if len(answers) == 1 and same(answers[0][1], self.constant(Fraction(1))):
            return answers[0][0]
        return cast(T, self._ask(kind, label, None, tuple(answers)))

    def _ask(
        self,
        kind: str,
        label: str,
        tested: Polynomial | None,
        answers: tuple[tuple[Any, Formula | None], ...],
    ) -> Any:
        if self._reached == len(self._asked):
            if self._reached >= _LONGEST_PATH:
                self.refuse(f"a path asks more than {_LONGEST_PATH:,} questions")
            self._asked.append(Asked(kind, label, tested, answers, self.case))
        asked = self._asked[self._reached]
        if (asked.kind, asked.label, asked.tested) != (kind, label, tested) or not _alike(
            asked.answers, answers
        ):
            self.refuse("two runs with the same answers ask different questions")
        self._reached += 1
        return asked.answer

    def follow(self, leaf: Leaf) -> Question | Leaf | None:
        """Note the end of a run, and turn to the next one; the whole tree where there is none."""
        if self._reached != len(self._asked):
            self.refuse("two runs with the same answers ask different questions")
        then: Question | Leaf = leaf
        while self._asked:
            if self._asked[-1].close(then):
                return None
            then = self._asked.pop().question()
        return then


@dataclass
class Notes:
    """What one reading has come upon, beside the tree."""

    start: Case
    refused: str | None = None
    evidence: dict[Polynomial, Certificate] = field(default_factory=dict)
    divisors: dict[Polynomial, None] = field(default_factory=dict)

    @property
    def on_an_edge(self) -> list[Polynomial]:
        """What was settled by a bound that is a curve."""
        return list(self.start.edges)


def _is_zero(case: Case, number: Formula) -> bool:
    here = case.formula(number)
    return here is not None and here.is_zero


def _alike(
    one: tuple[tuple[Any, Formula | None], ...], other: tuple[tuple[Any, Formula | None], ...]
) -> bool:
    if len(one) != len(other):
        return False
    for (outcome, weight), (again, weight_again) in zip(one, other, strict=True):
        if outcome != again or (weight is None) != (weight_again is None):
            return False
        if weight is not None and weight_again is not None and not same(weight, weight_again):
            return False
    return True


def read(
    run: Callable[[Chance], object],
    reading: Reading,
    *,
    most_runs: int,
    on_progress: Callable[[int], None] = lambda runs: None,
) -> Question | Leaf:
    """The tree of one round for all tables.

    Args:
        run: runs the round once with the chance that it is given.
        reading: the chance; its world holds what the variables stand for.
        most_runs: how many runs at most.
        on_progress: told the number of runs now and then.

    Raises:
        Unreadable: where the rule does what can't be followed.
        BudgetReached: after ``most_runs`` runs.
    """
    for number in range(most_runs):
        on_progress(number)
        tree = reading.follow(_one_run(run, reading))
        if reading.notes.refused:
            raise Unreadable(reading.notes.refused)
        if tree is not None:
            reading.memory = None
            return tree
    reason = f"a round has more than {most_runs:,} symbolic paths"
    raise BudgetReached("paths", reason, "raise --max-paths, or prove a shorter draft")


def _one_run(run: Callable[[Chance], object], reading: Reading) -> Leaf:
    reading.start()
    try:
        outcome = as_round(run(reading), reading)
    except InternalError:
        raise
    except (Fault, Exception) as error:
        return Leaf(error=error)
    *first, last = outcome.tokens or (None,)
    if isinstance(last, Draw) and not last.is_decided:
        return Leaf(tuple(first), last.distribution, outcome.accepted, outcome.state)
    tokens = tuple(outcome.tokens)
    if isinstance(last, Draw):
        tokens = (*first, last.look())
    return Leaf(tokens, None, outcome.accepted, outcome.state)
