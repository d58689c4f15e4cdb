"""A rule run at random, round after round: the same source, with a chance that rolls dice.

Every choice is made with integers over a common denominator, so a seed gives the same sample
everywhere.
"""

from bisect import bisect_right
from collections.abc import Hashable
from fractions import Fraction
from itertools import accumulate
from math import lcm
from random import Random
from typing import Any, TypeVar, cast

from exactspec.chance import Broken, Chance, Token, is_decided, plain
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Fault
from exactspec.expand.faults import checked_round, explained
from exactspec.expand.replay import LONGEST_PATH, Path
from exactspec.model.context import Context, Looks
from exactspec.model.scenario import Scenario
from exactspec.rule import Algorithm, Round, as_round

T = TypeVar("T", bound=Hashable)
Output = tuple[Token, ...]


class Dice:
    """Outcomes chosen by a seeded generator, each with exactly its probability."""

    def __init__(self, seed: int) -> None:
        self._generator = Random(seed)
        self._sides: dict[Distribution[Any], tuple[list[Any], list[int]]] = {}

    def roll(self, distribution: Distribution[T]) -> T:
        """One outcome: an even integer below the common denominator says which."""
        if distribution not in self._sides:
            self._sides[distribution] = _sides(distribution)
        outcomes, reached = self._sides[distribution]
        return cast(T, outcomes[bisect_right(reached, self._generator.randrange(reached[-1]))])


def _sides(distribution: Distribution[T]) -> tuple[list[T], list[int]]:
    scale = lcm(*(weight.denominator for _, weight in distribution.items()))
    shares = [int(weight * scale) for _, weight in distribution.items()]
    return list(distribution), list(accumulate(shares))


class Sampled(Chance):
    """A chance that decides by dice."""

    def __init__(self, dice: Dice) -> None:
        super().__init__()
        self._dice = dice
        self._asked = 0

    def decide(self, kind: str, label: str, distribution: Distribution[T]) -> T:
        self._asked += 1
        if self._asked > LONGEST_PATH:
            message = f"one path of the round asked more than {LONGEST_PATH:,} questions"
            hint = "a round must come to an end on every path"
            raise Fault(Diagnostic("rule-endless", message, hint))
        return self._dice.roll(distribution)


class Sampler:
    """Samples output sequences of a rule, each from a run of its own; no states are merged.

    Args:
        scenario: the tables and settings, with a horizon.
        rule: the algorithm.
        seed: of the dice.
    """

    def __init__(self, scenario: Scenario, rule: Algorithm, seed: int) -> None:
        self._scenario, self._rule, self._dice = scenario, rule, Dice(seed)
        self._takes = rule.keywords()
        self.calls = 0

    def output(self) -> Output:
        """One sequence: whole, or its first tokens up to the horizon.

        Raises:
            RuleError: where the rule does something that is no round.
            ModelError: where a row is missing.
        """
        horizon = self._scenario.horizon or 1
        tokens: Output = ()
        state: Hashable = None
        blocks: list[Output] = []
        while len(tokens) < horizon and not self._stops(tokens):
            try:
                block, state = self._round(tokens, state)
            except (Fault, Exception) as error:
                raise explained(error, self._rule, blocks, ()) from error
            tokens += block
            blocks.append(block)
            self.calls += 1
        return tokens[:horizon]

    def _round(self, tokens: Output, state: Hashable) -> tuple[Output, Hashable]:
        chance = Sampled(self._dice)
        returned = as_round(self._call(chance, tokens, state), chance)
        looked_at = all(map(is_decided, returned.tokens))
        emitted: Output = plain(tuple(returned.tokens))
        checked_round(_path(emitted, returned), emitted, self._scenario)
        if self._scenario.cut_after_end:
            emitted = self._cut(tokens, emitted, looked_at)
        return emitted, returned.state

    def _call(self, chance: Chance, tokens: Output, state: Hashable) -> Any:
        scenario, left = self._scenario, self._left(tokens)
        length = scenario.draft_length if left is None else min(scenario.draft_length, left - 1)
        given = {"draft_length": length, "state": state}
        keywords = {name: value for name, value in given.items() if name in self._takes}
        context = Context((*scenario.prompt, *tokens), Looks())
        return self._rule(
            chance, scenario.target, scenario.draft, context, **keywords, **scenario.options
        )

    def _cut(self, tokens: Output, emitted: Output, looked_at: bool) -> Output:
        """The block as the request sees it: behind its end there is nothing, as there is in the check."""
        body, last = (emitted, ()) if looked_at else (emitted[:-1], emitted[-1:])
        body = body[: self._left(tokens)]
        if self._scenario.end in body:
            body = body[: body.index(self._scenario.end) + 1]
        return body if self._stops((*tokens, *body)) else (*body, *last)

    def _left(self, tokens: Output) -> int | None:
        most = self._scenario.max_tokens
        return None if most is None else most - len(tokens)

    def _stops(self, tokens: Output) -> bool:
        left = self._left(tokens)
        ended = any(isinstance(token, Broken) or token == self._scenario.end for token in tokens)
        return ended or (left is not None and left <= 0)


def _path(emitted: Output, returned: Round) -> Path:
    """A sampled round as a path, of which only the outcome is known."""
    return Path(
        steps=(),
        mass=Fraction(1),
        tokens=emitted,
        last=None,
        last_label="",
        accepted=returned.accepted,
        state=returned.state,
        drafting=(),
        other_drafts=0,
        first_new_step=0,
    )
