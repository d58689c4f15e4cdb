"""Staged drafting: the draft is itself decoded speculatively, with a smaller drafter."""

from collections.abc import Callable

from exactspec.algorithms.one_path import token_by_token
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Algorithm, Round, algorithm
from exactspec.transforms import top_k

Drafter = Callable[[Context], Distribution[Token]]


def staged_by(small_of: Callable[[Model], Drafter]) -> Algorithm:
    """Staged drafting with a small drafter of one's own: the draft model -> the law that drafts for it."""

    @algorithm(
        paper="Spector, Re 2023, 2308.04623; Chen et al. 2023, Cascade Speculative Drafting, 2312.11462",
        lossless_when="the inner rounds emit the draft model's law, which is the one in the outer ratio",
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


def inner_round(
    chance: Chance, draft: Model, small: Drafter, context: Context, length: int
) -> tuple[Token, ...]:
    """What a round of the token rule emits whose target is the draft model."""
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < length and not draft.ends(drafted):
        laws.append(small(context + drafted))
        drafted = (*drafted, chance.draw(laws[-1], "draft"))
    return tuple(token_by_token(chance, draft, context, drafted, laws).tokens)


staged = staged_by(lambda draft: lambda context: top_k(draft(context), 2))
