"""Adaptive draft length: the next round drafts more after success, and less after a rejection."""

from dataclasses import replace

from exactspec.algorithms.token_level import token_level
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="transformers num_assistant_tokens_schedule: heuristic; bandits over draft lengths",
    lossless_when="the length depends on earlier rounds only",
    acceptance="a drafted x with min(1, p(x)/q(x)), so the sum of min(p, q) at each position that "
    "is drafted",
    edge_cases="p = q: nothing is rejected, the length grows to draft_length; all are rejected: "
    "it stays at least 1; p(x) = 0: rejected surely",
)
def length_by_history(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    state: int | None = None,
) -> Round:
    """Draft one token more than in the last round if all were accepted, else one less; the token rule.

    The first round drafts one token. The schedule is our own, the smallest of its kind.
    """
    length = min(state or 1, draft_length)
    verified = token_level(chance, target, draft, context, draft_length=length)
    assert isinstance(verified, Round)
    following = length + 1 if verified.accepted == length else max(1, length - 1)
    return replace(verified, state=following)
