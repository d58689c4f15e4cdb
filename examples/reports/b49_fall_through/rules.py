"""B49 · iree-org/iree-turbine PR #890 (the same fall-through is discussed in alibaba/rtp-llm PR
#1295) · fixed, or argued to be unreachable

If the running sum of the residual never passes the uniform number, the kernel returns its initial
value: a pad id, later the last token.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual

LAST_TOKEN = "C"
ROUNDED_DOWN = Fraction(3, 4)  # what rounding leaves of each running sum: a stand-in


def _drawn(chance, row, kept):
    """Search the running sums, of which rounding has kept a share."""
    u, reached = chance.uniform(), Fraction(0)
    for token, weight in row.items():
        reached += kept * weight
        if u < reached:
            return token
    return LAST_TOKEN


def _round(chance, p, q, kept):
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((_drawn(chance, residual(p, q), kept),), accepted=0)


@algorithm
def fall_through_to_the_last_token(chance, target, draft, context):
    """Running sums that end below 1."""
    return _round(chance, target(context), draft(context), ROUNDED_DOWN)


@algorithm
def exact_running_sums(chance, target, draft, context):
    """The same search with exact sums: the fall-through has probability 0."""
    return _round(chance, target(context), draft(context), Fraction(1))
