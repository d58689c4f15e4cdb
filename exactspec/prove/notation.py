"""Polynomials of a proof in the theory's notation: p(a), q(b | h a), min(p(a), q(a)), [p(a) - q(a)]+.

A polynomial is rewritten with names until it is short: the last entry of a row is 1 minus the others,
min(a, b) is a - [a - b]+, and [b - a]+ is [a - b]+ - (a - b). Every step is an equality, so what is
found is the polynomial itself; how short it gets is a matter of looks only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import mul

from exactspec.errors import InternalError
from exactspec.prove.formula import Formula
from exactspec.prove.meaning import Meanings
from exactspec.prove.patterns import Patterns
from exactspec.prove.polynomial import Monomial, Polynomial, Variable, product
from exactspec.prove.symbols import (
    Beta,
    Least,
    Plus,
    Quotient,
    Sum,
    Symbol,
    Total,
    least,
    minus,
    opposite,
    order,
    ordered,
    renamed,
    single,
    summed_letter,
    tokens_at,
)
from exactspec.prove.world import Entry, World

_FIRST_NAME = 1 << 30
_WIDTH = 3
_MOST_TERMS = 60
_MOST_STEPS = 40
_DEEPEST = 8


@dataclass(frozen=True)
class _Rule:
    """One way to write a polynomial otherwise, found by the monomial that is the pivot."""

    polynomial: Polynomial
    instead: Polynomial
    pivot: Monomial


Pair = tuple[Entry, Entry]


@dataclass
class Notation:
    """The names that a program's polynomials can be written with.

    Args:
        world: what the variables stand for.
    """

    world: World
    _symbols: dict[Variable, Symbol] = field(default_factory=dict)
    _polynomials: dict[Symbol, Polynomial] = field(default_factory=dict)
    _exact: dict[Polynomial, Polynomial] = field(default_factory=dict)
    _rules: list[_Rule] = field(default_factory=list)
    _written: dict[Polynomial, Sum] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._meanings = Meanings(self.world)
        self._patterns = Patterns(self._meanings)
        parts = []
        for variable, meaning in enumerate(tuple(self.world.meanings)):
            if isinstance(meaning, Entry):
                self._name(Polynomial.variable(variable), meaning)
            else:
                parts.append((variable, meaning.of))
        for polynomial, entry in self.world.last_entries.items():
            self._name(polynomial, entry)
        self._name_parts_of_pairs({of: Polynomial.variable(v) for v, of in parts})
        self._name_rejections()
        for variable, of in parts:
            self._name_part(Polynomial.variable(variable), of)
        self._name_totals()

    def polynomial(self, polynomial: Polynomial) -> Sum:
        """A polynomial in notation."""
        if polynomial not in self._written:
            found = self._patterns.find(polynomial)
            if found is None:
                found = self._as_sum(self._shortened(polynomial))
                self._patterns.note(found)
            if self._meanings.of(found) != polynomial:
                raise InternalError("a polynomial was written as another one")
            self._written[polynomial] = found
        return self._written[polynomial]

    def formula(self, formula: Formula) -> Quotient:
        """A formula in notation, its factors kept apart."""
        number = formula.number
        powers = []
        for factor, exponent in formula.powers.items():
            if number < 0 and exponent % 2 and len(factor.terms) > 1:
                number, factor = -number, -factor
            powers.append((self.polynomial(factor), exponent))
        powers.sort(key=lambda power: (len(power[0]) > 1, order(power[0])))
        above = tuple((factor, e) for factor, e in powers if e > 0)
        return Quotient(number, above, tuple((factor, -e) for factor, e in powers if e < 0))

    def variable(self, variable: Variable) -> Symbol:
        """What a variable is shown as."""
        return self._symbols[variable]

    def _pairs(self) -> Iterator[tuple[Pair, Polynomial, Polynomial]]:
        """p(x) and q(x), for each x that both tables have behind the same tokens."""
        for p in [symbol for symbol in self._polynomials if isinstance(symbol, Entry)]:
            q = Entry("draft", p.after, p.token)
            if p.table == "target" and q in self._polynomials:
                yield (p, q), self._polynomials[p], self._polynomials[q]

    def _name_parts_of_pairs(self, parts: dict[Polynomial, Polynomial]) -> None:
        """[p(x) - q(x)]+ and min(p(x), q(x)); with two tokens [p(a) - q(a)]+ is q(b) - min(p(b), q(b)), too."""
        for (p, q), one, two in self._pairs():
            over = parts.get(one - two)
            if over is None and two - one in parts:
                over = parts[two - one] + one - two
            if over is None:
                continue
            self._name(over, Plus(minus(single(p), single(q))))
            smaller = self._name(one - over, Least(single(p), single(q)))
            for entry, of in ((p, one - two), (q, two - one)):
                if of in parts:
                    self._rule(parts[of], self._exact[self._polynomials[entry]] - smaller)

    def _name_rejections(self) -> None:
        behind: dict[tuple[str, ...], list[Polynomial | None]] = {}
        for (p, q), _, _ in self._pairs():
            over = self._polynomials.get(Plus(minus(single(p), single(q))))
            behind.setdefault(p.after, []).append(over)
        for after, parts in behind.items():
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                beta = self._name(sum(known, Polynomial({})), Beta(after))
                names = [self._exact[part] for part in known]
                for name in names:
                    self._rule(sum(names, Polynomial({})) - name, beta - name)

    def _name_part(self, part: Polynomial, of: Polynomial) -> None:
        """Name a positive part [d]+, the [-d]+ that goes with it, and the minimum that holds it."""
        whole = self.polynomial(of)
        other = ordered(opposite(whole))
        self._name(part, Plus(whole))
        self._name(part - of, Plus(other))
        more = tuple(term for term in whole if term[0] > 0)
        less = tuple(term for term in other if term[0] > 0)
        if more and less:
            smaller = self._name(self._meanings.of(more) - part, least(more, less))
            self._rule(part, self._in_names(more) - smaller)

    def _name_totals(self) -> None:
        """The sum over all tokens of what is named for each of them."""
        every = {s.token for s in self._polynomials if isinstance(s, Entry)}
        letter = summed_letter(every)
        groups: dict[Sum, dict[str, Polynomial]] = {}
        for symbol, polynomial in self._polynomials.items():
            if not isinstance(symbol, Plus):
                continue
            for position in range(_DEEPEST):
                tokens = tokens_at(symbol.of, position)
                if len(tokens) == 1:
                    whole = renamed(single(symbol), position, dict.fromkeys(tokens, letter))
                    groups.setdefault(whole, {})[next(iter(tokens))] = polynomial
        for whole, parts in groups.items():
            if parts.keys() == every:
                self._name(sum(parts.values(), Polynomial({})), Total(letter, whole))

    def _name(self, polynomial: Polynomial, symbol: Symbol) -> Polynomial:
        """Name a polynomial, unless it has a name; the name as a variable."""
        if polynomial in self._exact:
            return self._exact[polynomial]
        single = next(iter(polynomial.terms)) if len(polynomial.terms) == 1 else ()
        variable = single[0] if len(single) == 1 else _FIRST_NAME + len(self._exact)
        name = Polynomial.variable(variable)
        self._symbols[variable], self._exact[polynomial] = symbol, name
        self._polynomials[symbol] = polynomial
        if name != polynomial:
            self._rule(polynomial, name)
        return name

    def _rule(self, polynomial: Polynomial, instead: Polynomial) -> None:
        pivot = max(polynomial.terms, key=lambda m: (len(m), m))
        self._rules.append(_Rule(polynomial, instead, pivot))

    def _in_names(self, whole: Sum) -> Polynomial:
        """A sum as a polynomial in the names of its symbols."""
        total = Polynomial({})
        for number, symbols in whole:
            polynomials = (self._meanings.of(single(symbol)) for symbol in symbols)
            names = (self._exact.get(each, each) for each in polynomials)
            total = total + reduce(mul, names, Polynomial.constant(number))
        return total

    def _shortened(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with names in it, as short as a narrow search makes it."""
        if not 1 < len(polynomial.terms) <= _MOST_TERMS:
            return polynomial
        inside = polynomial.variables()
        usable = [rule for rule in self._rules if _entries(rule.polynomial) <= inside]
        best, known, beam = polynomial, {polynomial}, [polynomial]
        for _ in range(_MOST_STEPS):
            found = [new for old in beam for new in self._steps(old, usable) if new not in known]
            beam = sorted(dict.fromkeys(found), key=_cost)[:_WIDTH]
            known.update(beam)
            if not beam or len(best.terms) == 1:
                break
            best = min(best, beam[0], key=_cost)
        return best

    def _steps(self, old: Polynomial, usable: Sequence[_Rule]) -> Iterator[Polynomial]:
        if old in self._exact:
            yield self._exact[old]
            return
        for rule in usable:
            longest = len(old.terms) + (len(rule.polynomial.terms) < len(rule.instead.terms))
            for monomial in old.terms:
                rest = _divided(monomial, rule.pivot)
                for share in () if rest is None else _shares(old, rule.polynomial, rest):
                    new = old - share * (rule.polynomial - rule.instead)
                    if len(new.terms) <= longest:
                        yield new

    def _as_sum(self, short: Polynomial) -> Sum:
        terms = ((n, [self._symbols[v] for v in monomial]) for monomial, n in short.terms.items())
        return ordered((Fraction(number), tuple(symbols)) for number, symbols in terms)


def _entries(polynomial: Polynomial) -> set[Variable]:
    return {variable for variable in polynomial.variables() if variable < _FIRST_NAME}


def _shares(old: Polynomial, part: Polynomial, rest: Monomial) -> list[Polynomial]:
    """The multiples of a polynomial, by one monomial, that take a term away."""
    found: dict[Fraction, None] = {}
    for monomial, coefficient in part.terms.items():
        there = old.terms.get(product(monomial, rest))
        if there:
            found[Fraction(there) / coefficient] = None
    return [Polynomial({rest: number}) for number in found]


def _divided(monomial: Monomial, pivot: Monomial) -> Monomial | None:
    left = list(monomial)
    for variable in pivot:
        if variable not in left:
            return None
        left.remove(variable)
    return product((), tuple(left))


def _cost(polynomial: Polynomial) -> tuple[int, int, int]:
    """Fewest terms, then fewest symbols, then fewest minus signs."""
    return (
        len(polynomial.terms),
        sum(map(len, polynomial.terms)),
        sum(coefficient < 0 for coefficient in polynomial.terms.values()),
    )
