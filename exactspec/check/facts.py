"""Exact figures of a context, of a round, and of a run to the horizon."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactspec.chance import Token
from exactspec.distribution import Distribution, excess, residual, total_variation
from exactspec.expand.automaton import Emitted, Node
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import Outcome, RoundLaw, State
from exactspec.model.table import MissingRow, Model
from exactspec.numbers import minimum, positive_part

_ZERO = Fraction(0)


@dataclass(frozen=True)
class FirstToken:
    """How the first token of a round comes to be one token x.

    Args:
        token: x.
        target: p(x); None where the target has no row.
        draft: q(x); None where the draft has no row.
        accepted: mass of the paths that emit x first, as an accepted draft; None if the rule doesn't say.
        rejected: mass of the paths that draft x first, and whose first coin rejects.
        corrected: mass of the paths that emit x first otherwise: residual, bonus, a draw of its own.
        emitted: mass of all paths that emit x first.
    """

    token: Token
    target: Fraction | None
    draft: Fraction | None
    accepted: Fraction | None
    rejected: Fraction | None
    corrected: Fraction | None
    emitted: Fraction


@dataclass(frozen=True)
class Agreement:
    """Whether a column of the first token's figures is what the theory says, and where not."""

    figure: str
    theory: str
    differs_at: tuple[Token, ...]


@dataclass(frozen=True)
class ContextFacts:
    """One context: the figures that the theory calls β, each computed in its own way.

    Args:
        state: the state; ``state.context`` is the context.
        acceptance: mass of the paths whose first coin accepts; None without a coin.
        rejection: mass of the paths whose first coin rejects, summed by itself.
        residual_mass: the sum of all [p(x) - q(x)]+.
        total_variation: half the sum of all |p(x) - q(x)|.
        residual: [p - q]+ / β; None where β = 0 or there is no draft row.
        first_tokens: one row for each token of the vocabulary that p, q or the rule gives.
    """

    state: State
    acceptance: Fraction | None
    rejection: Fraction | None
    residual_mass: Fraction | None
    total_variation: Fraction | None
    residual: Distribution[Token] | None
    first_tokens: tuple[FirstToken, ...]

    @property
    def sums(self) -> FirstToken:
        """The columns of ``first_tokens`` summed."""
        rows = self.first_tokens
        return FirstToken(
            "sum",
            target=_sum(row.target for row in rows),
            draft=_sum(row.draft for row in rows),
            accepted=_sum(row.accepted for row in rows),
            rejected=_sum(row.rejected for row in rows),
            corrected=_sum(row.corrected for row in rows),
            emitted=sum((row.emitted for row in rows), _ZERO),
        )

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """The theory's chain of identities, each compared token by token."""
        return tuple(
            Agreement(figure, theory, tuple(row.token for row in rows if not same(row)))
            for figure, theory, same in _CHAIN
            if (rows := [row for row in self.first_tokens if getattr(row, figure) is not None])
            and all(row.target is not None and row.draft is not None for row in rows)
        )

    @property
    def rows_are_equal(self) -> bool:
        """β = 0: target and draft have the same row."""
        return self.residual_mass == 0


@dataclass(frozen=True)
class RoundFacts:
    """One round from a state: how many drafts are accepted and how many tokens emitted.

    ``accepted`` and ``mean_accepted`` are None where the rule doesn't say.
    """

    state: State
    accepted: Mapping[int, Fraction] | None
    emitted: Mapping[int, Fraction]
    paths: int
    nodes: int
    reached: tuple[str, ...]
    drafted: Fraction | None

    @property
    def mean_accepted(self) -> Fraction | None:
        return None if self.accepted is None else _mean(self.accepted)

    @property
    def mean_emitted(self) -> Fraction:
        return _mean(self.emitted)


@dataclass(frozen=True)
class HorizonFacts:
    """A run to the horizon.

    Args:
        horizon: tokens observed.
        calls: expected number of target calls, which is rounds begun.
        tokens: expected number of tokens emitted within the horizon.
        drafted: expected number of drafted tokens; None without latencies, or where a draft row is missing.
        speedup: expected cost of the same tokens without a draft over the expected cost with it.
    """

    horizon: int
    calls: Fraction
    tokens: Fraction
    drafted: Fraction | None
    speedup: Fraction | None


_CHAIN: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (
    ("accepted", "min(p, q)", lambda row: row.accepted == minimum(row.target, row.draft)),
    ("rejected", "[q - p]+", lambda row: row.rejected == positive_part(row.draft - row.target)),
    ("corrected", "[p - q]+", lambda row: row.corrected == positive_part(row.target - row.draft)),
    ("emitted", "p", lambda row: row.emitted == row.target),
)


def context_facts(rounds: Rounds, law: RoundLaw) -> ContextFacts:
    """The figures of the context from which a round begins."""
    scenario = rounds.scenario
    context = law.state.context
    p, q = _row(scenario.target, context), _row(scenario.draft, context)
    over = excess(p, q) if p is not None and q is not None else None
    accepts = _coins(law, True)
    rejects = _coins(law, False)
    return ContextFacts(
        state=law.state,
        acceptance=sum(accepts.values(), _ZERO) if law.first_coins else None,
        rejection=sum(rejects.values(), _ZERO) if law.first_coins else None,
        residual_mass=None if over is None else over.total,
        total_variation=None if p is None or q is None else total_variation(p, q),
        residual=residual(p, q) if over and p is not None and q is not None else None,
        first_tokens=_first_tokens(rounds.alphabet, law, p, q),
    )


def _coins(law: RoundLaw, outcome: bool) -> dict[Token | None, Fraction]:
    return {token: mass for (token, coin), mass in law.first_coins.items() if coin is outcome}


def _row(model: Model, context: tuple[Token, ...]) -> Distribution[Token] | None:
    try:
        return model.row_after(context)
    except MissingRow:
        return None


def _first_tokens(
    vocabulary: tuple[Token, ...],
    law: RoundLaw,
    p: Distribution[Token] | None,
    q: Distribution[Token] | None,
) -> tuple[FirstToken, ...]:
    accepted: dict[Token, Fraction] = {}
    corrected: dict[Token, Fraction] = {}
    says = all(outcome.accepted is not None for outcome in law.outcomes)
    for outcome, mass in law.outcomes.items():
        side = accepted if outcome.accepted else corrected
        for token, weight in _first_of(outcome).items():
            side[token] = side.get(token, _ZERO) + mass * weight
    rejected = _coins(law, False)
    given = {*accepted, *corrected, *(p or ()), *(q or ())}
    return tuple(
        FirstToken(
            token,
            target=None if p is None else p[token],
            draft=None if q is None else q[token],
            accepted=accepted.get(token, _ZERO) if says else None,
            rejected=rejected.get(token, _ZERO) if law.first_coins else None,
            corrected=corrected.get(token, _ZERO) if says else None,
            emitted=accepted.get(token, _ZERO) + corrected.get(token, _ZERO),
        )
        for token in vocabulary
        if token in given
    )


def _first_of(outcome: Outcome) -> Distribution[Token]:
    if outcome.tokens:
        return Distribution.one_hot(outcome.tokens[0])
    assert outcome.last is not None
    return outcome.last


def round_facts(law: RoundLaw) -> RoundFacts:
    """How many drafts one round accepts and how many tokens it emits."""
    accepted: dict[int, Fraction] = {}
    emitted: dict[int, Fraction] = {}
    for outcome, mass in law.outcomes.items():
        emitted[outcome.length] = emitted.get(outcome.length, _ZERO) + mass
        if outcome.accepted is not None:
            accepted[outcome.accepted] = accepted.get(outcome.accepted, _ZERO) + mass
    says = sum(accepted.values(), _ZERO) == 1
    return RoundFacts(
        state=law.state,
        accepted=dict(sorted(accepted.items())) if says else None,
        emitted=dict(sorted(emitted.items())),
        paths=law.paths,
        nodes=law.nodes,
        reached=tuple(law.reached),
        drafted=law.drafted,
    )


def horizon_facts(rounds: Rounds, emitted: Emitted, horizon: int) -> HorizonFacts:
    """Expected target calls, tokens and drafted tokens until the horizon or the end."""
    calls = tokens = _ZERO
    drafted: Fraction | None = _ZERO
    level: dict[Node, Fraction] = {emitted.start: Fraction(1)}
    for _ in range(horizon):
        following: dict[Node, Fraction] = {}
        for node, weight in level.items():
            state = emitted.round_starts.get(node)
            if state is not None:
                calls += weight
                each = rounds.laws[state].drafted
                drafted = None if drafted is None or each is None else drafted + weight * each
            if node != emitted.stopped:
                tokens += weight
            for row in emitted.moves(node).values():
                for there, share in row.items():
                    following[there] = following.get(there, _ZERO) + weight * share
        level = following
    latency = rounds.scenario.latency
    if latency is None or drafted is None:
        return HorizonFacts(horizon, calls, tokens, None, None)
    cost = calls * latency.target + drafted * latency.draft
    return HorizonFacts(horizon, calls, tokens, drafted, tokens * latency.target / cost)


def _sum(numbers: Iterable[Fraction | None]) -> Fraction | None:
    known = [number for number in numbers if number is not None]
    return sum(known, _ZERO) if known else None


def _mean(law: Mapping[int, Fraction]) -> Fraction:
    return sum((count * mass for count, mass in law.items()), _ZERO)
