"""Rules that emit the target's law, each in a way that a careless engine gets wrong."""

from fractions import Fraction

from exactspec import Round, algorithm, draft_tokens, minimum, residual


def _verified(chance, target, draft, context, draft_length):
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


@algorithm
def target_only(chance, target, draft, context, *, draft_length):
    """Emit one token of the target."""
    return (chance.draw(target(context), "target"),)


@algorithm
def drafts_by_turns(chance, target, draft, context, *, draft_length, state=None):
    """The token rule in every second round, one token of the target in the others."""
    if state:
        return Round((chance.draw(target(context), "target"),), accepted=0, state=0)
    end = _verified(chance, target, draft, context, draft_length)
    return Round(end.tokens, end.accepted, state=1)


@algorithm
def no_draft_behind_the_last_token(chance, target, draft, context, *, draft_length):
    """The token rule, but one token of the target where the context ends with b."""
    if len(context[-1:]) == 1 and context[-1] == "b":
        return (chance.draw(target(context), "target"),)
    return _verified(chance, target, draft, context, draft_length)


@algorithm
def no_draft_when_long(chance, target, draft, context, *, draft_length):
    """The token rule in the first two tokens, one token of the target behind them."""
    if len(context) >= 2:
        return (chance.draw(target(context), "target"),)
    return _verified(chance, target, draft, context, draft_length)


@algorithm
def two_candidates(chance, target, draft, context, *, draft_length):
    """Two independent candidates for one token: recursive rejection sampling."""
    p, q = target(context), draft(context)
    for _ in range(2 if draft_length else 0):
        token = chance.draw(q, "draft")
        if chance.accept(minimum(1, p[token] / q[token])):
            return (token,)
        p = residual(p, q)
    return (chance.draw(p, "residual"),)


@algorithm
def unlooked_state(chance, target, draft, context, *, draft_length, state=None):
    """Carries over two target tokens that it never looked at, and emits them one by one."""
    waiting = state if state else ()
    if waiting:
        return Round((waiting[0],), state=waiting[1:])
    first = chance.draw(target(context), "target")
    if target.ends((first,)):
        return (first,)
    second = chance.draw(target(context + (first,)), "target")  # noqa: RUF005
    return Round((first,), state=(second,))


@algorithm
def toss_kept_in_a_set(chance, target, draft, context, *, draft_length, state=None):
    """Carries a coin as 1 or True inside a set, and never uses it."""
    kept = frozenset((True,)) if chance.accept(Fraction(1, 2)) else frozenset((1,))
    return Round((chance.draw(target(context), "target"),), state=kept)


@algorithm
def coins_by_one_number(chance, target, draft, context, *, draft_length):
    """One draft verified by a uniform number, and corrected by another."""
    p = target(context)
    if draft_length == 0:
        return (chance.draw(p, "bonus"),)
    q, u = draft(context), chance.uniform()
    token = chance.draw(q, "draft")
    ratio = p[token] / q[token]
    if u < minimum(1, ratio):
        return Round((token,), accepted=1)
    return Round((chance.uniform().pick(residual(p, q)),), accepted=0)
