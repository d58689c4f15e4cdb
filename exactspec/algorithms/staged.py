"""Staged drafting: the draft is itself decoded speculatively, with a smaller drafter."""

from collections.abc import Callable

from exactspec.algorithms.one_path import Drafter, inner_round, token_by_token
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Algorithm, Round, algorithm
from exactspec.transforms import top_k


def staged_by(small_of: Callable[[Model], Drafter]) -> Algorithm:
    """Staged drafting with a small drafter of one's own: the draft model -> the law that drafts for it."""

    @algorithm(
        paper="Spector, Re 2023, 2308.04623; Chen et al. 2023, Cascade Speculative Drafting, 2312.11462",
        lossless_when="the inner rounds emit the draft model's law, which is the one in the outer ratio",
        acceptance="an inner round's x with min(1, p(x)/q(x)), so the sum of min(p, q) at each "
        "position of the block",
        edge_cases="p = q: nothing is rejected; p(x) = 0: rejected surely; an inner rejection: a "
        "shorter block, the bonus follows it",
    )
    def staged(
        chance: Chance,
        target: Model,
        draft: Model,
        context: Context,
        *,
        draft_length: int,
        inner_length: int = 2,
        inner_rounds: int = 1,
    ) -> Round:
        """Draft by rounds of the token rule, in which a smaller drafter drafts for the draft model.

        The block is what ``inner_rounds`` rounds emit, at most ``draft_length`` tokens. For want of
        a third table, the small drafter is the draft model's top two tokens.
        """
        small = small_of(draft)
        block: tuple[Token, ...] = ()
        for _ in range(inner_rounds):
            if len(block) < draft_length and not draft.ends(block):
                block += inner_round(chance, draft, small, context + block, inner_length)
        block = block[:draft_length]
        laws = [draft(context + block[:i]) for i in range(len(block))]
        return token_by_token(chance, target, context, block, laws)

    return staged


staged = staged_by(lambda draft: lambda context: top_k(draft(context), 2))
