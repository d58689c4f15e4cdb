"""A sampled draft, verified as if it were deterministic."""

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="vLLM's rejection sampler with draft_probs=None on a model drafter (issue 40149)",
    lossless_when="always, whatever law the draft was drawn from",
    acceptance="a drafted x with p(x), so the sum of p q at each position",
    edge_cases="p = q: accepted with the sum of p², not surely; p(x) = 1: p without x is never "
    "drawn; p(x) = 0: rejected surely, corrected by p",
)
def draft_as_one_hot(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Accept each sampled token x with p(x), and correct the first rejection by p without x.

    The law of a round is that of ``sampler_match``: less is accepted than the draft law would
    allow, and nothing is wrong.
    """
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    laws = [Distribution.one_hot(token) for token in drafted]
    return token_by_token(chance, target, context, drafted, laws)
