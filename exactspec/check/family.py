"""The verdict for every value of a parameter: the range in cells, on each of which a rule does the same.

A cell is an open part of the range or a single value. On an open one the rounds are expanded over
formulas, and the cell reaches as far as no comparison that was made, and no difference that was
found, changes its sign. So the verdict holds at every value of it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key, wraps
from itertools import pairwise
from typing import Any

from exactspec.algorithms.load import check_options, rule_of
from exactspec.check.check import Result, check
from exactspec.check.verdict import Lossy, Undecided
from exactspec.errors import BudgetReached, ExactspecError, ExitCode
from exactspec.expand.budget import Budget
from exactspec.model.scenario import Family, Scenario
from exactspec.parameter.number import ParameterNumber, Place
from exactspec.parameter.place import AtRoot, SpecialValue, Stretch
from exactspec.parameter.range import Parameter
from exactspec.parameter.roots import Point, between, is_before, roots_between
from exactspec.parameter.span import cell_span
from exactspec.rule import Algorithm

MOST_CELLS = 1_000
_EXIT_CODES = {
    "lossless": ExitCode.LOSSLESS,
    "lossy": ExitCode.LOSSY,
    "undecided": ExitCode.UNDECIDED,
}


@dataclass(frozen=True)
class Cell:
    """A part of the range with one result: the values strictly between two points, or one value.

    Args:
        low: the lower end; ``high`` the upper one; the same point for a single value.
        result: what was found, its figures as formulas.
    """

    low: Point
    high: Point
    result: Result

    @property
    def is_one_value(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True)
class FamilyResult:
    """All that was found out about one rule for every value of a parameter.

    Args:
        scenario: the model with its parameter.
        rule: the rule that was judged.
        parameter: its name and range.
        cells: the parts of the range, from left to right.
    """

    scenario: Scenario
    rule: Algorithm
    parameter: Parameter
    cells: tuple[Cell, ...]

    @property
    def word(self) -> str:
        """lossy where some value is, else undecided where some value is, else lossless."""
        words = {cell.result.verdict.word for cell in self.cells}
        return next(word for word in ("lossy", "undecided", "lossless") if word in words)

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one that the file expects, or it expects none."""
        return self.scenario.expect in (None, self.word)

    @property
    def exit_code(self) -> ExitCode:
        """0 only where every value is lossless; 1 where some value is lossy; else 3. As in ``check``."""
        if self.scenario.expect is None:
            return _EXIT_CODES[self.word]
        if self.as_expected:
            return ExitCode.LOSSLESS
        return ExitCode.UNDECIDED if self.word == "undecided" else ExitCode.LOSSY


def check_family(
    scenario: Scenario,
    rule: Algorithm | str | None = None,
    *,
    allow_rules: bool = False,
    budget: Budget | None = None,
) -> FamilyResult:
    """Decide for every value of the parameter whether a rule emits the target's law.

    Args:
        scenario: the model; its tables hold a parameter.
        rule: an ``Algorithm``, a catalogue name or ``file.py:function``; by default what the model names.
        allow_rules: whether a rule file that the model names may run.
        budget: limits of the work in each cell, and of the time for all.

    Raises:
        ModelError: for a missing row, or an unknown rule.
        RuleError: for a rule that no law can be given for somewhere in the range.
    """
    assert scenario.family is not None
    if isinstance(rule, Algorithm):
        algorithm = rule
        check_options(rule, scenario)
    else:
        algorithm = rule_of(scenario, rule=rule, allow_rules=allow_rules)
    cells = _Cells(scenario.family, algorithm, budget or Budget()).all()
    return FamilyResult(scenario, algorithm, scenario.family.parameter, tuple(cells))


class _Cells:
    """Divides the range of a parameter into cells.

    Args:
        family: the scenarios, one for each value.
        rule: the rule to judge.
        budget: limits in each cell, and of the time for all.
    """

    def __init__(self, family: Family, rule: Algorithm, budget: Budget) -> None:
        self._family, self._rule, self._budget = family, rule, budget
        self._open = family.at(Stretch(family.parameter.some_value).parameter)
        self._found: list[Cell] = []

    def all(self) -> list[Cell]:
        """Every cell, from left to right; what is left at a limit is undecided."""
        parameter = self._family.parameter
        waiting: list[_Part] = [(end, end) for end in parameter.ends]
        waiting.append((parameter.low, parameter.high))
        while waiting:
            low, high = waiting.pop()
            try:
                waiting += self._decided(low, high)
            except BudgetReached as limit:
                verdict = Undecided(limit.reason, limit.hint)
                self._found.append(Cell(low, high, Result(self._open, self._rule, verdict)))
        return sorted(self._found, key=cmp_to_key(_order))

    def _decided(self, low: Point, high: Point) -> list["_Part"]:
        """Decide a part of the range, or a part of it; what is left to decide.

        Raises:
            BudgetReached: where there are too many parts, or time is over.
        """
        if len(self._found) >= MOST_CELLS:
            reason = f"the range falls into more than {MOST_CELLS:,} parts"
            hint = "lower draft_length, or take a smaller range"
            raise BudgetReached("parts", reason, hint)
        if self._budget.is_out_of_time:
            hint = "allow more with --timeout, or take a smaller range"
            raise BudgetReached("timeout", "time is over", hint)
        self._budget.progress(f"{len(self._found):,} parts of the range are decided")
        if low != high:
            return self._around_a_value(low, high)
        self._found.append(self._one_value(low))
        return []

    def _one_value(self, point: Point) -> Cell:
        """The cell of one value: an irrational one is a number modulo its polynomial."""
        with _told_where(self._family.parameter, point, point):
            if isinstance(point, Fraction):
                return Cell(point, point, self._judged(self._family.at(point), self._rule))
            place = AtRoot(point)
            rule = _watched(self._rule, place)
            return Cell(point, point, self._judged(self._family.at(place.parameter), rule))

    def _around_a_value(self, low: Point, high: Point) -> list["_Part"]:
        """The cell around some value between two points, and the parts that are left beside it."""
        place = Stretch(between(low, high))
        try:
            cell = self._cell_of(place, low, high)
        except SpecialValue as special:
            return list(_parts([low, *roots_between([special.polynomial], low, high), high]))
        self._found.append(cell)
        left = [(low, cell.low), (cell.low, cell.low)] if cell.low != low else []
        right = [(cell.high, cell.high), (cell.high, high)] if cell.high != high else []
        return left + right

    def _cell_of(self, place: Stretch, low: Point, high: Point) -> Cell:
        with _told_where(self._family.parameter, low, high, place):
            scenario = self._family.at(place.parameter)
            result = self._judged(scenario, _watched(self._rule, place))
        if isinstance(result.verdict, Lossy):
            difference: Any = result.verdict.counterexample.difference
            if isinstance(difference, ParameterNumber):
                place.sign(difference, counts=True)
        return Cell(*_reach(place, low, high), self._confirmed(result, place.value))

    def _confirmed(self, result: Result, value: Fraction) -> Result:
        """The result, if plain fractions give the same verdict at a value of the cell; else undecided."""
        if isinstance(result.verdict, Undecided):
            return result  # nothing is claimed, and with numbers the rule may run for minutes
        with_numbers = self._judged(self._family.at(value), self._rule).verdict.word
        if with_numbers in (result.verdict.word, "undecided"):
            return result
        reason = f"the rule is {with_numbers} with numbers, and otherwise with formulas"
        return Result(self._open, self._rule, Undecided(reason, "put in a value: --at"))

    def _judged(self, scenario: Scenario, rule: Algorithm) -> Result:
        return check(scenario, rule, budget=self._budget.afresh(), listing=False)


_Part = tuple[Point, Point]


def _parts(points: list[Point]) -> Iterator[_Part]:
    """The parts between points, and the points between the first and the last."""
    yield from pairwise(points)
    for point in points[1:-1]:
        yield point, point


def _order(one: Cell, other: Cell) -> int:
    if one.low == other.low:
        return int(other.is_one_value) - int(one.is_one_value)
    return -1 if is_before(one.low, other.low) else 1


def _reach(place: Stretch, low: Point, high: Point) -> _Part:
    """How far to both sides everything that was looked at keeps its sign."""
    roots = roots_between(place.looked_at, low, high)
    left = [root for root in roots if is_before(root, place.value)]
    right = [root for root in roots if is_before(place.value, root)]
    return (left or [low])[-1], (right or [high])[0]


def _watched(rule: Algorithm, place: Place) -> Algorithm:
    """The rule, every comparison that it makes noted: what it does may depend on the answer."""

    def watch(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def watched(*arguments: Any, **options: Any) -> Any:
            with place.looking():
                return function(*arguments, **options)

        return watched

    promised = None if rule.wanted is None else watch(rule.wanted)
    return replace(rule, function=watch(rule.function), wanted=promised)


@contextmanager
def _told_where(
    parameter: Parameter, low: Point, high: Point, place: Stretch | None = None
) -> Iterator[None]:
    """Errors in the block say for which values of the parameter they occur, where not for all."""
    try:
        yield
    except ExactspecError as error:
        if place is not None:
            low, high = _reach(place, low, high)
        if (low, high) != (parameter.low, parameter.high):
            where = f"for {cell_span(low, high).text(parameter.name)}"
            error.diagnostics = tuple(
                replace(each, notes=(*each.notes, where)) for each in error.diagnostics
            )
        raise
