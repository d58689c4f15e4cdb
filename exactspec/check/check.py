"""The verdict on one model: rounds expanded, automata compared, sequences listed, figures gathered."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from exactspec.algorithms.load import check_options, rule_of
from exactspec.chance import Token
from exactspec.check.difference import Comparison, compare_automata
from exactspec.check.facts import (
    ContextFacts,
    HorizonFacts,
    RoundFacts,
    context_facts,
    horizon_facts,
    round_facts,
)
from exactspec.check.identity import RoundIdentity, round_identity
from exactspec.check.listing import Listing, TooManyOutputs
from exactspec.check.verdict import Counterexample, Lossless, Lossy, Scope, Undecided, Verdict
from exactspec.errors import BudgetReached, ExitCode, Fault, InternalError, ModelError
from exactspec.expand.automaton import Emitted, Wanted
from exactspec.expand.budget import Budget
from exactspec.expand.rounds import Rounds
from exactspec.expand.tree import SequencePaths
from exactspec.model.scenario import Scenario
from exactspec.model.table import TableFault
from exactspec.rule import Algorithm

_MOST_PATHS = 10_000
_MOST_TREE_NODES = 200_000
_EXIT_CODES = {
    "lossless": ExitCode.LOSSLESS,
    "lossy": ExitCode.LOSSY,
    "undecided": ExitCode.UNDECIDED,
}


@dataclass(frozen=True)
class Result:
    """All that was found out about one rule on one model.

    Args:
        scenario: the model.
        rule: the rule that was judged.
        verdict: lossless, lossy or undecided, with its scope.
        rounds: the expanded rounds; None where the budget was reached before.
        comparison: of the emitted with the wanted automaton.
        identities: the round identity from each state.
        listing: every output sequence to the horizon; None where it was left out.
        listing_left_out: why it was.
        contexts: figures of each context in which a round begins.
        round_figures: figures of the round from each state.
        run: figures of a run to the horizon.
    """

    scenario: Scenario
    rule: Algorithm
    verdict: Verdict
    rounds: Rounds | None = None
    comparison: Comparison | None = None
    identities: tuple[RoundIdentity, ...] = ()
    listing: Listing | None = None
    listing_left_out: str | None = None
    contexts: tuple[ContextFacts, ...] = ()
    round_figures: tuple[RoundFacts, ...] = ()
    run: HorizonFacts | None = None
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def round_identity_holds(self) -> bool:
        """Whether the round identity was compared and holds from every reached state."""
        return bool(self.identities) and all(identity.holds for identity in self.identities)

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one that the file expects, or it expects none."""
        return self.scenario.expect in (None, self.verdict.word)

    @property
    def exit_code(self) -> ExitCode:
        """0, 1 or 3 by the verdict; with ``expect`` in the file, 0 where it is met and else 1.

        An undecided verdict that was not expected stays 3.
        """
        if self.scenario.expect is None:
            return _EXIT_CODES[self.verdict.word]
        if self.as_expected:
            return ExitCode.LOSSLESS
        return ExitCode.UNDECIDED if isinstance(self.verdict, Undecided) else ExitCode.LOSSY


def check(
    scenario: Scenario,
    rule: Algorithm | str | None = None,
    *,
    allow_rules: bool = False,
    budget: Budget | None = None,
    listing: bool = True,
) -> Result:
    """Decide exactly whether a rule emits the target's law.

    Args:
        scenario: the model.
        rule: an ``Algorithm``, a catalogue name or ``file.py:function``; by default what the model names.
        allow_rules: whether a rule file that the model names may run.
        budget: limits of the work.
        listing: whether to list the sequences to a horizon beside the verdict.

    Raises:
        ModelError: for a missing row, an unknown rule, or tables that depend on a parameter.
        RuleError: for a rule that no law can be given for.

    >>> from exactspec.model.load import parse
    >>> model = parse(b'''
    ... version: 1
    ... vocabulary: [a, b]
    ... draft_length: 1
    ... target: {a: 1/3, b: 2/3}
    ... draft: {a: 1/2, b: 1/2}
    ... ''')
    >>> check(model).verdict
    Lossless(scope=Scope(horizon=None, reason=None))
    """
    if isinstance(rule, Algorithm):
        algorithm = rule
        check_options(rule, scenario)
    else:
        algorithm = rule_of(scenario, rule=rule, allow_rules=allow_rules)
    try:
        return _Check(scenario, algorithm, budget or Budget()).result(listing)
    except BudgetReached as limit:
        return Result(scenario, algorithm, Undecided(limit.reason, limit.hint, limit.limit))
    except Fault as fault:
        raise ModelError([fault.diagnostic]) from None


class _Check:
    def __init__(self, scenario: Scenario, rule: Algorithm, budget: Budget) -> None:
        self.scenario, self.rule, self.budget = scenario, rule, budget
        self.rounds = Rounds(scenario, rule, budget)
        self.emitted = Emitted(self.rounds)
        self.wanted = Wanted(scenario, self.rounds.wanted)
        self.incomplete = self.rounds.incomplete

    def result(self, listing: bool) -> Result:
        comparison = self._compared()
        verdict = self._verdict(comparison)
        result = Result(
            self.scenario,
            self.rule,
            verdict,
            self.rounds,
            comparison,
            identities=self._identities(),
            contexts=tuple(context_facts(self.rounds, law) for law in self.rounds.laws.values()),
            round_figures=tuple(round_facts(law) for law in self.rounds.laws.values()),
        )
        self._must_agree(result)
        if isinstance(verdict, Undecided):
            return result
        if not listing:
            return self._with_a_run(result, self.scenario.horizon or self._longest_block)
        return self._with_demonstration(result)

    def _compared(self) -> Comparison | None:
        """Compared to the horizon first, where rows must be there, and then for every horizon."""
        horizon, alphabet = self.scenario.horizon, self.rounds.alphabet
        within = None
        try:
            if horizon is not None:
                within = compare_automata(self.emitted, self.wanted, alphabet, horizon)
            elif self.incomplete:
                return None
        except TableFault as fault:
            raise ModelError([fault.diagnostic]) from None
        if self.incomplete or (within is not None and within.shortest is not None):
            return within
        try:
            return compare_automata(self.emitted, self.wanted, alphabet)
        except TableFault as fault:
            if within is None:
                raise ModelError([fault.diagnostic]) from None
            self.incomplete = fault.beyond_the_horizon
            return within

    def _verdict(self, comparison: Comparison | None) -> Verdict:
        horizon = self.scenario.horizon
        if comparison is None:
            return Undecided(str(self.incomplete), "write a horizon in the model file: horizon: 4")
        scope = Scope(horizon if self.incomplete else None, self.incomplete)
        if comparison.shortest is None:
            return Lossless(scope)
        agreed = horizon if horizon is not None and len(comparison.shortest) > horizon else None
        return Lossy(scope, self._counterexample(comparison.shortest), agreed)

    def _counterexample(self, tokens: tuple[Token, ...]) -> Counterexample:
        got = self.emitted.prefix_probability(tokens)
        want = self.wanted.prefix_probability(tokens)
        paths = []
        try:
            for path in SequencePaths(self.rounds, _MOST_TREE_NODES).emitting(tokens, ended=False):
                paths.append(path)
                if len(paths) > _MOST_PATHS:
                    return Counterexample(tokens, got, want, None)
        except BudgetReached:
            return Counterexample(tokens, got, want, None)
        if got == want or sum((path.mass for path in paths), Fraction(0)) != got:
            raise InternalError("a counterexample was not confirmed by enumerating its paths")
        ordered = sorted(paths, key=lambda path: path.mass, reverse=True)
        return Counterexample(tokens, got, want, tuple(ordered))

    def _identities(self) -> tuple[RoundIdentity, ...]:
        try:
            return tuple(
                round_identity(state, blocks, self.wanted)
                for state, blocks in self.emitted.blocks.items()
            )
        except TableFault:
            return ()

    def _must_agree(self, result: Result) -> None:
        """The induction and the automata are two proofs; they may not contradict each other."""
        if result.round_identity_holds and isinstance(result.verdict, Lossy):
            raise InternalError("the round identity holds from every state, yet the laws differ")

    def _with_demonstration(self, result: Result) -> Result:
        """The run's figures and the listed sequences; a budget reached here leaves the verdict alone."""
        horizon = self.scenario.horizon or self._horizon_to_show(result.verdict)
        self.budget.progress(f"listing the sequences to horizon {horizon}")
        most = self.budget.max_nodes
        try:
            listing = Listing(self.emitted, self.wanted, self.rounds.alphabet, horizon, most)
            self._must_match(result.verdict, listing)
            result = replace(result, listing=listing)
        except TooManyOutputs:
            left_out = f"more than {most:,} output sequences to horizon {horizon} (--max-nodes)"
            result = replace(result, listing_left_out=left_out)
        except BudgetReached as limit:
            return replace(result, listing_left_out=limit.reason)
        return self._with_a_run(result, horizon)

    def _with_a_run(self, result: Result, horizon: int) -> Result:
        try:
            return replace(result, run=horizon_facts(self.rounds, self.emitted, horizon))
        except BudgetReached:
            return result

    def _horizon_to_show(self, verdict: Verdict) -> int:
        """Without a horizon in the file: as far as one round reaches, or as the counterexample."""
        shortest = verdict.counterexample.tokens if isinstance(verdict, Lossy) else ()
        return max(self._longest_block, len(shortest))

    @property
    def _longest_block(self) -> int:
        return self.scenario.draft_length + 1

    def _must_match(self, verdict: Verdict, listing: Listing) -> None:
        first_difference = (
            len(verdict.counterexample.tokens)
            if isinstance(verdict, Lossy)
            else listing.horizon + 1
        )
        if bool(listing.wrong) != (first_difference <= listing.horizon):
            raise InternalError("the listed sequences contradict the comparison of the automata")
