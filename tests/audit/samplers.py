"""Samplers in plain Python for the tests of the audit: one that is right, and others that are not."""

import random


def right(block):
    """Verify the drafted tokens one by one, correct the first rejection, or add a bonus."""
    arrays = block.python
    target, draft = arrays.target_probs, arrays.draft_probs
    emitted = []
    for i, token in enumerate(block.drafted):
        if random.random() * draft[i][token] >= target[i][token]:
            return [
                *emitted,
                drawn([max(p - q, 0) for p, q in zip(target[i], draft[i], strict=True)]),
            ]
        emitted.append(token)
    return [*emitted, drawn(target[-1])]


def target_instead_of_residual(block):
    """The correction is drawn from the target's row: nothing of the draft's is taken off."""
    arrays = block.python
    target, draft = arrays.target_probs, arrays.draft_probs
    emitted = []
    for i, token in enumerate(block.drafted):
        if random.random() * draft[i][token] >= target[i][token]:
            return [*emitted, drawn(target[i])]
        emitted.append(token)
    return [*emitted, drawn(target[-1])]


def drawn(weights):
    """A token id drawn by its weight."""
    return random.choices(range(len(weights)), weights)[0]


def crashes(block):
    """Emits token 0, or raises an exception one time in four."""
    if random.random() < 0.25:
        raise IndexError("no such token")
    return [0]
