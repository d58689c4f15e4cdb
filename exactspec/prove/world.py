"""All tables at once: what the variables stand for, and what is known of every table.

A table entry is a variable; the last of a row is 1 minus the others. The positive part [d]+ of a
polynomial is a variable of its own, of which two things are known: it is at least 0 and at least d. So
min(a, b) = a - [a - b]+ needs no split into cases. Everything recorded here holds for every table.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactspec.prove.certificate import Certificate, certify, has_no_minus
from exactspec.prove.polynomial import Polynomial, Variable
from exactspec.prove.relevance import Known
from exactspec.prove.samples import NEARLY_ZERO, Samples

_ONE = Polynomial.constant(1)
_A_LITTLE = Fraction(1, 1 << 16)


@dataclass(frozen=True)
class Entry:
    """A table entry: which table, after which added tokens, which token."""

    table: str
    after: tuple[str, ...]
    token: str


@dataclass(frozen=True)
class PositivePart:
    """The positive part of a polynomial."""

    of: Polynomial


@dataclass
class World:
    """The variables of one program, and what is known of them for every table."""

    meanings: list[Entry | PositivePart] = field(default_factory=list)
    bounds: dict[Polynomial, None] = field(default_factory=dict)
    last_entries: dict[Polynomial, Entry] = field(default_factory=dict)
    _row_of: dict[Variable, tuple[Variable, ...]] = field(default_factory=dict)
    _parts: dict[Polynomial, Variable] = field(default_factory=dict)
    _shared_ends: dict[tuple[Polynomial, Polynomial, Polynomial], None] = field(
        default_factory=dict
    )
    _ends: dict[Variable, dict[tuple[Polynomial, Polynomial], None]] = field(default_factory=dict)
    _known_parts: dict[Polynomial, Polynomial] = field(default_factory=dict)
    _bounds_on: dict[Variable, list[Polynomial]] = field(default_factory=dict)
    _near_to: dict[frozenset[Variable], frozenset[Variable]] = field(default_factory=dict)
    _facts_within: dict[frozenset[Variable], tuple[int, list[Known]]] = field(default_factory=dict)
    _not_negative: dict[Polynomial, bool] = field(default_factory=dict)
    _is_flipped: dict[Polynomial, bool] = field(default_factory=dict)
    _sample: dict[Variable, Fraction] = field(default_factory=dict)
    samples: Samples = field(default_factory=Samples)
    certificates: dict[Polynomial, Certificate] = field(default_factory=dict)

    def row(self, table: str, after: tuple[str, ...], tokens: Sequence[str]) -> list[Polynomial]:
        """The entries of a row, as polynomials that are at least 0 and sum to 1."""
        variables = [self._new(Entry(table, after, token)) for token in tokens[:-1]]
        self.samples.add_row(variables, table, after)
        last = _ONE
        for variable in variables:
            last = last - Polynomial.variable(variable)
            self._row_of[variable] = tuple(variables)
        self.last_entries[last] = Entry(table, after, tokens[-1])
        self.know(last)
        return [*map(Polynomial.variable, variables), last]

    def _new(self, meaning: Entry | PositivePart) -> Variable:
        self.meanings.append(meaning)
        return len(self.meanings) - 1

    def know(self, polynomial: Polynomial) -> None:
        """Note that a polynomial is at least 0 for every table."""
        if polynomial.number is not None or polynomial in self.bounds:
            return
        self.bounds[polynomial] = None
        for variable in polynomial.variables():
            self._bounds_on.setdefault(variable, []).append(polynomial)

    def bounds_on(self, variable: Variable) -> list[Polynomial]:
        """What is at least 0 for every table, and speaks of a variable."""
        return self._bounds_on.get(variable, [])

    def primitive(self, polynomial: Polynomial) -> tuple[Fraction, Polynomial]:
        """A number and a primitive polynomial whose product it is; the latter positive in a sample table.

        So what is never negative is not written as minus something.
        """
        content, primitive = polynomial.primitive()
        if primitive not in self._is_flipped:
            self._is_flipped[primitive] = primitive.at(self._sample_value) < 0
        return (-content, -primitive) if self._is_flipped[primitive] else (content, primitive)

    def _sample_value(self, variable: Variable) -> Fraction:
        if variable not in self._sample:
            meaning = self.meanings[variable]
            if isinstance(meaning, PositivePart):
                value = max(Fraction(0), meaning.of.at(self._sample_value)) + _A_LITTLE
            else:
                value = Fraction(3 + variable % 7, 9 * len(self._row_of[variable]) + 9)
            self._sample[variable] = value
        return self._sample[variable]

    def positive_part(self, of: Polynomial) -> Polynomial:
        """The positive part of a polynomial: 0, itself, or a multiple of a variable of its own."""
        if of not in self._known_parts:
            shared, left = of.without_shared()
            self._known_parts[of] = Polynomial({shared: 1}) * self._positive_part(left)
        return self._known_parts[of]

    def _positive_part(self, of: Polynomial) -> Polynomial:
        if self.is_not_negative(of):
            return of
        if self.is_not_negative(-of):
            return Polynomial({})
        content, primitive = self.primitive(of)
        variable = self._parts.get(primitive)
        if variable is None:
            variable = self._parts[primitive] = self._new(PositivePart(primitive))
            self.samples.add_positive_part(variable, primitive)
            self.know(Polynomial.variable(variable) - primitive)
        part = Polynomial.variable(variable)
        return part.times(content) if content > 0 else (part - primitive).times(-content)

    def minimum(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """The smaller of two polynomials; of two that are at least 0 it is at least 0."""
        smaller = a - self.positive_part(a - b)
        if self.is_not_negative(a) and self.is_not_negative(b):
            self.know(smaller)
            if a != b:
                self._note_minimum(a, b)
        return smaller

    def _note_minimum(self, a: Polynomial, b: Polynomial) -> None:
        """Note what the positive part behind a - b is where a is 0, and where b is: then it has no range.

        Where a - b is a product of variables and something, it has none only where these are not 0.
        """
        shared, left = (a - b).without_shared()
        content, primitive = self.primitive(left)
        variable = self._parts.get(primitive)
        if variable is not None and shared:
            self._shared_ends[a, b, Polynomial({shared: 1})] = None
        elif variable is not None:
            nothing = Polynomial({})
            ends = ((a, nothing), (b, primitive)) if content > 0 else ((a, primitive), (b, nothing))
            self._ends.setdefault(variable, {}).update(dict.fromkeys(ends))

    def ends(self, variable: Variable) -> Iterable[tuple[Polynomial, Polynomial]]:
        """Polynomials that are not negative, each with what a positive part is where it is 0."""
        return self._ends.get(variable, ())

    def shared_ends(self) -> Iterable[tuple[Polynomial, Polynomial, Polynomial]]:
        """Pairs of which one is 0 only where a positive part has no range, or a third polynomial is 0."""
        return self._shared_ends

    def is_not_negative(self, polynomial: Polynomial) -> bool:
        """Whether it is at least 0 for every table, so far as that is found; asked once."""
        if polynomial not in self._not_negative:
            _, left = polynomial.without_shared()
            self._not_negative[polynomial] = has_no_minus(left) or self._is_certified(left)
        return self._not_negative[polynomial]

    def _is_certified(self, polynomial: Polynomial) -> bool:
        if min(self.samples.at(polynomial)) < -NEARLY_ZERO:
            return False
        certificate = certificate_of(self, polynomial)
        if certificate is not None:
            self.certificates[polynomial] = certificate
        return certificate is not None

    def note_not_negative(self, polynomial: Polynomial) -> None:
        """Note that a polynomial, a product of such ones, is at least 0 for every table."""
        self._not_negative[polynomial] = True

    def about(self, polynomial: Polynomial, beside: Iterable[Known] = ()) -> list[Known]:
        """What is known of the variables of a polynomial: of their rows, and of what parts are parts of.

        Args:
            polynomial: whose variables.
            beside: what else is known.
        """
        near = self._near(polynomial.variables())
        beside = [k for k in beside if k.polynomial.variables() & near]
        near = near | self._near(frozenset(v for k in beside for v in k.polynomial.variables()))
        return [*beside, *self._bounds_within(near)]

    def _bounds_within(self, near: frozenset[Variable]) -> list[Known]:
        count, facts = self._facts_within.get(near, (-1, []))
        if count < len(self.bounds):
            found = dict.fromkeys(b for v in sorted(near) for b in self._bounds_on.get(v, ()))
            facts = [Known(b) for b in found if b.variables() <= near]
            self._facts_within[near] = len(self.bounds), facts
        return facts

    def _near(self, variables: frozenset[Variable]) -> frozenset[Variable]:
        if variables not in self._near_to:
            self._near_to[variables] = self._reached_from(variables)
        return self._near_to[variables]

    def _reached_from(self, variables: frozenset[Variable]) -> frozenset[Variable]:
        behind = self.behind(variables)
        return behind.union(*(self._row_of.get(variable, ()) for variable in behind))

    def behind(self, variables: Iterable[Variable]) -> frozenset[Variable]:
        """Variables, and all those in what they are positive parts of."""
        behind: set[Variable] = set()
        waiting = list(variables)
        while waiting:
            variable = waiting.pop()
            if variable not in behind:
                behind.add(variable)
                of = self.definition(variable)
                waiting.extend(() if of is None else of.variables())
        return frozenset(behind)

    def definition(self, variable: Variable) -> Polynomial | None:
        """What a variable is the positive part of; None for a table entry."""
        meaning = self.meanings[variable]
        return meaning.of if isinstance(meaning, PositivePart) else None

    def values(self, entry: Callable[[Entry], Fraction]) -> Callable[[Variable], Fraction]:
        """The value of every variable, given those of the table entries."""
        known: dict[Variable, Fraction] = {}

        def value(variable: Variable) -> Fraction:
            if variable not in known:
                meaning = self.meanings[variable]
                if isinstance(meaning, PositivePart):
                    known[variable] = max(Fraction(0), meaning.of.at(value))
                else:
                    known[variable] = entry(meaning)
            return known[variable]

        return value


def certificate_of(
    world: World, claim: Polynomial, beside: Sequence[Known] = ()
) -> Certificate | None:
    """Evidence that a polynomial is not negative where some other ones are not, if it is found."""
    known = world.about(claim, beside)
    certificate = certify(claim, known)
    if certificate is None and claim.degree > 1:
        certificate = certify(claim, known, products=True)
    return certificate
