"""What a formula is written with: table entries, minima, positive parts, sums over all tokens."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from exactspec.prove.world import Entry

_LETTERS = "xyzuvw"


@dataclass(frozen=True)
class Plus:
    """The positive part of a sum."""

    of: "Sum"


@dataclass(frozen=True)
class Least:
    """The smaller of two sums."""

    one: "Sum"
    other: "Sum"


@dataclass(frozen=True)
class Beta:
    """The rejection probability of one position: the sum over x of [p(x) - q(x)]+ behind some tokens."""

    after: tuple[str, ...]


@dataclass(frozen=True)
class Total:
    """The sum over all tokens in the place of a letter."""

    letter: str
    of: "Sum"


Symbol = Entry | Plus | Least | Beta | Total
Term = tuple[Fraction, tuple[Symbol, ...]]
Sum = tuple[Term, ...]


@dataclass(frozen=True)
class Quotient:
    """A number times sums to some powers, over others."""

    number: Fraction
    above: tuple[tuple[Sum, int], ...]
    below: tuple[tuple[Sum, int], ...] = ()


def single(symbol: Symbol) -> Sum:
    """A symbol as a sum."""
    return ((Fraction(1), (symbol,)),)


def minus(one: Sum, other: Sum) -> Sum:
    """The difference of two sums, as it is written."""
    return (*one, *opposite(other))


def opposite(whole: Sum) -> Sum:
    """A sum with the other signs."""
    return tuple((-number, symbols) for number, symbols in whole)


def ordered(whole: Iterable[Term]) -> Sum:
    """Positive terms first, then by what they hold."""
    terms = ((number, tuple(sorted(symbols, key=_rank))) for number, symbols in whole)
    return tuple(sorted(terms, key=lambda term: (term[0] < 0, order((term,)))))


def order(whole: Sum) -> tuple[object, ...]:
    """What sums are sorted by."""
    return tuple((len(symbols), tuple(map(_rank, symbols))) for _, symbols in whole)


def least(one: Sum, other: Sum) -> Least:
    """The smaller of two sums, the one with more of the target in it first."""
    first, second = sorted((one, other), key=lambda whole: (_drafts(whole), order(whole)))
    return Least(first, second)


def _drafts(whole: Sum) -> int:
    drafts = (s for _, symbols in whole for s in symbols if isinstance(s, Entry | Beta))
    return sum(isinstance(symbol, Beta) or symbol.table == "draft" for symbol in drafts)


def _rank(symbol: Symbol) -> tuple[object, ...]:
    if isinstance(symbol, Entry):
        return (1, len(symbol.after), symbol.after, symbol.token, symbol.table)
    if isinstance(symbol, Beta):
        return (2, len(symbol.after), symbol.after, "", "")
    entries = entries_of(symbol)
    return (0, len(entries), tuple((*e.after, e.token) for e in entries), "", type(symbol).__name__)


def inner(symbol: Symbol) -> tuple[Sum, ...]:
    """The sums that a symbol is made of."""
    if isinstance(symbol, Entry | Beta):
        return ()
    return (symbol.one, symbol.other) if isinstance(symbol, Least) else (symbol.of,)


def entries_of(symbol: Symbol) -> tuple[Entry, ...]:
    """The table entries in a symbol, from the left."""
    if isinstance(symbol, Entry):
        return (symbol,)
    return tuple(e for whole in inner(symbol) for e in entries_in(whole))


def entries_in(whole: Sum) -> tuple[Entry, ...]:
    """The table entries in a sum, from the left."""
    return tuple(e for _, symbols in whole for symbol in symbols for e in entries_of(symbol))


def _places(whole: Sum) -> list[tuple[str, ...]]:
    """The tokens of each entry, and of each β, by their positions behind the context."""
    found: list[tuple[str, ...]] = []
    waiting = [symbol for _, symbols in whole for symbol in symbols]
    while waiting:
        symbol = waiting.pop()
        if isinstance(symbol, Entry):
            found.append((*symbol.after, symbol.token))
        elif isinstance(symbol, Beta):
            found.append(symbol.after)
        else:
            waiting += [s for part in inner(symbol) for _, symbols in part for s in symbols]
    return found


def tokens_at(whole: Sum, position: int) -> frozenset[str]:
    """The tokens that entries of a sum have at a position behind the context."""
    return frozenset(place[position] for place in _places(whole) if len(place) > position)


def renamed(whole: Sum, position: int, names: Mapping[str, str]) -> Sum:
    """A sum with tokens of one position renamed."""
    return ordered(
        (n, tuple(_renamed(s, position, names) for s in symbols)) for n, symbols in whole
    )


def _renamed(symbol: Symbol, position: int, names: Mapping[str, str]) -> Symbol:
    if isinstance(symbol, Entry | Beta):
        after = tuple(names.get(t, t) if i == position else t for i, t in enumerate(symbol.after))
        if isinstance(symbol, Beta):
            return Beta(after)
        here = len(after) == position
        return Entry(
            symbol.table, after, names.get(symbol.token, symbol.token) if here else symbol.token
        )
    if isinstance(symbol, Least):
        return Least(*(renamed(whole, position, names) for whole in inner(symbol)))
    return replace(symbol, of=renamed(symbol.of, position, names))


def summed_letter(vocabulary: Collection[str]) -> str:
    """A letter to sum over: t, or t0 where a token has that name."""
    return "t" if "t" not in vocabulary else "t0"


def letter_for(position: int, vocabulary: Collection[str]) -> str:
    """A letter for any token at a position: x, y, z; with a number where a token has that name."""
    letters = [letter for letter in _LETTERS if letter not in vocabulary]
    return letters[position] if position < len(letters) else f"x{position + 1}"


def generalised(
    sums: Sequence[Sum], vocabulary: Collection[str], only: Collection[str] | None = None
) -> list[Sum]:
    """Sums with a letter in each position where all of them speak of one token only.

    Args:
        sums: which.
        vocabulary: all tokens.
        only: the tokens that a letter may stand for; all of them by default.
    """
    only = vocabulary if only is None else only
    deepest = max((len(place) for whole in sums for place in _places(whole)), default=0)
    for position in range(deepest):
        every = frozenset().union(*(tokens_at(whole, position) for whole in sums))
        tokens = every & set(vocabulary)
        if len(tokens) == 1 and tokens <= set(only):
            names = dict.fromkeys(tokens, letter_for(position, vocabulary))
            sums = [renamed(whole, position, names) for whole in sums]
    return list(sums)
