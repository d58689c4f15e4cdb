"""B65 · NJUNLP/MCSD #5, not a bug, with NumPy.

Three siblings are drawn from the draft's row and tested one after another. The last token seems to be
drawn from the target's row p, but p was overwritten by the residual, in place, after each rejection. On
``examples/reports/b65_residual_in_the_same_variable/p-is-overwritten.yaml`` it is lossless; with p as it
was (``p_is_kept``) the token is (1/3, 4/9, 2/9) for two siblings, the slip of B67, flexflow-train #1302.
"""

import numpy as np


def loop(tables, length, drafts):
    """p becomes the residual after each rejection."""
    return _generated(tables, length, siblings=3, in_place=True)


def p_is_kept(tables, length, drafts):
    """Each sibling is tested against the target's row, the last token is of the first residual."""
    return _generated(tables, length, siblings=2, in_place=False)


def _generated(tables, length, siblings, in_place):
    rng, emitted = np.random.default_rng(), ()
    while len(emitted) < length:
        context = tables.context + emitted
        p, q = np.array(tables.target(context)), np.array(tables.draft(context))
        emitted = (*emitted, _token(rng, p, q, siblings, in_place))
    return emitted


def _token(rng, p, q, siblings, in_place):
    for _ in range(siblings):
        token = rng.choice(len(q), p=q)
        if rng.random() < min(1, p[token] / q[token]):
            return token
        if in_place:
            _become_residual(p, q)
    if not in_place:
        _become_residual(p, q)
    return rng.choice(len(p), p=p)


def _become_residual(p, q):
    np.maximum(p - q, 0, out=p)
    p /= p.sum()
