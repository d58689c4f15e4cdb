"""Rules that no law can be given for, each with one mistake that exactspec reports as an error.

Try one: ``exactspec check examples/theory.yaml --rule examples/rules/faulty.py:no_tokens``
"""

from exactspec import Round, algorithm, draft_tokens, minimum, residual

_calls = []


@algorithm
def acceptance_above_one(chance, target, draft, context, *, draft_length):
    """Accept with p/q, and forget that it can be more than 1."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(p[token] / q[token]):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return Round(drafted, accepted=len(drafted))


@algorithm
def acceptance_as_a_float(chance, target, draft, context, *, draft_length):
    """Accept with a float, which is not the fraction that it was made from."""
    (token,) = draft_tokens(chance, draft, context, 1)
    p, q = target(context), draft(context)
    if chance.accept(min(1.0, float(p[token] / q[token]))):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def no_tokens(chance, target, draft, context, *, draft_length):
    """Emit the accepted drafts only, and nothing where the first one is rejected."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round(drafted[:i], accepted=i)
    return Round(drafted, accepted=len(drafted))


@algorithm
def too_many_tokens(chance, target, draft, context, *, draft_length):
    """Emit a full draft and two bonus tokens."""
    tokens = ()
    for _ in range(draft_length + 2):
        tokens = (*tokens, chance.draw(target(context + tokens), "bonus"))
        if target.ends(tokens):
            break
    return tokens


@algorithm
def unknown_token(chance, target, draft, context, *, draft_length):
    """Emit a placeholder for a rejected draft."""
    (token,) = draft_tokens(chance, draft, context, 1)
    p, q = target(context), draft(context)
    accepted = chance.accept(minimum(1, p[token] / q[token]))
    return (token,) if accepted else ("<placeholder>",)


@algorithm
def not_deterministic(chance, target, draft, context, *, draft_length):
    """Accept every other draft, by a count that exactspec can't see."""
    _calls.append("one more")
    (token,) = draft_tokens(chance, draft, context, 1)
    p, q = target(context), draft(context)
    if len(_calls) % 2 == 0:
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def residual_before_the_coin(chance, target, draft, context, *, draft_length):
    """Ask for the residual before the coin is tossed, also where β is 0 and it is undefined."""
    (token,) = draft_tokens(chance, draft, context, 1)
    p, q = target(context), draft(context)
    correction = residual(p, q)
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(correction, "residual"),), accepted=0)
