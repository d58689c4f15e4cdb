"""B91 · ml-explore/mlx-lm PR #1709, vllm-project/vllm PR #46781, also sgl-project/sglang PR #36516
· lossless

Block verification: accept by running products, so that a later token may rescue an earlier one,
with a residual of its own.
"""

from fractions import Fraction

from exactspec import Distribution, Round, algorithm, draft_tokens, minimum, positive_part


@algorithm
def running_products(chance, target, draft, context, *, draft_length):
    """Keep the longest beginning i with u(i) <= h(i), h = S/(S + 1 - r), S the mass of [r p - q]+."""
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    rows = [
        (target(context + drafted[:i]), draft(context + drafted[:i])) for i in range(draft_length)
    ]
    r = [Fraction(1)]
    for token, (p, q) in zip(drafted, rows, strict=True):
        r.append(minimum(1, r[-1] * p[token] / q[token]))
    if chance.accept(r[-1]):
        bonus = chance.draw(target(context + drafted), "bonus")
        return Round((*drafted, bonus), accepted=draft_length)
    for i in reversed(range(draft_length)):
        p, q = rows[i]
        over = {x: positive_part(r[i] * p[x] - q[x]) for x in p}
        mass = sum(over.values())
        if chance.accept(mass / (mass + 1 - r[i])):
            corrected = chance.draw(Distribution.normalised(over), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    raise AssertionError("h(0) is 1")
