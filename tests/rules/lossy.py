"""Rules that emit another law than the target's, on most tables."""

from fractions import Fraction

from exactspec import Round, algorithm, draft_tokens, minimum, residual


def _token_rule(coin=None, correction=None, keep=None, bonus=None):
    """The token rule, with other parts in the place of its own."""
    coin = coin or (lambda p, q, x: minimum(1, p[x] / q[x]))
    correction = correction or (lambda p, q, behind: residual(p, q))
    keep = keep or (lambda i: i)
    bonus = bonus or (lambda target, draft, context, drafted: target(context + drafted))

    def rule(chance, target, draft, context, *, draft_length):
        drafted = draft_tokens(chance, draft, context, draft_length)
        for i, token in enumerate(drafted):
            here = context + drafted[:i]
            p, q = target(here), draft(here)
            if not chance.accept(coin(p, q, token)):
                row = correction(p, q, lambda: target(context + drafted[: i + 1]))  # noqa: B023
                return Round((*drafted[: keep(i)], chance.draw(row, "residual")))
        if target.ends(drafted):
            return Round(drafted, accepted=len(drafted))
        row = bonus(target, draft, context, drafted)
        return Round((*drafted, chance.draw(row, "bonus")), accepted=len(drafted))

    return rule


accept_with_q_over_p = _token_rule(coin=lambda p, q, x: minimum(1, q[x] / p[x]))
accept_without_a_cap = _token_rule(coin=lambda p, q, x: p[x] / q[x])
accept_with_p = _token_rule(coin=lambda p, q, x: p[x])
accept_everything = _token_rule(coin=lambda p, q, x: 1)
reject_everything = _token_rule(coin=lambda p, q, x: 0)
accept_with_the_ratio_squared = _token_rule(coin=lambda p, q, x: minimum(1, p[x] / q[x]) ** 2)
target_for_the_residual = _token_rule(correction=lambda p, q, behind: p)
draft_for_the_residual = _token_rule(correction=lambda p, q, behind: q)
residual_of_q_over_p = _token_rule(correction=lambda p, q, behind: residual(q, p))
residual_of_the_next_position = _token_rule(correction=lambda p, q, behind: residual(behind(), q))
keep_the_rejected_token = _token_rule(keep=lambda i: i + 1)
drop_the_accepted_tokens = _token_rule(keep=lambda i: 0)
bonus_of_the_first_position = _token_rule(bonus=lambda t, d, context, drafted: t(context))
bonus_one_position_early = _token_rule(
    bonus=lambda t, d, context, drafted: t(context + drafted[: max(0, len(drafted) - 1)])
)
bonus_of_the_draft = _token_rule(bonus=lambda t, d, context, drafted: d(context + drafted))
bonus_of_the_residual = _token_rule(
    bonus=lambda t, d, context, drafted: residual(t(context + drafted), d(context + drafted))
)


@algorithm
def coin_carried_as_true_or_one(chance, target, draft, context, *, draft_length, state=None):
    """Wrong only behind a round that carried True, right behind one that carried 1."""
    row = draft(context) if state is True else target(context)
    token = chance.draw(row, "token")
    return Round((token,), state=True if chance.accept(Fraction(1, 2)) else 1)


@algorithm
def first_round_only(chance, target, draft, context, *, draft_length, state=None):
    """Right in the first round and wrong in all later ones."""
    return Round((chance.draw(draft(context) if state else target(context), "token"),), state="on")


@algorithm
def draft_behind_b(chance, target, draft, context, *, draft_length):
    """One token of the target, but of the draft where the last token is b."""
    row = draft if context[-1:] == ("b",) else target
    return (chance.draw(row(context), "token"),)


@algorithm
def two_tokens_from_one_row(chance, target, draft, context, *, draft_length):
    """Emits two tokens where it may, both of the first one's row; neither is looked at."""
    first = chance.draw(target(context), "first")
    if draft_length == 0 or target.ends((first,)):
        return (first,)
    return (first, chance.draw(target(context), "second"))


@algorithm
def all_drafted(chance, target, draft, context, *, draft_length):
    """Emits the whole draft unverified, without looking at it."""
    if draft_length == 0:
        return (chance.draw(target(context), "target"),)
    return draft_tokens(chance, draft, context, draft_length)


@algorithm
def on_and_on_behind_the_end(chance, target, draft, context, *, draft_length):
    """Emits every token twice, the end token also."""
    token = chance.draw(target(context), "target")
    return (token, token) if draft_length else (token,)


@algorithm
def one_number_for_two_tokens(chance, target, draft, context, *, draft_length):
    """Picks a token and the next one by the same uniform number."""
    u = chance.uniform()
    first = u.pick(target(context))
    if draft_length == 0 or target.ends((first,)):
        return (first,)
    return (first, u.pick(target(context + (first,))))  # noqa: RUF005
