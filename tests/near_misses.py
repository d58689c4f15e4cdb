"""Rules one step away from the catalogue's, which must be found lossy."""

from fractions import Fraction

from exactspec import Distribution, Round, algorithm, draft_tokens, minimum, positive_part


@algorithm
def second_sample(chance, target, draft, context, *, draft_length):
    """Sampler match that compares with one sample of the target and emits another."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        row = target(context + drafted[:i])
        if chance.draw(row, "compared") != token:
            return Round((*drafted[:i], chance.draw(row, "emitted")), accepted=i)
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


def _block(chance, target, draft, context, draft_length, keep, from_the_end):
    drafted = tuple(draft_tokens(chance, draft, context, draft_length))
    rows = [
        (target(context + drafted[:i]), draft(context + drafted[:i])) for i in range(len(drafted))
    ]
    w = [Fraction(1)]
    for (p, q), token in zip(rows, drafted, strict=True):
        w.append(minimum(1, w[-1] * p[token] / q[token]))

    def excess(i):
        p, q = rows[i]
        return {x: positive_part(w[i] * p[x] - q[x]) for x in p}

    def coin(i):
        return w[i] if i == len(drafted) else keep(w[i], sum(excess(i).values(), Fraction(0)))

    if from_the_end:
        kept = next((i for i in range(len(drafted), 0, -1) if chance.accept(coin(i))), 0)
    else:
        kept = 0
        while kept < len(drafted) and chance.accept(coin(kept + 1)):
            kept += 1
    if kept < len(drafted):
        left = excess(kept)
        law = Distribution.normalised(left) if any(left.values()) else rows[kept][0]
        return Round((*drafted[:kept], chance.draw(law, "residual")), accepted=kept)
    if target.ends(drafted):
        return Round(drafted, accepted=kept)
    return Round((*drafted, chance.draw(target(context + drafted), "bonus")), accepted=kept)


def _paper_s_coin(w, mass):
    return mass / (mass + 1 - w) if mass + 1 - w else Fraction(1)


@algorithm
def block_with_w_for_every_coin(chance, target, draft, context, *, draft_length):
    """Block verification that keeps i tokens with probability w, also at inner positions."""
    return _block(chance, target, draft, context, draft_length, lambda w, mass: w, True)


@algorithm
def block_that_stops_at_the_first_no(chance, target, draft, context, *, draft_length):
    """Block verification that tosses its coins from the start, and stops at the first no."""
    return _block(chance, target, draft, context, draft_length, _paper_s_coin, False)
