"""B17 · Luce-Org/lucebox PR #374 · met and fixed by the author

Sampler match has three places that must draw: the first token after the prompt, the rows that
verify, the bonus. The first one kept taking the argmax.
"""

from exactspec import Round, algorithm, draft_tokens
from exactspec.transforms import argmax


def _from(chance, row, greedy):
    return argmax(row) if greedy else chance.draw(row, "target")


def _round(chance, target, draft, context, draft_length, state, greedy):
    """One token behind the prompt, then rounds of sampler match; ``greedy`` names what takes the argmax."""
    if state is None:
        return Round((_from(chance, target(context), greedy == "first"),), state="prompt is over")
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        sampled = _from(chance, target(context + drafted[:i]), greedy == "verify")
        if sampled != token:
            return Round((*drafted[:i], sampled), accepted=i, state=state)
    bonus = _from(chance, target(context + drafted), greedy == "bonus")
    return Round((*drafted, bonus), accepted=len(drafted), state=state)


@algorithm
def greedy_first_token(chance, target, draft, context, *, draft_length, state=None):
    """The first token is the argmax; later ones are drawn."""
    return _round(chance, target, draft, context, draft_length, state, "first")


@algorithm
def greedy_verification(chance, target, draft, context, *, draft_length, state=None):
    """A mutant: the rows that verify take the argmax."""
    return _round(chance, target, draft, context, draft_length, state, "verify")


@algorithm
def greedy_bonus(chance, target, draft, context, *, draft_length, state=None):
    """A mutant: the bonus token is the argmax."""
    return _round(chance, target, draft, context, draft_length, state, "bonus")


@algorithm
def all_drawn(chance, target, draft, context, *, draft_length, state=None):
    """Repaired: all three places draw."""
    return _round(chance, target, draft, context, draft_length, state, None)
