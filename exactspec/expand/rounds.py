"""Rounds from every reachable state: what each emits with which probability, equal states merged.

What comes in is a scenario and an algorithm; what goes out is ``Rounds``: for each state the law of
one round, and where every round goes on.
"""

import heapq
from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count

from exactspec.chance import Broken, Chance, Token
from exactspec.distribution import Distribution
from exactspec.errors import BudgetReached, Fault, InternalError
from exactspec.expand.budget import Budget
from exactspec.expand.drafts import drafted_tokens
from exactspec.expand.estimate import estimate_nodes
from exactspec.expand.faults import checked_round, explained
from exactspec.expand.replay import Path, Step, paths_of
from exactspec.expand.states import STOPPED, RoundLaw, State, typed
from exactspec.expand.wanted import wanted_law
from exactspec.model.context import Context, Looks
from exactspec.model.scenario import Scenario
from exactspec.model.table import TableFault
from exactspec.rule import Algorithm

_ZERO = Fraction(0)
_NODES_BEFORE_AN_ESTIMATE = 5_000
_MARGIN_OF_THE_ESTIMATE = 10
_MOST_KEPT_PATHS = 1_000
_SHARE_BEYOND = 10


class Rounds:
    """The rounds of an algorithm on a scenario, from each state that can be reached.

    Args:
        scenario: the tables and settings.
        rule: the algorithm.
        budget: limits; exceeding one raises ``BudgetReached``.

    Raises:
        RuleError: where the rule does something that no law can be given for.
        ModelError: where a row is missing that is reached within the horizon.
    """

    def __init__(self, scenario: Scenario, rule: Algorithm, budget: Budget) -> None:
        self.scenario, self.rule, self.budget = scenario, rule, budget
        self.wanted = wanted_law(scenario, rule)
        self._takes = rule.keywords()
        self._looks = Looks(models=(scenario.target, scenario.draft))
        self._last_ones: dict[Token, None] = dict.fromkeys([scenario.end] if scenario.end else [])
        self._known_laws: set[Distribution[Token]] = set()
        self._still_to_draft: dict[tuple[Hashable, int], Fraction] = {}
        self._explore()

    def _explore(self) -> None:
        while True:
            looks = Looks(**vars(self._looks))
            self._start_afresh()
            self._expand_reachable()
            if self._looks == looks:
                return

    def _start_afresh(self) -> None:
        self.laws: dict[State, RoundLaw] = {}
        self._first_paths: tuple[Path, ...] = ()
        self.incomplete: str | None = None
        self._way: dict[State, tuple[State, tuple[Token, ...]]] = {}
        scenario = self.scenario
        self.start = self._state(scenario.prompt, None, scenario.max_tokens)

    def _state(
        self, context: tuple[Token, ...], carried: Hashable, tokens_left: int | None
    ) -> State:
        return State((self.key_of(context), typed(carried)), carried, tokens_left, context)

    def key_of(self, context: tuple[Token, ...]) -> Hashable:
        """What the models, the wanted law and the rule by looks of its own still see of a context."""
        laws = (self.scenario.target, self.scenario.draft, self.wanted)
        return (*(law.visible(context) for law in laws), self._looks.key(context))

    def after(self, state: State, tokens: tuple[Token, ...], carried: Hashable) -> State:
        """The state after some tokens: ``STOPPED`` behind an end token or the last allowed one."""
        left = None if state.tokens_left is None else state.tokens_left - len(tokens)
        ended = any(token in self._last_ones for token in tokens)
        if state is STOPPED or ended or (left is not None and left <= 0):
            return STOPPED
        return self._state((*state.context, *tokens), carried, left)

    def _expand_reachable(self) -> None:
        """Expand states nearest first, as far as every horizon needs, or else the given one."""
        looks = Looks(**vars(self._looks))
        horizon = self.scenario.horizon
        nearest = {self.start: 0}
        order = count()
        waiting: list[tuple[int, int, State]] = [(0, next(order), self.start)]
        within = self.budget.nodes
        while waiting and self._looks == looks:
            distance, _, state = heapq.heappop(waiting)
            if state in self.laws:
                continue
            beyond = horizon is not None and distance >= horizon
            within = within if beyond else self.budget.nodes
            may_stop = beyond or (horizon is None and state is not self.start)
            if may_stop and (reason := self._reason_to_stop(within)):
                self.incomplete = reason
                return
            law = self._expand_if_possible(state, beyond)
            if law is None:
                return
            self.laws[state] = law
            for tokens, reached in self._reached_from(law):
                there = distance + len(tokens)
                if reached is not STOPPED and there < nearest.get(reached, there + 1):
                    nearest[reached] = there
                    self._way[reached] = state, tokens
                    heapq.heappush(waiting, (there, next(order), reached))

    def _expand_if_possible(self, state: State, beyond: bool) -> RoundLaw | None:
        """The law from a state; None where it lies beyond the horizon and can't be had."""
        try:
            return self.expand(state)
        except TableFault as fault:
            if not beyond:
                steps = getattr(fault, "exactspec_steps", ())
                raise explained(fault, self.rule, self.way_to(state), steps) from None
            self.incomplete = fault.beyond_the_horizon
        except BudgetReached as limit:
            if not beyond:
                raise
            self.incomplete = limit.reason
        return None

    def _reason_to_stop(self, nodes_within: int) -> str | None:
        """Why states beyond the horizon can't all be expanded, as far as that is known."""
        if self._looks.grow_with_the_context and self.scenario.max_tokens is None:
            what = "whole context" if self._looks.whole else "length of its context"
            return f"the rule looks at the {what}, so its states are not finitely many"
        if (self.budget.nodes - nodes_within) * _SHARE_BEYOND > self.budget.max_nodes:
            return "more states are reached than a tenth of the budget allows (--max-nodes)"
        if len(self.laws) >= self.budget.max_states:
            return f"more than {self.budget.max_states:,} states are reached (--max-states)"
        return None

    def _reached_from(self, law: RoundLaw) -> Iterator[tuple[tuple[Token, ...], State]]:
        followed = set()
        for outcome in law.outcomes:
            behind = self.after(law.state, outcome.tokens, outcome.carried)
            if outcome.last is None:
                yield outcome.tokens, behind
            elif (behind, outcome.last) not in followed:
                followed.add((behind, outcome.last))
                for token in outcome.last:
                    yield (*outcome.tokens, token), self.after(behind, (token,), outcome.carried)

    def expand(self, state: State) -> RoundLaw:
        """The law of one round from a state, summed over every path."""
        law = RoundLaw(state)
        covered = _ZERO
        size, expanded = "", 0
        kept: list[Path] = []
        for path in self._enumerate(state):
            covered += path.mass
            law.add(path)
            if state == self.start and len(kept) <= _MOST_KEPT_PATHS:
                kept.append(path)
            if self.scenario.latency is not None:
                law.add_drafted(path, drafted_tokens(path, self._still_to_draft))
            nodes = len(path.steps) - path.first_new_step + 1
            expanded += nodes
            if not size and expanded > min(_NODES_BEFORE_AN_ESTIMATE, self.budget.nodes_left):
                size = self._estimated_size(state, covered)
            self.budget.spend(nodes, covered, size)
        if covered != 1:
            raise InternalError(f"the paths of a round have mass {covered}, not 1")
        if 0 < len(kept) <= _MOST_KEPT_PATHS:
            self._first_paths = tuple(kept)
        return law

    def _checked(self, path: Path) -> Path:
        """The path, once what it emits is known to be tokens; a law is looked at once."""
        emitted = path.tokens
        if path.last is not None and path.last not in self._known_laws:
            self._known_laws.add(path.last)
            emitted = (*emitted, *path.last)
        self._last_ones.update((token, None) for token in emitted if isinstance(token, Broken))
        return checked_round(path, emitted, self.scenario)

    @property
    def alphabet(self) -> tuple[Token, ...]:
        """What can be emitted: the vocabulary, and behind it the outcomes that are no tokens."""
        return (*self.scenario.vocabulary, *(t for t in self._last_ones if isinstance(t, Broken)))

    def _estimated_size(self, state: State, covered: Fraction) -> str:
        """The size of a round's tree in words; refused at once where it is far beyond the budget."""
        try:
            nodes = estimate_nodes(lambda chance: self._run(chance, state))
        except (Fault, Exception):
            return "its size is not known; "  # the enumeration will meet the fault, and tell how
        size = f"the round at hand has about {nodes:,} nodes (estimated); "
        self.budget.progress(f"a round of about {nodes:,} nodes")
        if nodes > _MARGIN_OF_THE_ESTIMATE * self.budget.max_nodes:
            raise self.budget.reached_nodes(size, covered)
        return size

    def paths(self, state: State) -> Iterator[Path]:
        """Every path of one round from a state, as the request sees it (cut, where the file says so)."""
        return (
            iter(self._first_paths)
            if state == self.start and self._first_paths
            else self._enumerate(state)
        )

    def _enumerate(self, state: State) -> Iterator[Path]:
        steps: tuple[Step, ...] = ()
        try:
            for path in paths_of(
                lambda chance: self._run(chance, state),
                again=0 if self.rule.of_the_catalogue else 1,
            ):
                steps = path.steps
                yield self._cut(self._checked(path), state)
        except TableFault:
            raise
        except (Fault, Exception) as error:
            raise explained(
                error, self.rule, self.way_to(state), getattr(error, "exactspec_steps", steps)
            ) from error

    def _cut(self, path: Path, state: State) -> Path:
        """The path as the request sees it, where the file asks for blocks cut at its end."""
        if not self.scenario.cut_after_end:
            return path
        tokens = path.tokens[: state.tokens_left]
        if self.scenario.end in tokens:
            tokens = tokens[: tokens.index(self.scenario.end) + 1]
        last = None if self.after(state, tokens, None) is STOPPED else path.last
        length = len(tokens) + (last is not None)
        accepted = None if path.accepted is None else min(path.accepted, length)
        return replace(path, tokens=tokens, last=last, accepted=accepted)

    def _run(self, chance: Chance, state: State) -> object:
        scenario = self.scenario
        length = scenario.draft_length
        if state.tokens_left is not None:
            length = min(length, state.tokens_left - 1)
        given = {"draft_length": length, "state": state.carried}
        keywords = {name: value for name, value in given.items() if name in self._takes}
        context = Context(state.context, self._looks)
        return self.rule(
            chance, scenario.target, scenario.draft, context, **keywords, **scenario.options
        )

    def way_to(self, state: State) -> tuple[tuple[Token, ...], ...]:
        """The emitted blocks of one way from the start to a state."""
        blocks: list[tuple[Token, ...]] = []
        while state in self._way:
            state, tokens = self._way[state]
            blocks.append(tokens)
        return tuple(reversed(blocks))
