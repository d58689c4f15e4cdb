"""How many tokens a round drafts, also those behind a rejection that no path has to look at."""

from collections.abc import Hashable, Iterable
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.replay import Path
from exactspec.model.context import all_tokens, every_token_is_decided
from exactspec.model.table import MissingRow, Model

_ONE = Fraction(1)


def drafted_tokens(path: Path, known: dict[tuple[Hashable, int], Fraction]) -> Fraction | None:
    """The expected number of tokens drafted on a path, as an engine drafts them: before it verifies.

    Args:
        path: one path of a round.
        known: what earlier calls for the same draft table have found; extended here.

    Returns:
        The expectation over the drafts that the path leaves open; None where a draft row is missing,
        or where the draft begins behind a token that the path leaves open.
    """
    total = Fraction(path.other_drafts)
    for drafted in path.drafting:
        seen = drafted.looked_at()
        total += len(seen)
        if not every_token_is_decided(drafted.context):
            return None
        if not drafted.draft.ends(seen):
            context = all_tokens(drafted.context + seen)
            try:
                total += _expected(drafted.draft, context, drafted.draft_length - len(seen), known)
            except MissingRow:
                return None
    return total


def _expected(
    draft: Model,
    context: tuple[Token, ...],
    count: int,
    known: dict[tuple[Hashable, int], Fraction],
) -> Fraction:
    """The expected length of a draft of at most ``count`` tokens, level by level from the longest."""
    if draft.end is None or count == 0:
        return Fraction(count)
    levels: list[dict[Hashable, tuple[Token, ...]]] = [{draft.visible(context): context}]
    for _ in range(count - 1):
        levels.append(_one_token_on(draft, levels[-1].values()))
    for left, level in zip(range(1, count + 1), reversed(levels), strict=True):
        for key, here in level.items():
            if ((id(draft), key), left) not in known:
                known[(id(draft), key), left] = _ONE + _behind_the_next(draft, here, left, known)
    return known[(id(draft), draft.visible(context)), count]


def _one_token_on(
    draft: Model, contexts: Iterable[tuple[Token, ...]]
) -> dict[Hashable, tuple[Token, ...]]:
    """The contexts behind one more drafted token, one for each thing that the table can see."""
    following = ((*here, t) for here in contexts for t in draft.row_after(here) if t != draft.end)
    return {draft.visible(there): there for there in following}


def _behind_the_next(
    draft: Model, here: tuple[Token, ...], left: int, known: dict[tuple[Hashable, int], Fraction]
) -> Fraction:
    """The expected number of tokens drafted after the next one, given the shorter expectations."""
    going_on = [(t, w) for t, w in draft.row_after(here).items() if t != draft.end and left > 1]
    shares = (w * known[(id(draft), draft.visible((*here, t))), left - 1] for t, w in going_on)
    return sum(shares, Fraction(0))
