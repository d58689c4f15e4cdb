"""B48 · vllm-project/vllm PR #27077 (also Infini-AI-Lab/TriForce #12) · confirmed, fixed

The marker for greedy requests changed in one place only: elsewhere temperature 0 reached a
division, and every probability became NaN.
"""

from exactspec import Broken, algorithm
from exactspec.transforms import argmax, temperature

GREEDY_HERE, GREEDY_ELSEWHERE = -1, 0


def _sampled(chance, row, requested):
    if requested == 0:
        return Broken("nan")
    return chance.draw(temperature(row, 1 / requested), "target")


@algorithm
def marker_changed_elsewhere(chance, target, draft, context):
    """Take a request at temperature 0 for a sampled one."""
    requested, row = GREEDY_ELSEWHERE, target(context)
    return (argmax(row) if requested == GREEDY_HERE else _sampled(chance, row, requested),)


@algorithm
def temperature_0_is_greedy(chance, target, draft, context):
    """Repaired: one marker, and temperature 0 is the argmax."""
    requested, row = GREEDY_ELSEWHERE, target(context)
    return (argmax(row) if requested == GREEDY_ELSEWHERE else _sampled(chance, row, requested),)
