"""A rule whose rounds are no blocks of the target's law, and whose sequences are."""

from exactspec import Round, algorithm


@algorithm
def one_ahead(chance, target, draft, context, *, draft_length, state=None):
    """Draw two tokens of the target, emit one, and carry the other over to the next round."""
    first = chance.draw(target(context), "target") if state is None else state
    if target.ends((first,)):
        return (first,)
    second = chance.draw(target(context + (first,)), "target")
    return Round((first,), state=second)
