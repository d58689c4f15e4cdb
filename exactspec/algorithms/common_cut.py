"""A batch whose rows all advance by the same number of tokens, cut to the shortest."""

from exactspec.algorithms.token_level import token_level
from exactspec.chance import Chance
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="our own formulation of batches with a common length; Zhang et al. 2025, Batch Speculative "
    "Decoding Done Right, 2510.22876, on the mistakes",
    lossless_when="a row that is cut emits its own accepted token behind the cut, not a new sample",
    acceptance="as many as the token rule accepts, at most the cut",
    edge_cases="an accepted token behind the cut: emitted, but not counted; p = q: nothing is "
    "rejected, only cut; p(x) = 0: rejected surely",
)
def common_cut(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """The token rule, cut behind as many accepted tokens as the worst other row has, and one more.

    The other rows are independent; theirs is a number drawn evenly from 0 to ``draft_length``.
    """
    verified = token_level(chance, target, draft, context, draft_length=draft_length)
    assert isinstance(verified, Round)
    evenly = Distribution.normalised(dict.fromkeys(range(draft_length + 1), 1))
    cut = chance.uniform("cut").pick(evenly)
    if verified.accepted is not None and verified.accepted > cut:
        return Round(verified.tokens[: cut + 1], accepted=cut)
    return verified
