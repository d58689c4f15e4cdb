"""One output sequence: all its paths with their factors, and their sum as an expression to evaluate."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from exactspec.chance import Token
from exactspec.errors import InternalError, ModelError
from exactspec.expand.automaton import Emitted, Wanted
from exactspec.expand.rounds import Rounds
from exactspec.expand.tree import SequencePath, SequencePaths
from exactspec.model.table import MissingRow


@dataclass(frozen=True)
class SequenceProof:
    """How a sequence gets its probability.

    Args:
        tokens: the sequence.
        ended: whether exactly this sequence is meant, which ends here, or all that begin with it.
        paths: every path, the largest first.
        expression: the sum of the products of their factors, a SymPy expression that is not evaluated.
        got: its value.
        target_factors: the target's probability of each token after those before it.
        want: their product.
    """

    tokens: tuple[Token, ...]
    ended: bool
    paths: tuple[SequencePath, ...]
    expression: Any
    got: Fraction
    target_factors: tuple[Fraction, ...]
    want: Fraction


def sequence_proof(rounds: Rounds, tokens: tuple[Token, ...], most_nodes: int) -> SequenceProof:
    """Enumerate the paths of one sequence, and evaluate their sum with SymPy.

    Args:
        rounds: the expanded rounds.
        tokens: the sequence; one that ends with the end token is meant as a whole, any other as
            the beginning of sequences.
        most_nodes: the size of a tree that may be built.

    Raises:
        ModelError: where the wanted law has no row along the sequence.
        InternalError: where the sum is not what the rounds' automaton gives.
    """
    ended = rounds.scenario.target.ends(tokens)
    found = SequencePaths(rounds, most_nodes).emitting(tokens, ended=ended)
    paths = tuple(sorted(found, key=lambda path: path.mass, reverse=True))
    expression = _sum_of_products(paths)
    value = expression.doit()
    got = Fraction(int(value.p), int(value.q))
    emitted = Emitted(rounds)
    beyond = [(*tokens, token) for token in rounds.alphabet] if ended else []
    by_automaton = emitted.prefix_probability(tokens) - sum(map(emitted.prefix_probability, beyond))
    if got != by_automaton:
        raise InternalError("the paths of a sequence don't sum to its probability")
    prefixes = _wanted_prefixes(rounds, tokens)
    factors = tuple(
        after / before if before else Fraction(0) for before, after in pairwise(prefixes)
    )
    return SequenceProof(tokens, ended, paths, expression, got, factors, prefixes[-1])


def _wanted_prefixes(rounds: Rounds, tokens: tuple[Token, ...]) -> list[Fraction]:
    """The wanted probability of each beginning of a sequence, from the empty one on."""
    wanted = Wanted(rounds.scenario, rounds.wanted)
    try:
        return [wanted.prefix_probability(tokens[:length]) for length in range(len(tokens) + 1)]
    except MissingRow as missing:
        raise ModelError([missing.diagnostic]) from None


def _sum_of_products(paths: tuple[SequencePath, ...]) -> Any:
    from sympy import Add, Integer, Mul, Rational  # here, because the import is slow

    products = [
        Mul(*(Rational(f.numerator, f.denominator) for f in path.factors), evaluate=False)
        if path.factors
        else Integer(1)
        for path in paths
    ]
    return Add(*products, evaluate=False)
