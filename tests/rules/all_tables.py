"""Rules that are right nearly everywhere: a proof for all tables must not be fooled by any of them."""

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
