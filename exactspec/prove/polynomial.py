"""Polynomials in variables that turn up while a rule runs: sums of products of a few variables, exact."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm

Variable = int
Monomial = tuple[Variable, ...]
Coefficient = int | Fraction
ONE: Monomial = ()


class Polynomial:
    """A polynomial with rational coefficients; a monomial is the sorted tuple of its variables.

    A sparse form, because a proof has hundreds of variables, of which a polynomial holds a few.

    >>> x, y = Polynomial.variable(0), Polynomial.variable(1)
    >>> (x + y) * (x - y) == x * x - y * y
    True
    """

    __slots__ = ("_hash", "_variables", "terms")

    def __init__(self, terms: Mapping[Monomial, Coefficient]) -> None:
        self.terms = {m: c for m, c in terms.items() if c}
        self._hash: int | None = None
        self._variables: frozenset[Variable] | None = None

    @classmethod
    def constant(cls, value: Coefficient) -> "Polynomial":
        """A number as a polynomial."""
        return cls({ONE: _whole(value)})

    @classmethod
    def variable(cls, variable: Variable) -> "Polynomial":
        """One variable as a polynomial."""
        return cls({(variable,): 1})

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __add__(self, other: "Polynomial") -> "Polynomial":
        return self.plus(other, 1)

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        return self.plus(other, -1)

    def __neg__(self) -> "Polynomial":
        return self.times(-1)

    def plus(self, other: "Polynomial", factor: Coefficient) -> "Polynomial":
        """This polynomial plus another one times a number."""
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient * factor
        return Polynomial(terms)

    def times(self, factor: Coefficient) -> "Polynomial":
        """This polynomial times a number."""
        if factor == 1:
            return self
        factor = _whole(factor)
        return Polynomial({m: c * factor for m, c in self.terms.items()})

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        number = other.number
        if number is not None:
            return self.times(number)
        terms: dict[Monomial, Coefficient] = {}
        for mine, c in self.terms.items():
            for theirs, d in other.terms.items():
                monomial = product(mine, theirs)
                terms[monomial] = terms.get(monomial, 0) + c * d
        return Polynomial(terms)

    def __pow__(self, exponent: int) -> "Polynomial":
        if exponent == 1:
            return self
        power = Polynomial.constant(1)
        for _ in range(exponent):
            power = power * self
        return power

    @property
    def number(self) -> Coefficient | None:
        """Its value, if it is a number; else None."""
        if not self.terms:
            return 0
        return self.terms[ONE] if len(self.terms) == 1 and ONE in self.terms else None

    @property
    def degree(self) -> int:
        """The most variables in one monomial."""
        return max(map(len, self.terms), default=0)

    @property
    def leading(self) -> Monomial:
        """The greatest monomial: the longest, of equally long ones the last."""
        return max(self.terms, key=_order)

    def variables(self) -> frozenset[Variable]:
        """The variables that it holds."""
        if self._variables is None:
            self._variables = frozenset(v for monomial in self.terms for v in monomial)
        return self._variables

    def primitive(self) -> tuple[Fraction, "Polynomial"]:
        """A number and a polynomial with coprime integers, the leading one positive; their product is this."""
        content = Fraction(
            gcd(*(c.numerator for c in self.terms.values())),
            lcm(*(c.denominator for c in self.terms.values())),
        )
        if self.terms[self.leading] < 0:
            content = -content
        above, below = content.numerator, content.denominator
        if above == below == 1:
            return content, self
        return content, Polynomial({m: int(c * below) // above for m, c in self.terms.items()})

    def without_shared(self) -> tuple[Monomial, "Polynomial"]:
        """The product of variables that all terms share, and what is left of the polynomial."""
        shared: Monomial = min(self.terms, key=len, default=ONE)
        for monomial in self.terms:
            shared = _shared(shared, monomial)
        if not shared:
            return shared, self
        left = ((quotient(monomial, shared), c) for monomial, c in self.terms.items())
        return shared, Polynomial({m: c for m, c in left if m is not None})

    def over(self, divisor: "Polynomial") -> "Polynomial | None":
        """The quotient, where the division leaves no remainder; else None."""
        lead = divisor.leading
        left, result = self, Polynomial({})
        while left:
            monomial = quotient(left.leading, lead)
            if monomial is None:
                return None
            share = _whole(Fraction(left.terms[left.leading]) / divisor.terms[lead])
            step = Polynomial({monomial: share})
            result, left = result + step, left - step * divisor
        return result

    def substituted(self, value: Callable[[Variable], "Polynomial | None"]) -> "Polynomial":
        """With polynomials in the places of variables; None leaves a variable as it is."""
        values = {v: found for v in self.variables() if (found := value(v)) is not None}
        if not values:
            return self
        total = Polynomial({})
        for monomial, coefficient in self.terms.items():
            term = Polynomial({tuple(v for v in monomial if v not in values): coefficient})
            for variable in monomial:
                if variable in values:
                    term = term * values[variable]
            total = total + term
        return total

    def at(self, value: Callable[[Variable], Fraction]) -> Fraction:
        """Its value where each variable has a value."""
        total = Fraction(0)
        for monomial, coefficient in self.terms.items():
            term = Fraction(coefficient)
            for variable in monomial:
                term *= value(variable)
            total += term
        return total

    def sorted_terms(self) -> Iterator[tuple[Monomial, Coefficient]]:
        """The terms in an order that does not depend on how it was computed: short ones first."""
        return iter(sorted(self.terms.items(), key=lambda term: _order(term[0])))


def _whole(number: Coefficient) -> Coefficient:
    """The same number, as an int if it is whole: sums of ints are much faster."""
    return number.numerator if number.denominator == 1 else number


def product(one: Monomial, other: Monomial) -> Monomial:
    """The product of two monomials."""
    if not one:
        return other
    return tuple(sorted((*one, *other))) if other else one


def _order(monomial: Monomial) -> tuple[int, Monomial]:
    return len(monomial), monomial


def _shared(one: Monomial, other: Monomial) -> Monomial:
    left = list(other)
    shared = []
    for variable in one:
        if variable in left:
            left.remove(variable)
            shared.append(variable)
    return tuple(shared)


def quotient(monomial: Monomial, divisor: Iterable[Variable]) -> Monomial | None:
    """A monomial over another one; None where that is no monomial."""
    left = list(monomial)
    for variable in divisor:
        if variable not in left:
            return None
        left.remove(variable)
    return tuple(left)
