"""What a rule may return, and how its faults are told: where, after which draws, on the way of which blocks."""

import linecache
import traceback
from collections.abc import Sequence

from exactspec.chance import Broken, Token
from exactspec.errors import Diagnostic, ExactspecError, Fault, Location, ModelError, RuleError
from exactspec.expand.replay import Path, Step, steps_text
from exactspec.model.scenario import Scenario
from exactspec.model.table import TableFault
from exactspec.rule import Algorithm
from exactspec.text import counted, show, show_token, show_tokens


def checked_round(path: Path, emitted: Sequence[object], scenario: Scenario) -> Path:
    """A path whose round emits between one and draft length + 1 tokens of the vocabulary.

    Args:
        path: the path.
        emitted: what of it is not known to be tokens yet.
        scenario: the model.

    Raises:
        Fault: otherwise.
    """
    length = len(path.tokens) + (path.last is not None)
    longest = scenario.draft_length + 1
    unknown = next((token for token in emitted if not _is_emittable(token, scenario)), None)
    if length == 0:
        _fault("rule-no-tokens", "the round emitted no token", "a round emits at least one token")
    if length > longest:
        _fault(
            "rule-too-many-tokens",
            f"the round emitted {counted(length, 'token')} with a draft length of {scenario.draft_length}",
            f"a round emits at most draft length + 1 = {longest} tokens",
        )
    if unknown is not None:
        _fault(
            "rule-unknown-token",
            f"the round emitted {_shown(unknown)}, which is not in the vocabulary",
            f"the vocabulary is: {show_tokens(scenario.vocabulary)}",
        )
    if path.accepted is not None and not isinstance(path.accepted, int):
        _fault(
            "rule-accepted-count",
            f"the round says that {show(repr(path.accepted))} drafts were accepted",
            "accepted is a whole number, or None where the rule does not say",
        )
    if path.accepted is not None and not 0 <= path.accepted <= length:
        _fault(
            "rule-accepted-count",
            f"the round says that {counted(path.accepted, 'draft')} accepted, and emitted {counted(length, 'token')}",
            "accepted counts the emitted tokens that are accepted drafts",
        )
    return path


def _is_emittable(token: object, scenario: Scenario) -> bool:
    return isinstance(token, Broken) or (isinstance(token, str) and token in scenario.tokens)


def _fault(code: str, message: str, hint: str) -> None:
    raise Fault(Diagnostic(code, message, hint))


def _shown(token: object) -> str:
    return show_token(token) if isinstance(token, str) else show(repr(token))


def explained(
    error: BaseException, rule: Algorithm, way: Sequence[tuple[Token, ...]], steps: Sequence[Step]
) -> BaseException:
    """The error to raise for what happened in a rule: with its place, and the draws that led there."""
    if isinstance(error, ExactspecError):
        return error
    notes = _notes(way, steps)
    place = _place_in_the_rule(error, rule)
    if isinstance(error, TableFault):
        return ModelError([error.at(None, notes)])
    if isinstance(error, Fault):
        return RuleError([error.at(place, notes)])
    hint = _hint(error)
    if place is None:
        if not (rule.of_the_catalogue and rule.options()):
            return error
        hint = f"does one of its options go too far? {', '.join(rule.options())}"
    said = f"{type(error).__name__}: {show(str(error))}" if str(error) else type(error).__name__
    return RuleError([Diagnostic("rule-raised", f"the rule raised {said}", hint, place, notes)])


def _hint(error: BaseException) -> str | None:
    if isinstance(error, ZeroDivisionError):
        return "divide by q[token] only for a drafted token; q is 0 elsewhere"
    if isinstance(error, ArithmeticError):
        return "ask for a residual only after a rejection; where β = 0 nothing is rejected"
    return None


def _notes(way: Sequence[tuple[Token, ...]], steps: Sequence[Step]) -> tuple[str, ...]:
    blocks = " | ".join(map(show_tokens, way))
    return (
        f"reached by the emitted blocks: {blocks}" if blocks else "reached in the first round",
        f"and in this round by: {steps_text(steps)}",
    )


def _place_in_the_rule(error: BaseException, rule: Algorithm) -> Location | None:
    """The deepest line of the rule's own file that the error came through."""
    if rule.file is None:
        return None
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == rule.file]
    if not frames:
        code = getattr(rule.function, "__code__", None)
        line = code.co_firstlineno if code else 1
        if not isinstance(error, Fault):
            return None
        return Location(rule.file, line, 1, None, linecache.getline(rule.file, line).rstrip())
    frame = frames[-1]
    column = (frame.colno or 0) + 1
    one_line = frame.end_lineno == frame.lineno and frame.end_colno is not None
    end = (frame.end_colno or 0) + 1 if one_line else None
    source = linecache.getline(rule.file, frame.lineno or 1).rstrip("\n")
    return Location(rule.file, frame.lineno, column, end, source)
