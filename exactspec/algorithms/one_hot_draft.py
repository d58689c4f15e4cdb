"""A deterministic draft: look-ups, n-grams and argmax drafts propose one token and no law."""

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm
from exactspec.transforms import argmax


@algorithm(
    paper="Yang et al. 2023, Inference with Reference (LLMA), 2304.04487; Saxena 2023, prompt lookup",
    lossless_when="always: the law of a deterministic draft is one-hot, and known",
    acceptance="the drafted x = argmax q with p(x)",
    edge_cases="p(x) = 1: accepted surely, p without x is never drawn; p(x) = 0: rejected surely, "
    "corrected by p; q elsewhere plays no part",
)
def one_hot_draft(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draft the most probable tokens, and verify them by the token rule with a one-hot draft law.

    So a token x is accepted with p(x), and corrected by p without x. The argmax stands for any
    function of the context; of equally probable tokens the vocabulary's first one is drafted.
    """
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < draft_length and not draft.ends(drafted):
        laws.append(Distribution.one_hot(argmax(draft(context + drafted))))
        drafted = (*drafted, chance.draw(laws[-1], "draft"))
    return token_by_token(chance, target, context, drafted, laws)
