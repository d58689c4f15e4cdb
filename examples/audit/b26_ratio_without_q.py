"""B26 · 1bit-MONSTER/1bit-MONSTER #637, reported from the code, with NumPy.

A draft is accepted with min(1, p(x) / max p): its own probability is not used at all. On
``examples/reports/b26_ratio_without_q/ratio-to-the-maximum.yaml``, with p = (1/2, 1/3, 1/6) and
q = (1/6, 1/3, 1/2), the first token is (7/18, 10/27, 13/54): a total variation of 1/9. That a rejected
draft is replaced by a token of p is our assumption.
"""

import numpy as np


def step(block):
    """Accept with p(x) / max p; after a rejection draw from p."""
    rng = np.random.default_rng()
    p, token = block.numpy.target_probs[0], block.numpy.draft_ids[0]
    if rng.random() < p[token] / np.max(p):
        return [token]
    return [rng.choice(len(p), p=p)]


def repaired(block):
    """Accept with p(x)/q(x); after a rejection draw from the residual."""
    rng = np.random.default_rng()
    p, q, token = block.numpy.target_probs[0], block.numpy.draft_probs[0], block.numpy.draft_ids[0]
    if rng.random() < min(1.0, p[token] / q[token]):
        return [token]
    residual = np.maximum(p - q, 0)
    return [rng.choice(len(p), p=residual / residual.sum())]
