"""A rule whose rounds are not blocks of the target's law, although its sequences follow it."""

from exactspec import Round, algorithm


@algorithm
def one_ahead(chance, target, draft, context, *, draft_length, state=None):
    """Draw two tokens of the target, emit one, and carry the other over to the next round."""
    first = chance.draw(target(context), "target") if state is None else state
    emitted = (first,)
    if target.ends(emitted):
        return emitted
    second = chance.draw(target(context + emitted), "target")
    return Round(emitted, state=second)
