"""A rule run at random, beside its exact law: what a sample shows, and how much it could not show.

A sample decides nothing; the verdict beside it is the exact one.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt

from exactspec.algorithms.load import rule_of
from exactspec.check.check import Result, check
from exactspec.check.compare import observed
from exactspec.check.sampling import Output, Sampler
from exactspec.check.verdict import Lossy
from exactspec.errors import InternalError
from exactspec.expand.budget import Budget
from exactspec.model.scenario import Scenario
from exactspec.rule import Algorithm

_ZERO = Fraction(0)
_RUNS_BETWEEN_LINES = 500
STANDARD_ERRORS = 3


@dataclass(frozen=True)
class Seen:
    """One output sequence: how often it was sampled, and its exact probabilities.

    Args:
        tokens: the sequence.
        count: in how many runs.
        frequency: their share.
        got: its probability by the rule's exact law; None where that law is not known.
        want: its probability by the wanted law.
        runs: how many runs there were.
    """

    tokens: Output
    count: int
    frequency: Fraction
    got: Fraction | None
    want: Fraction | None
    runs: int

    @property
    def variance(self) -> Fraction | None:
        """Of the frequency: p (1 - p) / n; its root is the standard error."""
        return None if self.got is None else self.got * (1 - self.got) / self.runs

    @property
    def z_squared(self) -> Fraction | None:
        """The square of the deviation in standard errors; None where nothing can deviate."""
        if self.got is None or not self.variance:
            return None
        return (self.frequency - self.got) ** 2 / self.variance

    @property
    def standard_error(self) -> Fraction | None:
        """The root of the variance, rounded down to 12 decimals."""
        return None if self.variance is None else square_root(self.variance)

    @property
    def z(self) -> Fraction | None:
        """The deviation in standard errors, rounded to 12 decimals."""
        if self.z_squared is None or self.got is None:
            return None
        size = square_root(self.z_squared)
        return size if self.frequency >= self.got else -size


@dataclass(frozen=True)
class Notice:
    """How large a sample must be to notice what is wrong.

    Args:
        tokens: the sequence with the largest deviation.
        got, want: its probabilities.
        runs: so many runs make the deviation three standard errors.
    """

    tokens: Output
    got: Fraction
    want: Fraction
    runs: int


@dataclass(frozen=True)
class Simulation:
    """A sample of a rule's output sequences, beside the exact law.

    Args:
        result: the exact verdict.
        runs: how many sequences were sampled; ``seed`` of the generator.
        outputs: the most probable ones first.
        calls: target calls in all runs together.
    """

    result: Result
    runs: int
    seed: int
    outputs: tuple[Seen, ...]
    calls: int

    @property
    def mean_calls(self) -> Fraction:
        return Fraction(self.calls, self.runs)

    @property
    def is_beside_the_exact_law(self) -> bool:
        """Whether the exact law of the sequences is known."""
        return self.result.listing is not None

    @property
    def distance_from_own_law(self) -> Fraction | None:
        """The total variation distance of the sample and the rule's exact law: the sample's noise."""
        return self._distance([seen.got for seen in self.outputs])

    @property
    def distance_from_wanted(self) -> Fraction | None:
        """The total variation distance of the sample and the wanted law."""
        return self._distance([seen.want for seen in self.outputs])

    def _distance(self, law: list[Fraction | None]) -> Fraction | None:
        pairs = zip(self.outputs, law, strict=True)
        known = [abs(seen.frequency - p) for seen, p in pairs if p is not None]
        return sum(known, _ZERO) / 2 if self.is_beside_the_exact_law else None

    @property
    def far_off(self) -> int:
        """How many sequences deviate by more than three standard errors."""
        return sum((seen.z_squared or 0) > STANDARD_ERRORS**2 for seen in self.outputs)

    @property
    def notice(self) -> Notice | None:
        """The sample that would be needed, where some sequence has a wrong probability."""
        listing = self.result.listing
        if listing is not None and listing.wrong:
            return noticed(listing.worst.tokens, listing.worst.got, listing.worst.want)
        return None

    @property
    def differs_beyond(self) -> int | None:
        """The least horizon at which the laws differ, where that lies beyond the one observed."""
        verdict, listing = self.result.verdict, self.result.listing
        if isinstance(verdict, Lossy) and listing is not None and not listing.wrong:
            return len(verdict.counterexample.tokens)
        return None

    @property
    def unnoticed(self) -> tuple[Output, Fraction] | None:
        """The deviation of three standard errors, on the sequence where it is largest, rounded down.

        A rule that is wrong by no more than this looks the same in a sample of this size.
        """
        known = [(seen.variance, seen.tokens) for seen in self.outputs if seen.variance]
        if not known:
            return None
        variance, tokens = max(known, key=lambda pair: pair[0] or _ZERO)
        return tokens, square_root((variance or _ZERO) * STANDARD_ERRORS**2)


def square_root(value: Fraction, places: int = 12) -> Fraction:
    """The square root, rounded down to so many decimals.

    >>> square_root(Fraction(1, 4)), square_root(Fraction(2), 3)
    (Fraction(1, 2), Fraction(707, 500))
    """
    scale = 10**places
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def noticed(tokens: Output, got: Fraction, want: Fraction) -> Notice:
    """The sample in which a deviation d is three standard errors: 9 p (1 - p) / d² runs, rounded up.

    p is the one of the two probabilities for which that is more.

    >>> noticed(("a",), Fraction(1, 2), Fraction(2, 5)).runs
    225
    """
    spread = max(got * (1 - got), want * (1 - want))
    runs = ceil(STANDARD_ERRORS**2 * spread / (got - want) ** 2)
    return Notice(tokens, got, want, max(runs, 1))


def simulate(
    scenario: Scenario,
    rule: Algorithm | str | None = None,
    *,
    runs: int = 10_000,
    seed: int = 0,
    allow_rules: bool = False,
    budget: Budget | None = None,
) -> Simulation:
    """Sample a rule's output sequences to the horizon, beside their exact law.

    Args:
        scenario: the model; without a horizon, sequences are observed as far as one round reaches.
        rule: an ``Algorithm``, a catalogue name or ``file.py:function``; by default the model's.
        runs: how many sequences.
        seed: of the generator.
        allow_rules: whether a rule file that the model names may run.
        budget: limits of the exact part; without its law the sample stands alone.

    Raises:
        ModelError: for a missing row, or an unknown rule.
        RuleError: for a rule that no law can be given for.
    """
    request, limits = observed(scenario), budget or Budget()
    algorithm = (
        rule
        if isinstance(rule, Algorithm)
        else rule_of(request, rule=rule, allow_rules=allow_rules)
    )
    return sample(check(request, algorithm, budget=limits), runs, seed, limits)


def sample(result: Result, runs: int, seed: int, budget: Budget) -> Simulation:
    """Sample the rule of a result whose scenario has a horizon."""
    run = Sampler(result.scenario, result.rule, seed)
    counts: Counter[Output] = Counter()
    for number in range(runs):
        if number % _RUNS_BETWEEN_LINES == 0:
            budget.progress(f"run {number:,} of {runs:,}")
        counts[run.output()] += 1
    return Simulation(result, runs, seed, _outputs(result, counts, runs), run.calls)


def _outputs(result: Result, counts: Counter[Output], runs: int) -> tuple[Seen, ...]:
    if result.listing is None:
        return tuple(
            Seen(tokens, count, Fraction(count, runs), None, None, runs)
            for tokens, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        )
    outputs = [
        Seen(each.tokens, n, Fraction(n, runs), each.got, each.want, runs)
        for each in result.listing
        for n in (counts.pop(each.tokens, 0),)
    ]
    if counts or any(seen.count and not seen.got for seen in outputs):
        raise InternalError("a sequence was sampled that the exact law never gives")
    return tuple(sorted(outputs, key=lambda seen: seen.got or _ZERO, reverse=True))
