"""B12 · EricLBuehler/mistral.rs PR #2424, issue #2329 · fix open

The helper for speculative sampling builds the request's law and returns its argmax: sampled
requests are greedy on this path.
"""

from exactspec import algorithm
from exactspec.transforms import argmax


@algorithm
def argmax_returned(chance, target, draft, context):
    """Emit the most probable token of the request's law."""
    return (argmax(target(context)),)


@algorithm
def sample_returned(chance, target, draft, context):
    """Repaired: emit a token drawn from the request's law."""
    return (chance.draw(target(context), "target"),)
