"""What is known at one place of a run: which weights are positive, and how the rule's tests came out."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from exactspec.prove.certificate import Certificate, contradiction
from exactspec.prove.factors import factors
from exactspec.prove.formula import Formula
from exactspec.prove.polynomial import Polynomial, Variable
from exactspec.prove.relevance import Known
from exactspec.prove.samples import HOW_MANY
from exactspec.prove.signs import ANY, NEGATIVE, POSITIVE, ZERO, Signs, power
from exactspec.prove.world import PositivePart, World, certificate_of


@dataclass(frozen=True)
class Case:
    """A part of all tables: those in which some polynomials have the signs that they are known to have.

    Args:
        world: what holds for every table.
        known: polynomials that are at least 0, or positive.
        equal: what variables are equal to here.
        unsolved: polynomials that are 0 here, without a variable to solve them for.
        is_bent: a positive part was set to something else than an end of its range, so that the case
            may hold tables that no others come near to.
        samples: which of the world's sample tables are in this case.
        edges: what was settled by a bound that is a curve, in this case or in one that it is cut from.
    """

    world: World
    known: tuple[Known, ...] = ()
    equal: dict[Variable, Polynomial] = field(default_factory=dict)
    unsolved: tuple[Polynomial, ...] = ()
    is_bent: bool = False
    samples: tuple[int, ...] = tuple(range(HOW_MANY))
    edges: dict[Polynomial, None] = field(default_factory=dict)
    _reduced: dict[Polynomial, Polynomial] = field(default_factory=dict)
    _found: dict[Polynomial, tuple[Signs, Certificate | None]] = field(
        init=False, default_factory=dict
    )
    _facts_by_bounds: dict[int, list[Known]] = field(init=False, default_factory=dict)

    def reduced(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial, with what its variables are equal to here."""
        if not self.equal:
            return polynomial
        if polynomial not in self._reduced:
            self._reduced[polynomial] = polynomial.substituted(self._value)
        return self._reduced[polynomial]

    def _value(self, variable: Variable) -> Polynomial | None:
        if variable in self.equal:
            return self.equal[variable]
        of = self.world.definition(variable)
        if of is None:
            return None
        for zero, value in self.world.ends(variable):
            if not self.reduced(zero):
                return self.reduced(value)
        here = self.reduced(of)
        return None if here == of else self.world.positive_part(here)

    def formula(self, formula: Formula) -> Formula | None:
        """The formula, reduced; None where a divisor is found to be 0, even if the numerator is, too."""
        if not self.equal:
            return formula
        factors = [(self.reduced(f), e) for f, e in formula.powers.items()]
        result = Formula(formula.reader, formula.number)
        if any(not factor for factor, exponent in factors if exponent < 0):
            return None
        if any(not factor for factor, _ in factors):
            return Formula(formula.reader, result.number * 0)
        for factor, exponent in factors:
            power = Formula.of(formula.reader, factor)
            for _ in range(abs(exponent)):
                result = result * (power if exponent > 0 else power.inverse())
        return result

    def signs(self, polynomial: Polynomial) -> Signs:
        """The signs that a polynomial can have in this case, so far as that is found."""
        return self._signs_with_evidence(polynomial)[0]

    def evidence(self, polynomial: Polynomial) -> Certificate | None:
        """Why a polynomial has the signs that it has; None where that is plain, or nothing is known."""
        return self._signs_with_evidence(polynomial)[1]

    def _signs_with_evidence(self, polynomial: Polynomial) -> tuple[Signs, Certificate | None]:
        if polynomial not in self._found:
            self._found[polynomial] = self._find_signs(self.reduced(polynomial))
        return self._found[polynomial]

    def _find_signs(self, here: Polynomial) -> tuple[Signs, Certificate | None]:
        if here.number is not None:
            return frozenset({(here.number > 0) - (here.number < 0)}), None
        seen = self.world.samples.signs(here, self.samples)
        signs, certificate = self._certified(here, seen)
        if not signs <= seen:
            number, parts = factors(here)
            if len(parts) > 1 or parts[0][1] > 1:
                signs = signs & self._signs_of_product(number, parts)
        return signs, certificate

    def _certified(self, here: Polynomial, seen: Signs) -> tuple[Signs, Certificate | None]:
        for claim, sign in ((here, POSITIVE), (-here, NEGATIVE)):
            if not seen <= sign | ZERO:
                continue
            certificate = certificate_of(self.world, claim, self._facts())
            if certificate is not None:
                if certificate.on_an_edge:
                    self.edges[here] = None
                return sign if certificate.positive else sign | ZERO, certificate
        return ANY, None

    def _signs_of_product(
        self, number: Fraction, parts: tuple[tuple[Polynomial, int], ...]
    ) -> Signs:
        signs = frozenset({1 if number > 0 else -1})
        for part, exponent in parts:
            each = power(self.signs(part), exponent)
            signs = frozenset(one * two for one in signs for two in each)
        return signs

    def _facts(self) -> list[Known]:
        """What is known here beside what the world knows; worked out anew when that has grown."""
        count = len(self.world.bounds)
        if count not in self._facts_by_bounds:
            facts = [self._here(known) for known in self.known]
            if self.equal:
                facts += [
                    self._here(Known(bound))
                    for bound in list(self.world.bounds)
                    if self.reduced(bound) != bound
                ]
            self._facts_by_bounds[count] = [k for k in facts if not k.says_nothing]
        return self._facts_by_bounds[count]

    def _here(self, known: Known) -> Known:
        here = self.reduced(known.polynomial)
        bent = here != known.polynomial and not all(map(self.is_linear, self.equal.values()))
        return Known(here, known.positive, known.on_an_edge or bent)

    def is_impossible(self) -> Certificate | None:
        """Evidence that no table is in this case, where it is found."""
        if self.samples:
            return None
        if any(self.reduced(each).number not in (None, 0) for each in self.unsolved):
            wrong = Known(Polynomial.constant(-1))
            return contradiction([wrong])
        facts = self._facts()
        found = contradiction(facts)
        if found is None and facts:
            every = Polynomial({(v,): 1 for k in facts for v in k.polynomial.variables()})
            found = contradiction(self.world.about(every, facts))
        return found

    def where(self, polynomial: Polynomial, signs: Signs) -> "Case":
        """This case, cut down to the tables in which a polynomial has one of some signs."""
        here = self.reduced(polynomial)
        if signs == ZERO:
            return self._where_zero(here).with_implied_equations()
        if signs >= NEGATIVE:
            here, signs = -here, frozenset(-sign for sign in signs)
        fact = Known(here, ZERO.isdisjoint(signs), self._is_an_edge(here, signs))
        return self._knowing(fact).with_implied_equations()

    def with_implied_equations(self) -> "Case":
        """This case, with the equations that its linear bounds imply, as p <= q everywhere implies p = q.

        What is left of the bounds has an inner point, so that every table of the case has others of
        it near by, in which no weight of a run is 0 that is not 0 as a formula. An obligation proved
        from a bound that is never strict would prove nothing.
        """
        case = self
        while True:
            linear = case._linear_facts()
            if case._has_sample_inside(linear):
                return case
            certificate = contradiction([replace(k, positive=True) for k in linear])
            if certificate is None:
                return case
            if certificate.on_an_edge:
                case.edges[certificate.claim] = None
            zeros = [case.reduced(zero) for zero in certificate.zeros()]
            strict = {case.reduced(k.polynomial) for k in case.known if k.positive}
            if any(z in strict or z.number not in (None, 0) for z in zeros):
                return replace(case, unsolved=(*case.unsolved, Polynomial.constant(1)))
            before = case.equal
            for zero in zeros:
                case = case._where_zero(zero)
            if case.equal == before:
                return replace(case, is_bent=True)

    def _has_sample_inside(self, bounds: list[Known]) -> bool:
        """Whether a sample table is an inner point of linear bounds, by its exact entries."""
        samples, inside = self.world.samples, self.samples
        for bound in bounds:
            inside = samples.those_with(bound.polynomial, POSITIVE, inside)
        return any(all(samples.exactly(b.polynomial, t) > 0 for b in bounds) for t in inside[:1])

    def _linear_facts(self) -> list[Known]:
        """The bounds that are linear in table entries: of the tests and weights, and of the rows they are about."""
        linear = [k for k in self._facts() if self.is_linear(k.polynomial)]
        near = sorted({v for k in linear for v in k.polynomial.variables()})
        bounds = dict.fromkeys(b for v in near for b in self.world.bounds_on(v))
        rows = [Known(b) for b in bounds if self.is_linear(b) and self.reduced(b) == b]
        return [*linear, *rows]

    def where_positive(self, weight: Formula) -> "Case":
        """This case, cut down to the tables in which a weight, which is not negative, is positive."""
        case = self
        left = Polynomial.constant(weight.number)
        for factor, exponent in weight.powers.items():
            if case.signs(factor) <= ZERO | POSITIVE:
                if exponent > 0:
                    case = case._knowing(Known(case.reduced(factor), True))
            elif exponent % 2:  # an even power is positive, whatever the sign of its base
                left = left * case.reduced(factor)
        return case if left.number is not None else case._knowing(Known(left, True))

    def _knowing(self, *facts: Known) -> "Case":
        new = tuple(fact for fact in facts if not fact.says_nothing and fact not in self.known)
        samples = self.samples
        for fact in new:
            signs = POSITIVE if fact.positive else POSITIVE | ZERO
            samples = self.world.samples.those_with(fact.polynomial, signs, samples)
        if not new:
            return self
        return replace(self, known=(*self.known, *new), samples=samples)

    def _is_an_edge(self, polynomial: Polynomial, signs: Signs) -> bool:
        return signs >= ZERO and not self.is_linear(polynomial)

    def is_linear(self, polynomial: Polynomial) -> bool:
        """Whether it is of degree 1 in table entries alone."""
        return polynomial.degree <= 1 and not any(
            isinstance(self.world.meanings[v], PositivePart) for v in polynomial.variables()
        )

    def _where_zero(self, polynomial: Polynomial) -> "Case":
        samples = self.world.samples.those_with(polynomial, ZERO, self.samples)
        case = replace(self, samples=samples)
        waiting, taken_apart = [polynomial], set()
        while waiting:
            here = case.reduced(waiting.pop())
            if here.number is not None:
                case = case if here.number == 0 else replace(case, unsolved=(*case.unsolved, here))
                continue
            zeros = [] if here in taken_apart else case._zeros_of(here)
            taken_apart.add(here)
            case = case if zeros else case._solved(here)
            waiting.extend(zeros)
        return case

    def _zeros_of(self, polynomial: Polynomial) -> list[Polynomial]:
        """What must be 0 with a polynomial that is a sum of parts which are not negative."""
        for claim in (polynomial, -polynomial):
            certificate = certificate_of(self.world, claim, self._facts())
            if certificate is not None:
                if certificate.on_an_edge:
                    self.edges[claim] = None
                return [zero for zero in certificate.zeros() if zero.number is None]
        return []

    def _solved(self, polynomial: Polynomial) -> "Case":
        """This case with an equation solved for a variable, if it can be."""
        if len(polynomial.terms) == 1 and len(set(next(iter(polynomial.terms)))) == 1:
            return self._setting(next(iter(polynomial.terms))[0], Polynomial({}))
        for monomial, coefficient in sorted(polynomial.terms.items(), reverse=True):
            if len(monomial) == 1:
                (variable,) = monomial
                rest = Polynomial({m: c for m, c in polynomial.terms.items() if m != monomial})
                if variable not in self.world.behind(rest.variables()):
                    return self._setting(variable, rest.times(Fraction(-1) / coefficient))
        return replace(self, unsolved=(*self.unsolved, polynomial))

    def _setting(self, variable: Variable, value: Polynomial) -> "Case":
        def new(each: Variable) -> Polynomial | None:
            return value if each == variable else None

        equal = {v: old.substituted(new) for v, old in self.equal.items()}
        case = replace(self, equal={**equal, variable: value}, _reduced={})
        edge = not self.is_linear(value)
        facts = [Known(value, False, edge)]
        of = self.world.definition(variable)
        if of is not None:
            if value and value != case.reduced(of):
                case = replace(case, is_bent=True)
            facts.append(Known(case.reduced(value - of), False, not self.is_linear(value - of)))
        if case._leaves_a_part_without_range():
            case = replace(case, is_bent=True)
        return case._knowing(*facts)

    def _leaves_a_part_without_range(self) -> bool:
        """Whether a bound leaves a positive part no range here, in a way that no equation tells."""
        return any(
            self.reduced(shared) and not (self.reduced(a) and self.reduced(b))
            for a, b, shared in self.world.shared_ends()
        )
