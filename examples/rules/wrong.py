"""Rules that are lossy, by mistake or by design; each differs from the token rule in one place.

The models that show it are in ``examples/wrong-rules``.
"""

from exactspec import (
    Broken,
    Distribution,
    Round,
    algorithm,
    draft_tokens,
    excess,
    minimum,
    positive_part,
    residual,
)


@algorithm
def target_instead_of_residual(chance, target, draft, context, *, draft_length):
    """After a rejection, draw from the target itself."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(p, "from the target")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def row_of_the_wrong_position(chance, target, draft, context, *, draft_length):
    """Verify every drafted token with the target's row of the first position."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def bonus_from_the_row_before(chance, target, draft, context, *, draft_length):
    """Draw the bonus token from the target's row of the last draft: off by one position."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted[:-1]), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def bonus_after_an_accepted_end(chance, target, draft, context, *, draft_length):
    """Draw a bonus token whenever the whole draft is accepted, also behind an end token."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def wrong_when_the_context_is_long(chance, target, draft, context, *, draft_length):
    """The token rule, but from the fourth token on the draft is emitted unverified."""
    if len(context) > 2:
        return (chance.draw(draft(context), "unverified"),)
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def unverified_in_the_third_round(chance, target, draft, context, *, draft_length, state=None):
    """The token rule, but every third round emits a draft unverified."""
    this_round = 1 if state is None else state
    following = this_round % 3 + 1
    if this_round == 3:
        return Round((chance.draw(draft(context), "unverified"),), state=following)
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i, state=following)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted), state=following)


@algorithm
def one_uniform_for_every_coin(chance, target, draft, context, *, draft_length):
    """Draw one uniform number in a round, and compare every acceptance probability with it."""
    u = chance.uniform()
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not u < minimum(1, p[token] / q[token]):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def residual_of_the_first_position(chance, target, draft, context, *, draft_length):
    """Correct every rejection by the residual of the first position, 0/0 where its rows are equal."""
    first = excess(target(context), draft(context))
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            if not first:
                return Round((*drafted[:i], Broken("0/0")), accepted=i)
            corrected = chance.draw(Distribution.normalised(first), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm(paper="Leviathan, Kalman, Matias 2023, appendix on lenience")
def lenient(chance, target, draft, context, *, draft_length, lenience=1):
    """Accept with min(1, p / (lenience q)): more than the token rule does, and lossy by design."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / (lenience * q[token]))):
            over = {x: positive_part(p[x] - lenience * q[x]) for x in p}
            corrected = chance.draw(Distribution.normalised(over), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
