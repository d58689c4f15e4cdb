"""How many tokens a round drafts, also those behind a rejection that no path has to look at."""

from collections.abc import Hashable
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.replay import Path
from exactspec.model.table import MissingRow, Model

_ONE = Fraction(1)


def drafted_tokens(path: Path, known: dict[tuple[Hashable, int], Fraction]) -> Fraction | None:
    """The expected number of tokens drafted on a path, as an engine drafts them: before it verifies.

    Args:
        path: one path of a round.
        known: what earlier calls for the same draft table have found; extended here.

    Returns:
        The expectation over the drafts that the path leaves open; None where a draft row is missing.
    """
    total = Fraction(path.other_drafts)
    for drafted in path.drafting:
        seen = drafted.looked_at()
        total += len(seen)
        if not drafted.draft.ends(seen):
            context = (drafted.context + seen).tokens()
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
    levels = [{draft.visible(context): context}]
    for _ in range(count - 1):
        following = {}
        for here in levels[-1].values():
            for token in draft.row_after(here):
                if token != draft.end:
                    there = (*here, token)
                    following[draft.visible(there)] = there
        levels.append(following)
    for left, level in zip(range(1, count + 1), reversed(levels), strict=True):
        for key, here in level.items():
            if (key, left) not in known:
                known[key, left] = _ONE + sum(
                    weight * known[draft.visible((*here, token)), left - 1]
                    for token, weight in draft.row_after(here).items()
                    if token != draft.end and left > 1
                )
    return known[draft.visible(context), count]
