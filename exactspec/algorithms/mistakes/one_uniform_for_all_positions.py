"""The token rule that compares the same random number at every position."""

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="a drafted x if U < min(1, p(x)/q(x)), with one U for the round",
    seen_in="bugs in the seeds of random numbers; vllm-project/vllm PR 35398, raised in its review",
)
def one_uniform_for_all_positions(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draw one uniform number in a round, and compare every acceptance probability with it.

    The right rule tosses a fresh coin at every position. It violates "fresh randomness": an
    accepted draft has left the number small, which favours the next one. The law of the first
    emitted token is still exact, so a test of single tokens does not see it.
    """
    u = chance.uniform()
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if u >= minimum(1, p[token] / q[token]):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
