"""Rules one step away from the catalogue's, which must be found lossy.

The catalogue's own mistakes stand for the rules that they are near to; here are those of the others.
"""

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
from exactspec.algorithms.candidates import (
    down_the_tree,
    recursive_rejection,
    with_replacement,
    without_replacement,
)
from exactspec.algorithms.canonical_decomposition import selection
from exactspec.algorithms.greedy_block_verification import greedy_block_verification
from exactspec.algorithms.one_path import all_accepted, token_by_token, warped
from exactspec.algorithms.parallel_drafter import heads
from exactspec.algorithms.spec_hub import plan
from exactspec.algorithms.token_level import token_level
from exactspec.algorithms.warped_target import warped_target
from exactspec.transforms import argmax


@algorithm
def debts_forgotten(chance, target, draft, context, *, draft_length):
    """Greedy block verification that carries nothing over."""
    verified = greedy_block_verification(chance, target, draft, context, draft_length=draft_length)
    return Round(verified.tokens, accepted=verified.accepted)


@algorithm
def one_hot_with_the_draft_s_residual(chance, target, draft, context, *, draft_length):
    """A sampled draft accepted with p(x), and corrected as if that had been min(1, p/q)."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(p[token]):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return all_accepted(chance, target, context, drafted)


@algorithm(wanted=lambda p, q: Distribution.one_hot(argmax(p)))
def greedy_match_with_a_sampled_correction(chance, target, draft, context, *, draft_length):
    """Greedy match that samples where the draft does not match."""
    kept = ()
    while len(kept) < draft_length and not target.ends(kept):
        drafted = argmax(draft(context + kept))
        if drafted != argmax(target(context + kept)):
            return Round((*kept, chance.draw(target(context + kept), "target")), accepted=len(kept))
        kept = (*kept, drafted)
    best = () if target.ends(kept) else (argmax(target(context + kept)),)
    return Round((*kept, *best), accepted=len(kept))


def _tree(name, step):
    """A rule by its step: (chance, p, q) -> token, accepted."""

    def rule(chance, target, draft, context, *, draft_length):
        def at_a_node(p, q):
            return step(chance, p, q)

        return down_the_tree(chance, target, draft, context, draft_length, at_a_node)

    rule.__name__ = name
    return algorithm(rule)


def _not_renormalised(chance, p, q):
    r = p
    for token, _ in without_replacement(chance, q, 2):
        if chance.accept(minimum(1, r[token] / q[token])):
            return token, True
        r = residual(r, q) if r != q else r
    return chance.draw(r, "residual"), False


def k_seq_at(rho, *, cut=False):
    """k-SEQ with two candidates at one ρ, valid or not; with ``cut``, what the rest lacks is ignored."""

    def step(chance, p, q):
        m = {x: minimum(q[x], p[x] / rho) for x in q}
        for token, _ in with_replacement(chance, q, 2):
            if chance.accept(m[token] / q[token]):
                return token, True
        beta = sum(m.values(), Fraction(0))
        left = {x: p[x] - m.get(x, 0) * (2 - beta) for x in p}
        left = {x: positive_part(w) for x, w in left.items()} if cut else left
        return chance.draw(Distribution.normalised(left), "residual"), False

    return _tree("k_seq_at", step)


def _second_sample_of_the_target(chance, p, q):
    drafted = [chance.draw(q, "draft") for _ in range(2)]
    sampled = chance.draw(p, "target")
    return (sampled, True) if sampled in drafted else (chance.draw(p, "target"), False)


def _ratio_to_the_draft(chance, p, q):
    drawn = {chance.draw(q, "draft") for _ in range(2)}
    laws, _ = selection(p, q, 2, "transport")
    selected = chance.draw(laws[tuple(sorted(drawn))], "select")
    return recursive_rejection(chance, p, [(selected, q)])


def _the_other_order(chance, p, q):
    a, first = argmax(q), chance.draw(q, "draft")
    rest = Distribution.normalised({x: w for x, w in q.items() if x != a})
    other = chance.draw(rest, "draft") if first == a else first
    moves, left = plan(p, q, a)
    for token in (a, other):
        moved, mass = moves[first == a][token]
        if mass and chance.accept(moved / mass):
            return token, True
    return chance.draw(Distribution.normalised(left), "residual"), False


def _whole_q_in_the_ratio(chance, p, q):
    fixed = argmax(q)
    others = Distribution.normalised({x: w for x, w in q.items() if x != fixed})
    drafted = chance.draw(others, "draft")
    token, accepted = recursive_rejection(chance, p, [(drafted, q)])
    return token, accepted or token == fixed


def _fresh_noise_after_a_mismatch(chance, p, q):
    race = chance.race()
    drafted, sampled = race.draw(q, "draft"), race.draw(p, "target")
    return (sampled, True) if sampled == drafted else (chance.draw(p, "target"), False)


not_renormalised = _tree("not_renormalised", _not_renormalised)
second_sample_of_the_target = _tree("second_sample_of_the_target", _second_sample_of_the_target)
ratio_to_the_draft = _tree("ratio_to_the_draft", _ratio_to_the_draft)
the_other_order = _tree("the_other_order", _the_other_order)
whole_q_in_the_ratio = _tree("whole_q_in_the_ratio", _whole_q_in_the_ratio)
fresh_noise_after_a_mismatch = _tree("fresh_noise_after_a_mismatch", _fresh_noise_after_a_mismatch)


@algorithm
def parallel_with_sequential_rows(chance, target, draft, context, *, draft_length):
    """Parallel drafting, verified with the rows of a drafter that sees the tokens before."""
    drafted = []
    for law in heads(draft, context, draft_length):
        if not draft.ends(drafted):
            drafted.append(chance.draw(law, "draft"))
    laws = [draft(context + drafted[:i]) for i in range(len(drafted))]
    return token_by_token(chance, target, context, drafted, laws)


@algorithm
def shortened_by_its_own_rejection(chance, target, draft, context, *, draft_length):
    """A draft that is cut, after the coins, to what they accept, and so never rejected."""
    verified = token_level(chance, target, draft, context, draft_length=draft_length)
    if verified.accepted == len(verified.tokens):
        return verified
    kept = tuple(verified.tokens[: verified.accepted])
    return Round((*kept, chance.draw(target(context + kept), "bonus")), accepted=len(kept))


@algorithm
def fresh_sample_at_the_cut(chance, target, draft, context, *, draft_length):
    """A batch's common cut, behind which a row emits a sample of the target."""
    verified = token_level(chance, target, draft, context, draft_length=draft_length)
    cut = chance.uniform("cut").pick(
        Distribution.normalised(dict.fromkeys(range(draft_length + 1), 1))
    )
    if verified.accepted <= cut:
        return verified
    kept = tuple(verified.tokens[:cut])
    return Round((*kept, chance.draw(target(context + kept), "bonus")), accepted=cut)


@algorithm(wanted=warped_target.wanted)
def bonus_of_the_plain_target(chance, target, draft, context, *, draft_length):
    """The token rule for a target at temperature 1/2, with a bonus token at temperature 1."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        q = draft(context + drafted[:i])
        p = warped(target(context + drafted[:i]), 2, None, None)
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(residual(p, q), "residual")), accepted=i)
    return all_accepted(chance, target, context, drafted)
