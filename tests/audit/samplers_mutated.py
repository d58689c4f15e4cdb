"""Verification steps in plain Python, written in the ways that mutants must get along with."""

import functools
import math
import random


def verify(drafted, draft_rows, target_rows):
    """The drafted tokens that are accepted, and one more."""
    emitted = []
    for i in range(len(drafted)):
        token = drafted[i]
        p, q = target_rows[i], draft_rows[i]
        if random.random() >= min(1, p[token] / q[token]):
            return [*emitted, drawn(residual(p, q))]
        emitted.append(token)
    return [*emitted, drawn(target_rows[len(drafted)])]


def residual(p, q):
    """The positive part of a difference."""
    return [max(a - b, 0) for a, b in zip(p, q, strict=True)]


def drawn(weights):
    """A position drawn by its weight."""
    return random.choices(range(len(weights)), weights)[0]


def step(block):
    """The step that is audited."""
    return verify(block.drafted, block.python.draft_probs, block.python.target_probs)


def waiting(block):
    """A token of the target, behind a loop that a mutant may never leave."""
    row, countdown = block.python.target_probs[0], 3
    while countdown > 0:
        countdown = countdown - 1
    return [drawn(row)]


def always_waiting(block):
    """A loop outside of the function that it waits for."""
    while not is_ready(block.draft_length):
        pass
    return step(block)


def is_ready(number):
    """Whether the loop may go on."""
    return number > 0


def with_lenience(lenience):
    """A step that shares a variable with the function around it."""

    def lenient(block):
        coin, token = random.random(), block.drafted[0]
        p, q = block.python.target_probs[0], block.python.draft_probs[0]
        is_accepted = coin < lenience * p[token] / q[token]
        return [token] if is_accepted else [drawn(residual(p, q))]

    return lenient


def announced(function):
    """A decorator that keeps what it wraps."""

    @functools.wraps(function)
    def call(block):
        call.calls += 1
        return function(block)

    call.calls = 0
    return call


@announced
def decorated(block):
    """One token of the target."""
    row = block.python.target_probs[0]
    return [drawn(row)][:1]


def counted_down(block, rounds=2):
    """A function that calls itself."""
    if rounds > 0:
        return counted_down(block, rounds - 1)
    return [drawn(block.python.target_probs[0])]


class Base:
    """What is drawn from."""

    def row(self, block):
        """The target's first row."""
        return block.python.target_probs[0]


class Sampler(Base):
    """A step that is an object, with a name of its own and a call of its base."""

    __shift = 0

    def row(self, block):
        """The row as it is."""
        assert isinstance(self, Sampler)
        return super().row(block)[self.__shift :]

    def __call__(self, block):
        """One token of the target."""
        return [drawn(self.row(block))][:1]


def tokens_of(block):
    """A generator that is a step's last part."""
    yield drawn(block.python.target_probs[0])


def from_a_generator(block):
    """All that a generator gives."""
    return list(tokens_of(block))


def lossy(block):
    """The drafted token, whatever the target says."""
    return [block.drafted[0]]


def every_kind(a, b, *, flag=True):
    """Code with something for each operator; it is never run."""
    total = a.clamp(min=0) + 1.5
    total += b
    if a < 2 and not b:
        total = -a
    elif flag:
        total.add_(b, 7)
    for i in range(3):
        if i == 1:
            break
        del a[i:b]
    while a or b:
        continue
    pair = max(a, b) if flag else math.clamp(a, min=0, max=1)
    if pair is None:
        raise ValueError(f"{a[0]} {b - 1}")
    return len(pair), total
