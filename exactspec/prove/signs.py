"""Sets of signs that a number can have."""

Signs = frozenset[int]
NEGATIVE, ZERO, POSITIVE = frozenset({-1}), frozenset({0}), frozenset({1})
ANY: Signs = frozenset({-1, 0, 1})


def power(signs: Signs, exponent: int) -> Signs:
    """The signs of a power of a number with one of some signs."""
    return frozenset(sign if exponent % 2 else sign * sign for sign in signs)
