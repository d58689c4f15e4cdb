"""B32 · vllm-project/vllm PR #47386, merged as PR #54282, confirmed and fixed, with NumPy.

Draft and recovery are drawn by Gumbel-max with generators of the same seed and position: with the same
noise. Given that a token won the draft's race, the noise of the losers is truncated. On
``examples/reports/b32_noise_shared_with_the_recovery/shared-noise.yaml``, with p = (1/10, 3/5, 3/10) and
q = (1/2, 1/4, 1/4), the token is B with 63/100 and C with 27/100: a total variation of 3/100. A sampler
that draws its own drafts is audited as a loop: ``exactspec audit ...:loop --length 1``.
"""

import numpy as np

DRAFT, RECOVERY, COIN = 1, 2, 3


def loop(tables, length, drafts):
    """Generate with recovery noise of the draft's seed."""
    return _generated(tables, length, recovery_stream=DRAFT)


def repaired(tables, length, drafts):
    """The recovery has noise of its own."""
    return _generated(tables, length, recovery_stream=RECOVERY)


def _generated(tables, length, recovery_stream):
    emitted = ()
    while len(emitted) < length:
        context = tables.context + emitted
        p, q = np.array(tables.target(context)), np.array(tables.draft(context))
        emitted = (*emitted, _token(p, q, len(context), recovery_stream))
    return emitted


def _token(p, q, position, recovery_stream):
    token = _race(q, [position, DRAFT])
    coin = np.random.default_rng([position, COIN]).random()
    if coin < min(1, p[token] / q[token]):
        return int(token)
    return int(_race(np.maximum(p - q, 0), [position, recovery_stream]))


def _race(weights, seed):
    """The largest weight over an exponential time: Gumbel-max without its logarithms."""
    return np.argmax(weights / np.random.default_rng(seed).exponential(size=len(weights)))
