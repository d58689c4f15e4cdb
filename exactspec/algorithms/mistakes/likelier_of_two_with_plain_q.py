"""The token rule on the likelier of two drafts."""

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="the likelier x of two drafts with min(1, p(x)/q(x))",
    seen_in="the worry about trees whose sampled candidates are reranked; EAGLE-2 samples none",
)
def likelier_of_two_with_plain_q(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draw two drafts at each position, keep the one with the larger q, and verify it with q.

    The right rule verifies with the law of the kept draft. It violates "true proposal law": the
    likelier of two draws of q does not follow q. Of equally likely ones the vocabulary's first is
    kept.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        q = draft(context + drafted)
        two = chance.draw(q, "draft"), chance.draw(q, "draft")
        likelier = argmax(Distribution.normalised({x: w for x, w in q.items() if x in two}))
        drafted = (*drafted, likelier)
    laws = [draft(context + drafted[:i]) for i in range(len(drafted))]
    return token_by_token(chance, target, context, drafted, laws)
