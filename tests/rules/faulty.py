"""Rules that no law can be given for, each by one line."""

import itertools
from fractions import Fraction

from exactspec import Round, residual

_count = itertools.count()


def acceptance_above_one(chance, target, draft, context, *, draft_length):
    token = chance.draw(draft(context), "draft")
    chance.accept(target(context)[token] / draft(context)[token])
    return (token,)


def acceptance_below_zero(chance, target, draft, context, *, draft_length):
    token = chance.draw(draft(context), "draft")
    chance.accept(target(context)[token] - draft(context)[token])
    return (token,)


def acceptance_as_a_float(chance, target, draft, context, *, draft_length):
    chance.accept(0.5)
    return ("a",)


def no_tokens(chance, target, draft, context, *, draft_length):
    return ("a",) if chance.accept(Fraction(1, 2)) else ()


def too_many_tokens(chance, target, draft, context, *, draft_length):
    return ("a",) * (draft_length + 2)


def unknown_token(chance, target, draft, context, *, draft_length):
    return ("a",) if chance.accept(Fraction(1, 2)) else ("nowhere",)


def a_list_as_a_token(chance, target, draft, context, *, draft_length):
    return (["a"],)


def a_bare_token(chance, target, draft, context, *, draft_length):
    return chance.draw(target(context), "token")


def nothing_at_all(chance, target, draft, context, *, draft_length):
    chance.draw(target(context), "token")


def accepted_as_a_text(chance, target, draft, context, *, draft_length):
    return Round(("a",), accepted="1")


def more_accepted_than_emitted(chance, target, draft, context, *, draft_length):
    return Round(("a",), accepted=2)


def another_token_each_time(chance, target, draft, context, *, draft_length):
    return ("ab"[next(_count) % 2],)


def another_question_each_time(chance, target, draft, context, *, draft_length):
    row = (target, draft)[next(_count) % 2](context)
    return ("a",) if chance.draw(row, "token") == "a" else ("b",)


def fewer_questions_each_time(chance, target, draft, context, *, draft_length):
    if next(_count) % 2 == 0:
        chance.accept(Fraction(1, 2))
    return ("a",)


def another_state_each_time(chance, target, draft, context, *, draft_length):
    return Round(("a",), state=next(_count))


def undefined_residual(chance, target, draft, context, *, draft_length):
    return (chance.draw(residual(target(context), draft(context)), "residual"),)


def division_by_zero(chance, target, draft, context, *, draft_length):
    token = chance.draw(target(context), "token")
    chance.accept(min(1, draft(context)[token] / target(context)["c"]))
    return (token,)


def a_state_that_can_not_be_hashed(chance, target, draft, context, *, draft_length):
    return Round(("a",), state=["a"])


def asks_without_an_end(chance, target, draft, context, *, draft_length):
    while not chance.accept(0):
        pass
    return ("a",)


def late_in_a_large_tree(chance, target, draft, context, *, draft_length):
    coins = [chance.accept(Fraction(1, 2)) for _ in range(12)]
    return () if not any(coins) else ("a",)
