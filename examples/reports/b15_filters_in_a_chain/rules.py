"""B15 · ztxz16/fastllm #738 · reported with a measured distance, closed

The speculative path renormalises after top-k and takes top-p of what is left; plain decoding
applies both limits to the original law.
"""

from fractions import Fraction

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import allowed, top_k, top_p

TOP_K, TOP_P = 3, Fraction(3, 4)


def _chained(row):
    """Top-k, normalised, then top-p of the result."""
    return top_p(top_k(row, TOP_K), TOP_P)


def _jointly(row):
    """What both filters keep of the original row."""
    return allowed(row, set(top_k(row, TOP_K)) & set(top_p(row, TOP_P)))


def _round(chance, p, q):
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def chained_filters(chance, target, draft, context):
    """Both laws are filtered in a chain, and verified rightly."""
    return _round(chance, _chained(target(context)), _chained(draft(context)))


@algorithm
def joint_filters(chance, target, draft, context):
    """Repaired: both laws are filtered as plain decoding does it."""
    return _round(chance, _jointly(target(context)), _jointly(draft(context)))
