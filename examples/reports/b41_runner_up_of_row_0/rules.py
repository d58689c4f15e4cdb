"""B41 · antirez/ds4 PR #358 · confirmed, fixed

Two swapped arguments: instead of the best token of each row the call returns the best tokens of row
0, so that later rows are compared with its runners-up. A draft of one token does not show it.
"""

from exactspec import Round, algorithm, draft_tokens
from exactspec.transforms import argmax


def _verified(drafted, best):
    for i, token in enumerate(drafted):
        if token != best[i]:
            return Round((*drafted[:i], best[i]), accepted=i)
    return Round(drafted, accepted=len(drafted))


@algorithm
def runner_up_of_row_0(chance, target, draft, context, *, draft_length):
    """Compare drafted token i with the (i + 1)-th best token of row 0."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    row = target(context)
    return _verified(drafted, sorted(row, key=lambda x: row[x], reverse=True))


@algorithm
def best_of_each_row(chance, target, draft, context, *, draft_length):
    """Repaired: compare each drafted token with the best token of its own row."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    return _verified(drafted, [argmax(target(context + drafted[:i])) for i in range(len(drafted))])
