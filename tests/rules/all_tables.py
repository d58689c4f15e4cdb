"""Rules that are right nearly everywhere: a proof for all tables must not be fooled by any of them."""

import functools
from fractions import Fraction

from exactspec import (
    Distribution,
    Round,
    algorithm,
    draft_tokens,
    minimum,
    positive_part,
    residual,
)


def _token_rule(chance, target, draft, context, draft_length, *, coin, corrected):
    """The token rule with a coin and a correction of one's own: (p, q, token) -> probability, law."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(coin(p, q, token)):
            return Round((*drafted[:i], chance.draw(corrected(p, q), "residual")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


def _ratio(p, q, token):
    return minimum(1, p[token] / q[token])


@algorithm
def wrong_where_the_rows_are_equal(chance, target, draft, context, *, draft_length):
    """Accept with one half where p = q, and correct by p without what was drafted... of nothing."""

    def coin(p, q, token):
        return p[token] if p == q else _ratio(p, q, token)

    def corrected(p, q):
        return Distribution.one_hot(next(iter(p))) if p == q else residual(p, q)

    return _token_rule(chance, target, draft, context, draft_length, coin=coin, corrected=corrected)


@algorithm
def wrong_where_the_rows_are_equal_entry_by_entry(chance, target, draft, context, *, draft_length):
    """The same mistake, found by comparing the entries one after another."""

    def are_equal(p, q):
        return all(p[x] - q[x] == 0 for x in p) and all(p[x] == q[x] for x in q)

    def coin(p, q, token):
        return p[token] if are_equal(p, q) else _ratio(p, q, token)

    def corrected(p, q):
        return Distribution.one_hot(next(iter(q))) if are_equal(p, q) else residual(p, q)

    return _token_rule(chance, target, draft, context, draft_length, coin=coin, corrected=corrected)


@algorithm
def wrong_where_the_distance_is_zero(chance, target, draft, context, *, draft_length):
    """The same mistake, found by the sum of what the target has more."""

    def are_equal(p, q):
        return not sum(positive_part(p[x] - q[x]) for x in p)

    def coin(p, q, token):
        return q[token] if are_equal(p, q) else _ratio(p, q, token)

    def corrected(p, q):
        return Distribution.one_hot(next(iter(q))) if are_equal(p, q) else residual(p, q)

    return _token_rule(chance, target, draft, context, draft_length, coin=coin, corrected=corrected)


@algorithm
def wrong_where_the_draft_leaves_a_token_out(chance, target, draft, context, *, draft_length):
    """Correct by the target where the draft gives fewer tokens than the target."""

    def corrected(p, q):
        return p if len(q) < len(p) else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_where_the_first_draft_entry_is_zero(chance, target, draft, context, *, draft_length):
    """Correct by the target where the draft never gives the target's first token."""

    def corrected(p, q):
        return residual(p, q) if q[next(iter(p))] else p

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_where_an_entry_is_missing_in_a_loop(chance, target, draft, context, *, draft_length):
    """Count the draft's tokens in a loop; correct by the target where there is one alone."""

    def corrected(p, q):
        seen = 0
        for _ in q:
            seen += 1
        return p if seen == 1 else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_where_two_ratios_tie(chance, target, draft, context, *, draft_length):
    """Correct by the target where the ratios of the first two tokens are equal."""

    def corrected(p, q):
        a, b = sorted((*p, *q))[0], sorted((*p, *q))[-1]
        ties = a != b and q[a] and q[b] and p[a] / q[a] == 2 * p[b] / q[b]
        return p if ties else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_where_the_ratios_tie_crosswise(chance, target, draft, context, *, draft_length):
    """The same mistake without a division."""

    def corrected(p, q):
        a, b = sorted((*p, *q))[0], sorted((*p, *q))[-1]
        ties = a != b and not p[a] * q[b] - 2 * p[b] * q[a] and q[a] * q[b] > 0
        return p if ties else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def coin_that_is_zero_over_zero_on_half_of_all_tables(
    chance, target, draft, context, *, draft_length
):
    """The token rule's coin times D / D, with D = [p(x) - q(x)]+ of the first token."""

    def coin(p, q, token):
        first = next(iter(p))
        d = positive_part(p[first] - q[first])
        return d * minimum(q[token], p[token]) / (d * q[token])

    return _token_rule(chance, target, draft, context, draft_length, coin=coin, corrected=residual)


@algorithm
def zero_over_zero_is_caught(chance, target, draft, context, *, draft_length):
    """The same coin, with a fallback of its own where it is 0/0."""

    def coin(p, q, token):
        first = next(iter(p))
        d = positive_part(p[first] - q[first])
        try:
            return d * minimum(q[token], p[token]) / (d * q[token])
        except ZeroDivisionError:
            return minimum(1, p[token])

    return _token_rule(chance, target, draft, context, draft_length, coin=coin, corrected=residual)


@algorithm
def wrong_from_the_third_token_on(chance, target, draft, context, *, draft_length):
    """The token rule, and the target in the residual's place once the context has three tokens."""

    def corrected(p, q):
        return p if len(context) >= 3 else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_behind_the_token_a(chance, target, draft, context, *, draft_length):
    """The token rule, and the target in the residual's place where the context ends with an a."""

    def corrected(p, q):
        return p if context[-1:] == ("a",) else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_for_three_tokens(chance, target, draft, context, *, draft_length):
    """The token rule, and the target in the residual's place where the target gives three tokens."""

    def corrected(p, q):
        return p if len(p) == 3 else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_for_the_token_c(chance, target, draft, context, *, draft_length):
    """The token rule that never accepts the third token."""

    def coin(p, q, token):
        return 0 if token == "c" else _ratio(p, q, token)

    return _token_rule(chance, target, draft, context, draft_length, coin=coin, corrected=residual)


@algorithm
def wrong_where_a_number_is_written_as_one_half(chance, target, draft, context, *, draft_length):
    """The token rule, and the target in the residual's place where an entry's text is 1/2."""

    def corrected(p, q):
        return p if any(str(p[x]) == "1/2" for x in p) else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_where_a_number_is_a_fraction(chance, target, draft, context, *, draft_length):
    """The token rule, and the target in the residual's place where numbers are plain fractions."""
    from fractions import Fraction

    def corrected(p, q):
        return p if any(isinstance(p[x], Fraction) for x in p) else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def wrong_where_a_product_is_special(chance, target, draft, context, *, draft_length):
    """Correct by the target on a curve: where p(a) q(a) = 1/8 for the first token."""

    def corrected(p, q):
        first = next(iter(p))
        return p if 8 * p[first] * q[first] == 1 else residual(p, q)

    return _token_rule(
        chance, target, draft, context, draft_length, coin=_ratio, corrected=corrected
    )


@algorithm
def right_from_a_branch_that_is_never_taken(chance, target, draft, context, *, draft_length):
    """Where p <= q everywhere, and so p = q: coins of probability 0 and 1/0 that cancel as formulas."""
    p, q = target(context), draft(context)
    tokens = sorted({*p, *q})
    first = tokens[0]
    if all(p[x] <= q[x] for x in tokens):
        more = q[first] - p[first]
        if chance.accept(more) and chance.accept(more / (more * more)):
            return (chance.draw(p, "target"),)
        return (first,)
    return (chance.draw(p, "target"),)


@algorithm
def wrong_at_the_start_of_the_table(chance, target, draft, context, *, draft_length):
    """Emit what the target gives first of all, wherever the context has come to."""
    return (chance.draw(target.row_after(()), "target"),)


@algorithm
def wrong_where_the_table_has_one_row(chance, target, draft, context, *, draft_length):
    """Look into the table, and emit the draft's token where it has few rows."""
    law = draft(context) if len(target.rows) == 1 else target(context)
    return (chance.draw(law, "target"),)


@algorithm
def wrong_behind_the_coin_of_a_square(chance, target, draft, context, *, draft_length):
    """Behind a coin of probability t^2 with t = q(a) - p(a), emit the draft's token where t < 0."""
    p, q = target(context), draft(context)
    t = q["a"] - p["a"]
    wrong = chance.accept(t * t) and t < 0 and 97 * p["a"] == 90
    return (chance.draw(q if wrong else p, "target"),)


@algorithm
def raises_behind_the_coin_of_a_square(chance, target, draft, context, *, draft_length):
    """Behind a coin of probability t^2 / 2 with t = p(a) - q(a), break down where t > 0."""
    p = target(context)
    t = p["a"] - draft(context)["a"]
    if chance.accept(t * t / 2) and t > 0:
        raise ValueError("t is positive")
    return (chance.draw(p, "target"),)


@algorithm
def says_that_it_accepted_seven(chance, target, draft, context, *, draft_length):
    """The target's token, and a count of accepted drafts that can't be."""
    return Round((chance.draw(target(context), "target"),), accepted=7)


def _wrong_where_a_is_seven_97ths(chance, target, draft, context, is_a_number):
    """The target's token, but the draft's where p(a) = 7/97 and is found to be a number, no formula."""
    p, q = target(context), draft(context)
    wrong = is_a_number(p["a"]) and p["a"] == Fraction(7, 97)
    return (chance.draw(q if wrong else p, "target"),)


@algorithm
def wrong_where_a_number_matches_a_class(chance, target, draft, context, *, draft_length):
    """Ask for the type by a match statement."""

    def is_a_number(value):
        match value:
            case Fraction():
                return True
        return False

    return _wrong_where_a_is_seven_97ths(chance, target, draft, context, is_a_number)


_ask = isinstance


@algorithm
def wrong_where_a_number_is_of_a_type(chance, target, draft, context, *, draft_length):
    """Ask for the type under another name."""

    def is_a_number(value):
        return _ask(value, Fraction)

    return _wrong_where_a_is_seven_97ths(chance, target, draft, context, is_a_number)


class _Helper:
    def is_a_number(self, value):
        return isinstance(value, Fraction)


@algorithm
def wrong_where_a_helper_finds_a_number(chance, target, draft, context, *, draft_length):
    """Ask for the type in a class of the file."""
    return _wrong_where_a_is_seven_97ths(
        chance, target, draft, context, lambda value: _Helper().is_a_number(value)
    )


@functools.singledispatch
def _kind(value):
    return "something"


@_kind.register
def _(value: Fraction):
    return "a number"


@algorithm
def wrong_where_a_number_is_dispatched(chance, target, draft, context, *, draft_length):
    """Ask for the type by a function that goes by types."""

    def is_a_number(value):
        return _kind(value) == "a number"

    return _wrong_where_a_is_seven_97ths(chance, target, draft, context, is_a_number)


@algorithm
def wrong_where_a_number_has_a_remainder(chance, target, draft, context, *, draft_length):
    """Find a formula by an error that no number raises."""

    def is_a_number(value):
        try:
            return value % 1 == value or value == 1
        except TypeError:
            return False

    return _wrong_where_a_is_seven_97ths(chance, target, draft, context, is_a_number)


@algorithm
def wrong_where_a_row_is_closed(chance, target, draft, context, *, draft_length):
    """Find a formula by what its row says of itself."""
    return _wrong_where_a_is_seven_97ths(
        chance, target, draft, context, lambda value: not target(context).is_open
    )


@algorithm
def wrong_where_two_contexts_share_a_row(chance, target, draft, context, *, draft_length):
    """Emit the draft's token where the target's row is the very same behind an a."""
    p, token = target(context), ("a",)
    wrong = p is target(context + token)
    return (chance.draw(draft(context) if wrong else p, "target"),)


@algorithm
def wrong_where_four_rows_have_one_token(chance, target, draft, context, *, draft_length):
    """Count the tokens of four rows as they are kept, without a look at their weights."""
    p, q, token = target(context), draft(context), ("a",)
    kept = [len(row.possible()) for row in (p, q, target(context + token), draft(context + token))]
    return (chance.draw(q if sum(kept) == 4 else p, "target"),)


@algorithm
def wrong_where_four_rows_are_weighed_in_four_calls(
    chance, target, draft, context, *, draft_length
):
    """Count how often a new weight is worked out."""
    p, q, token, calls = target(context), draft(context), ("a",), []
    for row in (p, q, target(context + token), draft(context + token)):
        row.reweighted(lambda x: calls.append(x) or p[x])
    return (chance.draw(q if len(calls) == 4 else p, "target"),)


class _Carried:
    """A state that equals every other one, whatever is in it."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


@algorithm
def wrong_in_a_state_that_equals_a_right_one(
    chance, target, draft, context, *, draft_length, state
):
    """Emit the draft's token from the second round on, where the first one has emitted no a."""
    law = draft(context) if state is not None and state.value else target(context)
    token = chance.draw(law, "target")
    return Round((token,), state=_Carried(token != "a") if state is None else state)


@algorithm
def wrong_where_the_row_before_gave_more(chance, target, draft, context, *, draft_length, state):
    """Carry a number over inside a thing of its own, and compare it with the next row's."""
    p = target(context)
    wrong = state is not None and state.value > p["a"]
    token = chance.draw(draft(context) if wrong else p, "target")
    return Round((token,), state=_Carried(p["a"]))


_RUNS = [0]


@algorithm
def wrong_after_some_hundred_runs(chance, target, draft, context, *, draft_length):
    """Count the runs, and emit the draft's token after the first ones."""
    _RUNS[0] += 1
    return (chance.draw((target if _RUNS[0] < 300 else draft)(context), "emitted"),)


def _lost(chance, p, end_or_b, weight, token):
    """A token drawn from what p has left once a weight of one token is taken off, normalised."""
    left = {x: (p[x] - (weight if x == token else 0)) / (1 - weight) for x in ("a", end_or_b)}
    return (chance.draw(Distribution(left), "left"),)


@algorithm
def wrong_between_the_answers_of_two_tests(chance, target, draft, context, *, draft_length):
    """Make up for a token behind a coin, but not where q(a) < p(a) and a further row is small."""
    p, q, token = target(context), draft(context), ("a",)
    z, other = draft(context + token)["a"], target.end or "b"
    weight, t = p["a"] * p[other] / 2, q["a"] - p["a"]
    if chance.accept(weight):
        if z - t <= 0:
            return ("a",) if t == 0 else (other,)
        return ("a",) if t < 0 else (other,)
    return _lost(chance, p, other, weight, "a" if z - t <= 0 and t == 0 else other)


@algorithm
def wrong_where_a_minimum_of_sums_vanishes(chance, target, draft, context, *, draft_length):
    """Emit a with min(p(a), q(a)) where x = s = 0, for which min(x + s p(a), x + s q(a)) is 0."""
    p, q, other, token = target(context), draft(context), target.end or "b", ("a",)
    x, s = draft(context + token)["a"], target(context + token)["a"]
    minimum(x + s * p["a"], x + s * q["a"])
    if x == 0 and s == 0:
        less = minimum(p["a"], q["a"])
        return (chance.draw(Distribution({"a": less, other: 1 - less}), "less"),)
    return (chance.draw(p, "target"),)


@algorithm
def wrong_where_a_row_is_written_as_seven_97ths(chance, target, draft, context, *, draft_length):
    """Look at a row as a text."""
    p = target(context)
    return (chance.draw(draft(context) if "7/97" in repr(p) else p, "target"),)


@algorithm
def wrong_where_three_entries_equal_true(chance, target, draft, context, *, draft_length):
    """Compare numbers with True, which is 1."""
    p, token = target(context), ("a",)
    ones = sum(row["a"] == True for row in (p, target(context + token), draft(context + token)))  # noqa: E712
    return (chance.draw(draft(context) if ones == 3 else p, "target"),)


@algorithm
def wrong_where_an_entry_equals_a_complex_number(chance, target, draft, context, *, draft_length):
    """Compare a number with one that is no fraction."""
    p, sixteenth = target(context), complex("0.0625")
    return (chance.draw(draft(context) if p["a"] == sixteenth else p, "target"),)
