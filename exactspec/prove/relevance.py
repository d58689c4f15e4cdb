"""Which known facts, and which products of two of them, may help to write a polynomial as their sum.

In ``P = c1 g1 + c2 g2 + ... + R`` a negative term of P has to come from a g that has this monomial with
a minus, too; what that g has with a plus and P has not, has to be taken off by another g; and so on.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from exactspec.prove.polynomial import ONE, Monomial, Polynomial, quotient


@dataclass(frozen=True)
class Known:
    """A polynomial known to be at least 0, or above 0 where ``positive``.

    Args:
        polynomial: which.
        positive: whether it is above 0.
        on_an_edge: it bounds a case by a curve, and the case may hold tables that no others come near to.
    """

    polynomial: Polynomial
    positive: bool = False
    on_an_edge: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether it is a number that is what it is known to be."""
        number = self.polynomial.number
        return number is not None and (number > 0 or (number == 0 and not self.positive))

    def times(self, other: "Known") -> "Known":
        """The product of two that are at least 0; it rests on all that they rest on."""
        return Known(
            self.polynomial * other.polynomial,
            self.positive and other.positive,
            self.on_an_edge or other.on_an_edge,
        )


def helpful(claim: Polynomial, known: Sequence[Known], degree: int, most: int) -> list[Known]:
    """What may help to write a claim as a sum, what comes first into question first.

    Args:
        claim: the polynomial; 0 where the facts are to contradict each other.
        known: what is known not to be negative, besides every variable.
        degree: the degree of products of two of them, and with variables; 0 for no products.
        most: how many at most.
    """
    search = _Search(claim, known, degree)
    search.spread(most)
    return _without_hopeless(claim, list(search.chosen.values()))


@dataclass
class _Search:
    claim: Polynomial
    known: Sequence[Known]
    degree: int
    chosen: dict[Polynomial, Known] = field(default_factory=dict)
    _minus: dict[Monomial, list[Known]] = field(default_factory=dict)
    _plus: dict[Monomial, list[Known]] = field(default_factory=dict)
    _waiting: deque[Monomial] = field(default_factory=deque)
    _seen: set[Monomial] = field(default_factory=set)

    def __post_init__(self) -> None:
        for each in self.known:
            for monomial, coefficient in each.polynomial.terms.items():
                side = self._plus if coefficient > 0 else self._minus
                side.setdefault(monomial, []).append(each)

    def spread(self, most: int) -> None:
        """Choose facts until nothing new is in need of one."""
        self._need(m for m, c in self.claim.sorted_terms() if c < 0)
        for each in self.known:
            if each.positive or each.polynomial.terms.get(ONE, 0) < 0:
                self._choose(each)
        while self._waiting and len(self.chosen) < most:
            for each in self._with_minus_at(self._waiting.popleft()):
                self._choose(each)

    def _need(self, monomials: Iterator[Monomial]) -> None:
        for monomial in monomials:
            if monomial not in self._seen:
                self._seen.add(monomial)
                self._waiting.append(monomial)

    def _choose(self, each: Known) -> None:
        before = self.chosen.get(each.polynomial)
        if before is None:
            self._need(m for m, c in each.polynomial.sorted_terms() if c > 0)
        if before is None or (each.positive, not each.on_an_edge) > (
            before.positive,
            not before.on_an_edge,
        ):
            self.chosen[each.polynomial] = each

    def _with_minus_at(self, monomial: Monomial) -> Iterator[Known]:
        yield from self._minus.get(monomial, ())
        if not self.degree:
            return
        for part in _parts_of(monomial):
            left = quotient(monomial, part) or ONE
            variables = [Known(Polynomial({left: 1}))] if left else []
            for each in self._minus.get(part, ()):
                for other in (*variables, *self._plus.get(left, ())):
                    if each.polynomial.degree + other.polynomial.degree <= self.degree:
                        yield each.times(other)


def _parts_of(monomial: Monomial) -> Iterator[Monomial]:
    found = {m for size in range(len(monomial) + 1) for m in combinations(monomial, size)}
    yield from sorted(found, key=lambda m: (-len(m), m))


def _without_hopeless(claim: Polynomial, known: list[Known]) -> list[Known]:
    """Without those that have a plus which neither the claim nor another one takes off."""
    while True:
        taken_off = {m for m, c in claim.terms.items() if c > 0}
        taken_off.update(m for k in known for m, c in k.polynomial.terms.items() if c < 0)
        kept = [
            k
            for k in known
            if all(c < 0 or m in taken_off or m == ONE for m, c in k.polynomial.terms.items())
        ]
        if len(kept) == len(known):
            return kept
        known = kept
