"""The token rule on a draft that was filtered, with the unfiltered probabilities."""

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import top_k


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="an x drafted from the top k with min(1, p(x)/q(x)), q the full row",
    seen_in="transformers issue 47932, fixed by PR 47961; DeepSpec issue 31, fixed (two "
    "precisions of one q)",
)
def processed_draft_with_raw_q(
    chance: Chance,
    target: Model,
    draft: Model,
    context: Context,
    *,
    draft_length: int,
    kept: int = 2,
) -> Round:
    """Draft from the top k of the draft model, and verify with its full row.

    The right rule verifies with the filtered row that was drawn from. It violates "true proposal
    law": the ratio is too large by one over the mass that the filter kept.
    """
    drafted: tuple[Token, ...] = ()
    while len(drafted) < draft_length and not draft.ends(drafted):
        processed = top_k(draft(context + drafted), kept)
        drafted = (*drafted, chance.draw(processed, "draft"))
    laws = [draft(context + drafted[:i]) for i in range(len(drafted))]
    return token_by_token(chance, target, context, drafted, laws)
