"""The token rule that admits a draft after looking at the confidence behind it."""

from fractions import Fraction

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens
from exactspec.transforms import argmax


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="a drafted x with min(1, p(x)/q(x)) if max q behind the first token reaches τ, "
    "else none",
    edge_cases="the first token ends the draft: admitted",
    seen_in="DSpark paper (2607.05147), appendix A, as its own counterexample",
)
def admitted_by_the_next_position(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    threshold: Fraction = Fraction(9, 20),
) -> Round:
    """Verify the draft only if the drafter is confident of the position behind the first token.

    The right rule decides on a position from what came before it. It violates "non-anticipating
    admission": the row behind x depends on x, and x is thrown away where that row is flat.
    """
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    if drafted and not target.ends(drafted):
        behind = draft(context + drafted[:1])
        if behind[argmax(behind)] < threshold:
            drafted = ()
    laws = [draft(context + drafted[:i]) for i in range(len(drafted))]
    return token_by_token(chance, target, context, drafted, laws)
