"""Verification kernels in Triton for the tests of the audit: right ones, and ones that are not."""

import torch
import triton
import triton.language as tl


@triton.jit
def chain_kernel(
    out, count, drafted, target, draft, coins, final,
    drafts, size, WIDTH: tl.constexpr, INCLUSIVE: tl.constexpr, ROW: tl.constexpr,
):  # fmt: skip
    """Accept drafted tokens by coins; the correction or bonus by inverse CDF of one more coin."""
    place = tl.arange(0, WIDTH)
    inside = place < size
    accepted = 0
    rejected = False
    for i in range(drafts):
        if not rejected:
            token = tl.load(drafted + i)
            p = tl.load(target + i * size + token)
            q = tl.load(draft + i * size + token)
            coin = tl.load(coins + i)
            if INCLUSIVE:
                is_accepted = coin * q <= p
            else:
                is_accepted = coin * q < p
            if is_accepted:
                tl.store(out + i, token)
                accepted = i + 1
            else:
                rejected = True
    row = tl.load(target + accepted * size + place, mask=inside, other=0.0)
    if rejected:
        taken = tl.load(draft + (accepted + ROW) * size + place, mask=inside, other=0.0)
        row = tl.maximum(row - taken, 0.0)
    reached = tl.cumsum(row, 0)
    u = tl.load(final) * tl.sum(row, 0)
    token = tl.sum((reached <= u).to(tl.int32), 0)
    tl.store(out + accepted, token)
    tl.store(count, accepted + 1)


def chain(block, inclusive=False, row=0, residual=True):
    """A step by ``chain_kernel``."""
    given = block.torch
    draft = given.draft_probs
    if row:
        draft = torch.cat((draft, draft[-1:]))
    out = torch.full((block.draft_length + 1,), -1)
    count = torch.zeros(1, dtype=torch.int64)
    size = block.vocabulary_size
    chain_kernel[(1,)](
        out, count, given.draft_ids, given.target_probs, draft if residual else 0 * draft,
        torch.rand(block.draft_length), torch.rand(1), block.draft_length, size,
        WIDTH=triton.next_power_of_2(size), INCLUSIVE=inclusive, ROW=row,
    )  # fmt: skip
    return out[: count.item()]


@triton.jit
def gumbel_kernel(
    out, count, drafted, target, draft, seed,
    drafts, size, WIDTH: tl.constexpr, STEP: tl.constexpr, LOGITS: tl.constexpr,
):  # fmt: skip
    """Coins and Gumbel noise from counters: those of coins at the end of each position's counters."""
    place = tl.arange(0, WIDTH)
    inside = place < size
    accepted = 0
    rejected = False
    for i in range(drafts):
        if not rejected:
            token = tl.load(drafted + i)
            p = tl.load(target + i * size + token)
            q = tl.load(draft + i * size + token)
            if tl.rand(seed, i * STEP + WIDTH) < p / q:
                tl.store(out + i, token)
                accepted += 1
            else:
                rejected = True
    row = tl.load(target + accepted * size + place, mask=inside, other=0.0)
    if rejected:
        row = tl.maximum(row - tl.load(draft + accepted * size + place, mask=inside, other=0.0), 0.0)
    noise = -tl.log(-tl.log(tl.rand(seed, accepted * STEP + place)))
    scores = tl.where(inside, tl.log(row) + noise, -float("inf"))
    tl.store(out + accepted, tl.argmax(scores, 0))
    tl.store(count, accepted + 1)
