"""A formula that was found for some tokens, tried for others: most polynomials of a proof are alike."""

from exactspec.prove.meaning import Meanings, Place, Unknown
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.symbols import (
    Sum,
    entries_in,
    generalised,
    letter_for,
    opposite,
    ordered,
    renamed,
    tokens_at,
)


class Patterns:
    """Formulas with letters for tokens, and the polynomials that they stand for with tokens put in.

    Args:
        meanings: what formulas stand for.
    """

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._patterns: dict[int, dict[Sum, None]] = {}
        self._tried: dict[Place, int] = {}
        self._found: dict[Place, dict[Polynomial, Sum]] = {}

    def note(self, found: Sum) -> None:
        """Note a formula that was found, if all its tokens can be letters."""
        (pattern,) = generalised([found], self._meanings.tokens)
        entries = entries_in(pattern)
        depth = max((len(entry.after) + 1 for entry in entries), default=0)
        left = (tokens_at(pattern, i) & set(self._meanings.tokens) for i in range(depth))
        if depth and not any(left):
            self._patterns.setdefault(depth, {})[pattern] = None

    def find(self, polynomial: Polynomial) -> Sum | None:
        """A formula for a polynomial, from one that was found for other tokens."""
        places = self._meanings.places(polynomial)
        longest = max(places, key=len, default=None)
        if longest is None or any(longest[: len(place)] != place for place in places):
            return None
        for token in self._meanings.tokens:
            found = self._instances((*longest, token)).get(polynomial)
            if found is not None:
                return found
        return None

    def _instances(self, place: Place) -> dict[Polynomial, Sum]:
        patterns = list(self._patterns.get(len(place), ()))
        found = self._found.setdefault(place, {})
        for pattern in patterns[self._tried.get(place, 0) :]:
            whole = pattern
            for position, token in enumerate(place):
                letter = letter_for(position, self._meanings.tokens)
                whole = renamed(whole, position, {letter: token})
            try:
                polynomial = self._meanings.of(whole)
            except Unknown:
                continue
            found.setdefault(polynomial, whole)
            found.setdefault(-polynomial, ordered(opposite(whole)))
        self._tried[place] = len(patterns)
        return found
