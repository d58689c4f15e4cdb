"""What was found in the cells of a parameter's range, put together where it is the same."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactspec.check.check import Result
from exactspec.check.family import Cell, FamilyResult
from exactspec.check.verdict import Counterexample, Lossy, Undecided
from exactspec.expand.states import State
from exactspec.parameter.number import ParameterNumber
from exactspec.parameter.place import AtRoot
from exactspec.parameter.roots import Point, Root
from exactspec.parameter.span import Span, cell_span
from exactspec.parameter.written import formula


@dataclass(frozen=True)
class Piece:
    """A part of the range and what is found there: a formula, a number, a word; None for nothing."""

    span: Span
    value: Any


@dataclass(frozen=True)
class LossyPart:
    """A part of the range with the same shortest counterexample, its probabilities as formulas."""

    span: Span
    counterexample: Counterexample


def pieces(cells: Iterable[Cell], of: Callable[[Result], Any]) -> tuple[Piece, ...]:
    """What is found in each cell, from left to right; neighbours with the same answer are one piece.

    A formula and its value at a point are the same answer.
    """
    found: list[Piece] = []
    for cell in cells:
        piece = Piece(cell_span(cell.low, cell.high), of(cell.result))
        last = found[-1] if found else None
        if last is not None and _goes_on(last, piece, cell.is_one_value):
            value = piece.value if last.span.is_one_value else last.value
            found[-1] = Piece(last.span.then(piece.span), value)
        else:
            found.append(piece)
    return tuple(found)


def piecewise(found: Iterable[Piece], name: str) -> Any:
    """A figure as one SymPy expression in the parameter: a ``Piecewise`` with a formula for each part.

    It is undefined outside of the range, and where the figure has no value.
    """
    from sympy import Piecewise  # here, because the import is slow

    known = [piece for piece in found if piece.value is not None]
    return Piecewise(*((formula(piece.value, name), piece.span.condition(name)) for piece in known))


def _goes_on(last: Piece, piece: Piece, is_one_value: bool) -> bool:
    """Whether a cell's answer is that of the piece on its left."""
    if last.span.high != piece.span.low:
        return False
    if is_one_value:
        return _same(_at(last.value, piece.span.low), piece.value)
    if last.span.is_one_value:
        return _same(last.value, _at(piece.value, last.span.low))
    return last.span.with_high and _same(last.value, piece.value)


def _at(value: Any, point: Point) -> Any:
    """The value of a formula at a point; all other values stay what they are."""
    if isinstance(value, tuple):
        return tuple(_at(each, point) for each in value)
    if not isinstance(value, ParameterNumber):
        return value
    if isinstance(point, Fraction):
        return value.at(point)
    place = AtRoot(point)
    bottom = place.number(value.bottom, (1,))
    return place.number(value.top, (1,)) / bottom if bottom else None


def _same(one: Any, other: Any) -> bool:
    """Whether two answers are the same, formulas by how they are written."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = list(zip(one, other, strict=False))
        return len(one) == len(other) and all(_same(*pair) for pair in pairs)
    if isinstance(one, ParameterNumber) and isinstance(other, ParameterNumber):
        return (one.top, one.bottom) == (other.top, other.bottom)
    if isinstance(one, ParameterNumber) or isinstance(other, ParameterNumber):
        return False
    return bool(one == other)


def spans_of(result: FamilyResult, word: str) -> tuple[Span, ...]:
    """The parts of the range with a verdict."""
    found = pieces(result.cells, lambda cell: cell.verdict.word)
    return tuple(piece.span for piece in found if piece.value == word)


def verdicts(result: FamilyResult) -> tuple[Piece, ...]:
    """The parts of the range, each with the word of its verdict, and how far that reaches or why not."""
    return pieces(result.cells, _scope)


def _scope(result: Result) -> tuple[str, str]:
    verdict = result.verdict
    return verdict.word, verdict.reason if isinstance(verdict, Undecided) else verdict.extent


def lossy_parts(result: FamilyResult) -> Iterator[LossyPart]:
    """The parts of the range where the rule is lossy, each with its shortest counterexample."""

    def example(cell: Result) -> Any:
        if not isinstance(cell.verdict, Lossy):
            return None
        found = cell.verdict.counterexample
        return found.tokens, found.got, found.want

    for piece in pieces(result.cells, example):
        if piece.value is not None:
            tokens, got, want = piece.value
            yield LossyPart(piece.span, Counterexample(tokens, got, want, None))


@dataclass(frozen=True)
class ContextPieces:
    """The figures of a context in which a round begins, as formulas; nothing where no round begins there.

    Args:
        state: one state of the context.
        acceptance: the probability that the first coin accepts; ``rejection`` that it rejects.
        total_variation: of target and draft there: β.
    """

    state: State
    acceptance: tuple[Piece, ...]
    rejection: tuple[Piece, ...]
    total_variation: tuple[Piece, ...]


def context_pieces(result: FamilyResult) -> Iterator[ContextPieces]:
    """The figures of every context in which a round begins with nothing carried over."""
    first: dict[Hashable, State] = {}
    for cell in result.cells:
        for facts in cell.result.contexts:
            if facts.state.carried is None:
                known = first.setdefault(_place(facts.state), facts.state)
                if len(facts.state.context) < len(known.context):
                    first[_place(facts.state)] = facts.state
    for state in first.values():
        yield ContextPieces(
            state,
            *(
                pieces(result.cells, _of_the_context(state, name))
                for name in ("acceptance", "rejection", "total_variation")
            ),
        )


def _place(state: State) -> Hashable:
    assert isinstance(state.key, tuple)
    return state.key[0], state.tokens_left


def _of_the_context(state: State, figure: str) -> Callable[[Result], Any]:
    def of(result: Result) -> Any:
        for facts in result.contexts:
            if facts.state.carried is None and _place(facts.state) == _place(state):
                return getattr(facts, figure)
        return None

    return of


def expectations(result: FamilyResult) -> dict[str, tuple[Piece, ...]]:
    """The expected numbers in the first round and in a run, by the names that JSON gives them."""
    found = {
        "expected_accepted": pieces(result.cells, lambda cell: _first(cell, "mean_accepted")),
        "expected_emitted": pieces(result.cells, lambda cell: _first(cell, "mean_emitted")),
    }
    for key, name in _OF_A_RUN.items():
        found[key] = pieces(result.cells, _of_the_run(name))
    return {
        key: found_pieces
        for key, found_pieces in found.items()
        if any(piece.value is not None for piece in found_pieces)
    }


_OF_A_RUN = {
    "expected_target_calls": "calls",
    "expected_tokens": "tokens",
    "expected_drafted": "drafted",
    "expected_speedup": "speedup",
}


def _first(result: Result, figure: str) -> Any:
    return getattr(result.round_figures[0], figure) if result.round_figures else None


def _of_the_run(figure: str) -> Callable[[Result], Any]:
    return lambda result: None if result.run is None else getattr(result.run, figure)


def horizon_of(result: FamilyResult) -> int:
    """How many tokens the run of the expectations observes."""
    return result.scenario.horizon or result.scenario.draft_length + 1


def irrational_points(result: FamilyResult) -> tuple[Root, ...]:
    """The ends of cells that are no fractions, from left to right."""
    return tuple(dict.fromkeys(cell.low for cell in result.cells if isinstance(cell.low, Root)))
