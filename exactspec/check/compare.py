"""Rules side by side on one model: each judged by itself, then which have the same round law."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from exactspec.algorithms import CATALOGUE, LOSSLESS
from exactspec.algorithms.load import load_rule, names_a_file, rule_of
from exactspec.check.bounds import Bound, bounds
from exactspec.check.check import Result, check
from exactspec.check.round_laws import Difference, difference_of_rounds, have_the_same_round_law
from exactspec.check.verdict import Lossless, Undecided
from exactspec.errors import Diagnostic, ExactspecError, ModelError
from exactspec.expand.budget import Budget
from exactspec.model.scenario import Scenario
from exactspec.rule import Algorithm

_ZERO = Fraction(0)
_RANKS = {"lossless": 0, "lossy": 1, "undecided": 2, "error": 3}


@dataclass(frozen=True)
class Judged:
    """One rule on the model: what was found, or why it could not be judged.

    Args:
        name: the rule as it was named.
        result: None where the rule can't be judged on this model.
        diagnostics: why it can't.
        same_as: rules with the same round law on this model.
    """

    name: str
    result: Result | None
    diagnostics: tuple[Diagnostic, ...] = ()
    same_as: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """lossless, lossy, undecided or error."""
        return "error" if self.result is None else self.result.verdict.word

    @property
    def reason(self) -> str | None:
        """Why there is no verdict, where there is none."""
        if self.result is None:
            return self.diagnostics[0].message
        verdict = self.result.verdict
        return verdict.reason if isinstance(verdict, Undecided) else None

    @property
    def accepted(self) -> Fraction | None:
        """Expected accepted tokens in the first round; None where the rule doesn't say."""
        figures = self.result.round_figures if self.result else ()
        return figures[0].mean_accepted if figures else None

    @property
    def first_step(self) -> Fraction | None:
        """The probability that the first round accepts a token at all."""
        figures = self.result.round_figures if self.result else ()
        counts = figures[0].accepted if figures else None
        return None if counts is None else 1 - counts.get(0, _ZERO)

    @property
    def emitted(self) -> Fraction | None:
        """Expected emitted tokens in the first round."""
        figures = self.result.round_figures if self.result else ()
        return figures[0].mean_emitted if figures else None

    @property
    def calls(self) -> Fraction | None:
        """Expected target calls to the horizon."""
        run = self.result.run if self.result else None
        return None if run is None else run.calls

    @property
    def distance(self) -> Fraction | None:
        """The total variation distance to the horizon of the emitted law and the wanted one."""
        if self._is_proved_lossless:
            return _ZERO
        listing = self.result.listing if self.result else None
        return None if listing is None else listing.total_variation

    @property
    def impossible(self) -> Fraction | None:
        """The mass on sequences, to the horizon, that the wanted law never gives."""
        if self._is_proved_lossless:
            return _ZERO
        listing = self.result.listing if self.result else None
        if listing is None:
            return None
        return sum((output.got for output in listing.impossible), _ZERO)

    @cached_property
    def largest_ratio(self) -> Fraction | None:
        """The largest ratio emitted/wanted of a sequence that the wanted law gives, to the horizon.

        Unbounded where ``impossible`` is positive: no number says it then.
        """
        if self._is_proved_lossless:
            return Fraction(1)
        listing = self.result.listing if self.result else None
        if listing is None:
            return None
        ratios = (output.got / output.want for output in listing.wrong if output.want)
        return max(ratios, default=Fraction(1))

    @property
    def _is_proved_lossless(self) -> bool:
        return self.result is not None and isinstance(self.result.verdict, Lossless)


@dataclass(frozen=True)
class Attained:
    """A bound, the lossless rules that reach it, and those above it, which its condition can't hold for."""

    bound: Bound
    reached_by: tuple[str, ...]
    exceeded_by: tuple[str, ...]


@dataclass(frozen=True)
class SideBySide:
    """Rules side by side.

    Args:
        scenario: the model, with the horizon to which the rules are compared.
        rules: the best first: lossless by target calls, lossy by distance, then the others.
        bounds: on the first round's accepted tokens; None where each rule has a law of its own.
        difference: of the round laws of the first rule and the second, where there are exactly two.
    """

    scenario: Scenario
    rules: tuple[Judged, ...]
    bounds: tuple[Attained, ...] | None
    difference: Difference | None

    @property
    def nothing_was_judged(self) -> bool:
        """Whether no rule could be judged on the model."""
        return all(judged.result is None for judged in self.rules)


def default_rules(scenario: Scenario) -> tuple[str, ...]:
    """The catalogue's lossless rules that need no option and are made for the law that is wanted."""
    own_law = scenario.wanted == "rule"
    return tuple(
        name
        for name in LOSSLESS
        if (CATALOGUE[name].wanted is not None) == own_law and not options_needed(CATALOGUE[name])
    )


def options_needed(rule: Algorithm) -> list[str]:
    """The options without which a rule can't be run."""
    return [name for name, option in rule.options().items() if option.default is option.empty]


def rule_named(reference: str, scenario: Scenario) -> Algorithm:
    """A rule by its name in the catalogue, or ``file.py:function`` relative to the current folder.

    Raises:
        ModelError: for an unknown name.
        RuleError: for a rule file that can't be loaded.
    """
    if names_a_file(reference):
        return load_rule(reference, Path())
    return CATALOGUE.get(reference) or rule_of(scenario, rule=reference)


def observed(scenario: Scenario) -> Scenario:
    """The scenario with a horizon: the file's, or else as far as one round reaches."""
    return replace(scenario, horizon=scenario.horizon or scenario.draft_length + 1)


def with_options_of(scenario: Scenario, rule: Algorithm) -> Scenario:
    """The scenario with those of its options that the rule knows.

    Raises:
        ModelError: for an option that the rule needs and the model does not set.
    """
    known = rule.options()
    options = {name: value for name, value in scenario.options.items() if name in known}
    missing = [
        Diagnostic(
            "missing-option",
            f"the rule {rule.name} needs the option {name}",
            f"set it in the model: options: {{{name}: ...}}",
        )
        for name in options_needed(rule)
        if name not in options
    ]
    if missing:
        raise ModelError(missing)
    return replace(scenario, options=options)


def judge(scenario: Scenario, name: str, rule: Algorithm, budget: Budget | None = None) -> Judged:
    """Judge one rule of a comparison; that it can't be judged is a finding, and not an error.

    Args:
        scenario: the model; options that the rule does not know are left out.
        name: what the comparison calls the rule.
        rule: the rule.
        budget: limits of the work on this rule.
    """
    try:
        request = with_options_of(observed(scenario), rule)
        return Judged(name, check(request, rule, budget=budget))
    except ExactspecError as error:
        return Judged(name, None, error.diagnostics)


def side_by_side(scenario: Scenario, judged: Sequence[Judged]) -> SideBySide:
    """Put judged rules side by side: sorted, with the bounds, and with which laws are the same.

    Args:
        scenario: the model.
        judged: the rules, each judged on this model.
    """
    request = observed(scenario)
    rules = sorted(_with_same(judged), key=_order)
    return SideBySide(request, tuple(rules), _attained(request, rules), _difference(rules))


def _difference(rules: Sequence[Judged]) -> Difference | None:
    rounds = [one.result.rounds for one in rules if one.result and one.result.rounds]
    return difference_of_rounds(*rounds) if len(rules) == len(rounds) == 2 else None


def _with_same(judged: Iterable[Judged]) -> list[Judged]:
    """Each rule with the others of the same round law."""
    groups: list[list[Judged]] = []
    for one in judged:
        same = next((group for group in groups if _are_the_same(group[0], one)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    return [
        replace(one, same_as=tuple(other.name for other in group if other is not one))
        for group in groups
        for one in group
    ]


def _are_the_same(one: Judged, other: Judged) -> bool:
    if one.result is None or other.result is None:
        return False
    first, second = one.result.rounds, other.result.rounds
    return first is not None and second is not None and have_the_same_round_law(first, second)


def _order(judged: Judged) -> tuple[int, bool, Fraction]:
    by = judged.distance if judged.word == "lossy" else judged.calls
    return _RANKS[judged.word], by is None, by or _ZERO


def _attained(scenario: Scenario, rules: Sequence[Judged]) -> tuple[Attained, ...] | None:
    if scenario.wanted == "rule":
        return None
    law = None if isinstance(scenario.wanted, str) else scenario.wanted
    found = []
    for bound in bounds(scenario, law):
        reached: list[str] = []
        exceeded: list[str] = []
        for judged in (judged for judged in rules if judged.word == "lossless"):
            figure = judged.first_step if bound.first_step else judged.accepted
            if figure is not None and bound.value is not None and figure >= bound.value:
                (reached if figure == bound.value else exceeded).append(judged.name)
        found.append(Attained(bound, tuple(reached), tuple(exceeded)))
    return tuple(found)
