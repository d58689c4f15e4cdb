"""B48 · vllm-project/vllm PR #27077 (also Infini-AI-Lab/TriForce #12) · confirmed, fixed

The marker for greedy requests changed in one place only: elsewhere temperature 0 reached a
division, and every probability became NaN.
"""

from exactspec import Broken, algorithm
from exactspec.transforms import argmax

TEMPERATURE = 0  # what the request says, and a greedy one is marked with


def _token(row, marker):
    """The argmax where the temperature is the marker; otherwise weights to the power 1/0."""
    return argmax(row) if marker == TEMPERATURE else Broken("nan")


@algorithm
def marker_changed_elsewhere(chance, target, draft, context):
    """Look for the old marker, and take the request for a sampled one."""
    return (_token(target(context), -1),)


@algorithm
def temperature_0_is_greedy(chance, target, draft, context):
    """Repaired: one marker everywhere."""
    return (_token(target(context), 0),)
