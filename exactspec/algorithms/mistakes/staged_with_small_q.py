"""Staged drafting whose last check believes the smallest drafter."""

from collections.abc import Callable
from fractions import Fraction

from exactspec.algorithms.one_path import Drafter, inner_round, token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Algorithm, Round, algorithm


def staged_with_small_q_by(small_of: Callable[[Model], Drafter]) -> Algorithm:
    """The mistake with a small drafter of one's own.

    Args:
        small_of: the draft model -> the law by which tokens are drafted for it; it must give every
            token that the draft model gives.
    """

    @algorithm(
        paper="Spector, Re 2023, Staged Speculative Decoding, 2308.04623, with one mistake",
        acceptance="the inner round's x with min(1, p(x)/s(x)), s the small drafter's law",
        seen_in="nowhere that we know of; a variant that suggests itself",
    )
    def staged_with_small_q(
        chance: Chance,
        target: Model,
        draft: Model,
        context: Context,
        *,
        draft_length: int,
        inner_length: int = 1,
    ) -> Round:
        """Draft by a round for the draft model, and verify with the law of that round's drafter.

        The right rule verifies with the draft model's law, which the inner round makes its tokens
        follow. It violates "true proposal law": the small drafter's law is that of tokens which the
        inner round may have corrected.
        """
        small = small_of(draft)
        block = inner_round(chance, draft, small, context, inner_length)[:draft_length]
        laws = [small(context + block[:i]) for i in range(len(block))]
        return token_by_token(chance, target, context, block, laws)

    return staged_with_small_q


def _halfway_to_even(q: Distribution[Token]) -> Distribution[Token]:
    return Distribution({x: (weight + Fraction(1, len(q))) / 2 for x, weight in q.items()})


staged_with_small_q = staged_with_small_q_by(
    lambda draft: lambda context: _halfway_to_even(draft(context))
)
