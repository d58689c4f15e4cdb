"""A rule by its name: from the catalogue, or from a Python file that the user allows to run."""

import collections.abc
import hashlib
import inspect
import os
import types
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Literal, get_args, get_origin

from exactspec.algorithms import CATALOGUE
from exactspec.algorithms.run_file import BrokenFile, run_file
from exactspec.errors import Diagnostic, Location, ModelError, RuleError
from exactspec.model.load import read_file
from exactspec.model.names import did_you_mean
from exactspec.model.scenario import OptionValue, Scenario
from exactspec.rule import Algorithm
from exactspec.text import show

_FIRST_PARAMETERS = ("chance", "target", "draft", "context")


def names_a_file(reference: str) -> bool:
    """Whether a rule's name is ``file.py:function``.

    >>> names_a_file("token_level"), names_a_file("my_rule.py:mine")
    (False, True)
    """
    return ":" in reference or reference.endswith(".py")


def rule_of(scenario: Scenario, *, rule: str | None = None, allow_rules: bool = False) -> Algorithm:
    """The rule that a scenario names, or the one given instead.

    Args:
        scenario: the model; a rule file that it names is relative to it.
        rule: a catalogue name or ``file.py:function``, relative to the current folder; it may run.
        allow_rules: whether a rule file named in the model may run.

    Raises:
        ModelError: for an unknown rule, an option that the rule hasn't, or a file that may not run.
        RuleError: for a rule file that can't be loaded.
    """
    place = None if rule is not None else scenario.places.get("algorithm")
    reference = rule if rule is not None else scenario.algorithm
    if not names_a_file(reference):
        found = catalogue_rule(reference, place)
    elif rule is None and not allow_rules:
        there = os.path.normpath(os.path.join(os.path.dirname(scenario.file), reference))
        hint = f"if you trust that file: --allow-rules, or --rule {show(there)}"
        message = f"the model names the rule file {show(reference)}, which was not run"
        raise ModelError([Diagnostic("rule-not-allowed", message, hint, place)])
    else:
        folder = Path(scenario.file).parent if rule is None else Path()
        found = load_rule(reference, folder, place)
    check_options(found, scenario)
    return found


def named_rule(reference: str) -> Algorithm:
    """The rule of a catalogue name or of ``file.py:function``, whose code is run.

    Raises:
        ModelError: for an unknown rule.
        RuleError: for a rule file that can't be loaded.
    """
    return load_rule(reference, Path()) if names_a_file(reference) else catalogue_rule(reference)


def catalogue_rule(name: str, place: Location | None = None) -> Algorithm:
    """A rule of the catalogue.

    Raises:
        ModelError: where there is none of this name.
    """
    rule = CATALOGUE.get(name)
    if rule is None:
        hint = did_you_mean(name, CATALOGUE) or "exactspec algorithms lists the rules"
        raise ModelError([Diagnostic("unknown-rule", f"unknown rule {show(name)}", hint, place)])
    return rule


def load_rule(reference: str, folder: Path, place: Location | None = None) -> Algorithm:
    """Run a Python file and take a rule from it.

    Args:
        reference: ``file.py:function``.
        folder: what the file is relative to.
        place: where the reference is written.

    Raises:
        RuleError: where there is no such file or function, or the file can't be run.
    """
    file, _, name = reference.rpartition(":")
    if not file or not name:
        raise _unloadable(reference, "no function is named", "write file.py:function", place)
    path = folder / file
    try:
        source = read_file(str(path))
    except ModelError as error:
        found = error.diagnostics[0]
        raise _unloadable(reference, found.message, found.hint, place) from None
    shown = os.path.normpath(path)
    try:
        namespace = run_file(shown, source, "rule")
    except BrokenFile as broken:
        raise _unloadable(reference, broken.why, None, broken.place or place) from None
    function = namespace.get(name)
    functions = [n for n, v in namespace.items() if _is_of_the_file(v, namespace)]
    if not callable(function):
        raise _unloadable(
            reference,
            f"the file has no function {show(name)}",
            did_you_mean(name, functions) or f"its functions: {', '.join(map(show, functions))}",
            place,
        )
    _check_parameters(reference, function, place)
    rule = function if isinstance(function, Algorithm) else Algorithm(name, function)
    digest = hashlib.sha256(source).hexdigest()
    return replace(rule, name=name, file=shown, digest=digest)


def _is_of_the_file(value: object, namespace: dict[str, object]) -> bool:
    inner = value.function if isinstance(value, Algorithm) else value
    return callable(inner) and getattr(inner, "__module__", None) == namespace["__name__"]


def _unloadable(
    reference: str, message: str, hint: str | None, place: Location | None
) -> RuleError:
    text = f"the rule {show(reference)} can't be loaded: {message}"
    return RuleError([Diagnostic("rule-unloadable", text, hint, place)])


def _check_parameters(reference: str, function: object, place: Location | None) -> None:
    inner = function.function if isinstance(function, Algorithm) else function
    try:
        parameters = list(inspect.signature(inner).parameters.values())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        parameters = []
    first = [p for p in parameters[:4] if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(first) < len(_FIRST_PARAMETERS):
        hint = f"def rule({', '.join(_FIRST_PARAMETERS)}, *, draft_length): ..."
        message = "it does not take chance, target, draft and context"
        raise _unloadable(reference, message, hint, place)


def _known_options(known: Collection[str]) -> str:
    return f"its options: {', '.join(known)}" if known else "it takes no options"


def check_options(rule: Algorithm, scenario: Scenario) -> None:
    """Whether a scenario sets a rule's options, those without a default and no others, to what it takes.

    Raises:
        ModelError: with all that is wrong.
    """
    place = scenario.places.get("options") or scenario.places.get("algorithm")
    hint = "set it in the model: options: {{{name}: ...}}"
    found = option_problems(rule, scenario.options, place, hint)
    if found:
        raise ModelError(found)


def option_problems(
    rule: Algorithm, options: Mapping[str, OptionValue], place: Location | None, how_to_set: str
) -> list[Diagnostic]:
    """Options that the rule has not, that it needs, or that are of another type than it takes.

    Args:
        rule: the rule.
        options: what is set.
        place: where it is set.
        how_to_set: the hint for one that is missing, with {name} in it.
    """
    known = rule.options()
    found = [
        Diagnostic(
            "unknown-option",
            f"the rule {show(rule.name)} has no option {show(name)}",
            did_you_mean(name, known) or _known_options(known),
            place,
        )
        for name in options
        if name not in known
    ]
    found += [
        Diagnostic(
            "missing-option",
            f"the rule {show(rule.name)} needs the option {name}",
            how_to_set.format(name=name),
            place,
        )
        for name, parameter in known.items()
        if parameter.default is parameter.empty and name not in options
    ]
    found += [
        Diagnostic(
            "option-type",
            f"the option {name} is {show(str(value))}, expected {_expected(known[name].annotation)}",
            None,
            place,
        )
        for name, value in options.items()
        if name in known and not _fits(value, known[name].annotation)
    ]
    return found


_TYPES: dict[object, tuple[str, tuple[type, ...]]] = {
    int: ("a whole number", (int,)),
    Fraction: ("a number", (int, Fraction)),
    str: ("a text", (str,)),
    bool: ("0 or 1", (int,)),
}


_LISTS = (tuple, collections.abc.Sequence)


def _fits(value: OptionValue, annotation: object) -> bool:
    """Whether a value is of the type that a rule's parameter names; any value where it names none."""
    if get_origin(annotation) is Literal:
        return value in get_args(annotation)
    if isinstance(annotation, types.UnionType):
        return any(_fits(value, one) for one in get_args(annotation) if one is not type(None))
    if get_origin(annotation) in _LISTS:
        inner = get_args(annotation)[0]
        return isinstance(value, tuple) and all(_fits(each, inner) for each in value)
    return annotation not in _TYPES or isinstance(value, _TYPES[annotation][1])


def _expected(annotation: object) -> str:
    if get_origin(annotation) is Literal:
        return " or ".join(map(str, get_args(annotation)))
    if isinstance(annotation, types.UnionType):
        ones = [one for one in get_args(annotation) if one is not type(None)]
        return " or ".join(map(_expected, ones))
    if get_origin(annotation) in _LISTS:
        return f"a list, each {_expected(get_args(annotation)[0])}"
    return _TYPES[annotation][0] if annotation in _TYPES else "a value"
