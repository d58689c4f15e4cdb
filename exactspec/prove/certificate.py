"""Evidence that a polynomial is not negative: a sum of products that are known not to be, rechecked.

``P = c1 g1 + c2 g2 + ... + R`` with numbers c > 0, polynomials g known to be at least 0, and a rest R
without a negative coefficient, in variables that are all at least 0. Where a g is known to be positive,
or R has a positive number in it, P is positive. With P = -1 it is an exact Farkas certificate that the
conditions contradict each other. The linear program only finds the numbers; what it finds is believed
after it has been multiplied out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from exactspec.errors import InternalError
from exactspec.prove.linear_program import maximise
from exactspec.prove.polynomial import ONE, Coefficient, Monomial, Polynomial
from exactspec.prove.relevance import Known, helpful

Terms = tuple[tuple[Monomial, Coefficient], ...]
_MOST_KNOWN = 120
_MOST_PRODUCTS = 200


@dataclass(frozen=True)
class Certificate:
    """Why a polynomial is at least 0, or above 0 where ``positive``: the parts that it is a sum of."""

    claim: Polynomial
    parts: tuple[tuple[Fraction, Known], ...]
    rest: Polynomial
    positive: bool

    def recheck(self) -> None:
        """Multiply the evidence out.

        Raises:
            InternalError: where it does not give the claim.
        """
        total = self.rest
        for number, known in self.parts:
            total = total.plus(known.polynomial, number)
        positive = self.rest.terms.get(ONE, 0) > 0 or any(k.positive for _, k in self.parts)
        sound = all(number > 0 for number, _ in self.parts) and has_no_minus(self.rest)
        if total != self.claim or not sound or (self.positive and not positive):
            raise InternalError("a certificate does not give what it claims")

    @property
    def on_an_edge(self) -> bool:
        """Whether it rests on a bound that is a curve."""
        return any(known.on_an_edge for _, known in self.parts)

    def zeros(self) -> list[Polynomial]:
        """What must all be 0 where the claim is 0."""
        monomials = [Polynomial({m: 1}) for m in self.rest.terms]
        return [known.polynomial for _, known in self.parts] + monomials


def certify(
    claim: Polynomial, known: Sequence[Known], *, products: bool = False
) -> Certificate | None:
    """A certificate that a polynomial is at least 0, above 0 if that can be had; None where none is found.

    Args:
        claim: the polynomial.
        known: what is known not to be negative, besides every variable.
        products: use products of two of them, too.
    """
    if has_no_minus(claim) and (ONE in claim.terms or not claim):
        return Certificate(claim, (), claim, ONE in claim.terms)
    exact = next((k for k in known if k.positive and k.polynomial == claim), None)
    if exact is not None:
        return Certificate(claim, ((Fraction(1), exact),), Polynomial({}), True)
    return _from_parts(claim, known, products)


def contradiction(known: Sequence[Known], *, products: bool = False) -> Certificate | None:
    """Evidence that not all of some conditions can hold: they give 0 > 0. None where none is found."""
    found = _from_parts(Polynomial({}), known, products)
    return found if found is not None and found.positive else None


def _from_parts(claim: Polynomial, known: Sequence[Known], products: bool) -> Certificate | None:
    degree = max(claim.degree, 2) if products else 0
    usable = helpful(claim, known, degree, _MOST_PRODUCTS if products else _MOST_KNOWN)
    numbers = _numbers(claim, usable)
    if numbers is None:
        return None
    parts = tuple((n, k) for n, k in zip(numbers, usable, strict=True) if n)
    rest = claim
    for number, fact in parts:
        rest = rest.plus(fact.polynomial, -number)
    positive = rest.terms.get(ONE, 0) > 0 or any(k.positive for _, k in parts)
    certificate = Certificate(claim, parts, rest, positive)
    certificate.recheck()
    return certificate


def has_no_minus(polynomial: Polynomial) -> bool:
    """Whether no coefficient is negative, so that it is at least 0 in variables that are."""
    return all(coefficient > 0 for coefficient in polynomial.terms.values())


def _numbers(claim: Polynomial, known: Sequence[Known]) -> tuple[Fraction, ...] | None:
    """The numbers of a certificate, looked up under other names of the variables where they are known."""
    covered = {m for k in known for m, c in k.polynomial.terms.items() if c < 0}
    if any(c < 0 and m not in covered for m, c in claim.terms.items()):
        return None
    variables = sorted(claim.variables().union(*(k.polynomial.variables() for k in known)))
    names = {variable: name for name, variable in enumerate(variables)}

    def renamed(polynomial: Polynomial) -> Terms:
        return tuple(
            (tuple(names[v] for v in monomial), c) for monomial, c in polynomial.sorted_terms()
        )

    return _found(renamed(claim), tuple((renamed(k.polynomial), k.positive) for k in known))


@lru_cache(maxsize=1 << 14)
def _found(claim: Terms, known: tuple[tuple[Terms, bool], ...]) -> tuple[Fraction, ...] | None:
    right = dict(claim)
    rows: dict[Monomial, dict[int, Coefficient]] = {m: {} for m, c in claim if c < 0}
    for number, (terms, _) in enumerate(known):
        for monomial, coefficient in terms:
            rows.setdefault(monomial, {})[number] = coefficient
    strict = [int(positive) - dict(terms).get(ONE, 0) for terms, positive in known]
    if not known:
        return ()
    binding = {m: row for m, row in rows.items() if right.get(m, 0) < 0 or max(row.values()) > 0}
    matrix = [[row.get(n, 0) for n in range(len(known))] for row in binding.values()]
    bounds = [right.get(monomial, 0) for monomial in binding]
    found = maximise(strict, [*matrix, strict], [*bounds, 1])
    return None if found is None else tuple(found)
