"""Formulas of a proof as text: ``min(p(a), q(a)) p(b | h a) / q(a)``."""

from collections.abc import Sequence
from fractions import Fraction

from exactspec.prove.symbols import Beta, Least, Plus, Quotient, Sum, Symbol, Term, Total
from exactspec.prove.world import Entry
from exactspec.text import fraction_text, show_token, show_tokens

_LETTERS = {"target": "p", "draft": "q"}


def sum_text(whole: Sum) -> str:
    """A sum: the first sign only where it is a minus."""
    if not whole:
        return "0"
    first, *rest = whole
    text = ("-" if first[0] < 0 else "") + _term_text(first)
    for term in rest:
        text += (" - " if term[0] < 0 else " + ") + _term_text(term)
    return text


def _term_text(term: Term) -> str:
    number, symbols = abs(term[0]), term[1]
    names = _powers([_in_product(symbol, len(symbols)) for symbol in symbols])
    if not symbols:
        return fraction_text(number)
    return " ".join(([] if number == 1 else [fraction_text(number)]) + names)


def _in_product(symbol: Symbol, factors: int) -> str:
    text = symbol_text(symbol)
    return f"({text})" if factors > 1 and isinstance(symbol, Total) else text


def _powers(names: Sequence[str]) -> list[str]:
    counts = dict.fromkeys(names, 0)
    for name in names:
        counts[name] += 1
    return [name if count == 1 else f"{name}^{count}" for name, count in counts.items()]


def symbol_text(symbol: Symbol) -> str:
    """A table entry, a minimum, a positive part, a sum over all tokens."""
    if isinstance(symbol, Entry):
        after = f" | h {show_tokens(symbol.after)}" if symbol.after else ""
        return f"{_LETTERS[symbol.table]}({show_token(symbol.token)}{after})"
    if isinstance(symbol, Beta):
        return f"β(h {show_tokens(symbol.after)})" if symbol.after else "β"
    if isinstance(symbol, Plus):
        return f"[{sum_text(symbol.of)}]+"
    if isinstance(symbol, Least):
        return f"min({sum_text(symbol.one)}, {sum_text(symbol.other)})"
    return f"Σ_{symbol.letter} {_bracketed(symbol.of)}"


def _bracketed(whole: Sum) -> str:
    return sum_text(whole) if len(whole) == 1 else f"({sum_text(whole)})"


def quotient_text(quotient: Quotient) -> str:
    """A product of sums over another one."""
    number, above, below = quotient.number, quotient.above, quotient.below
    if number == 1 and not below and len(above) == 1 and above[0][1] == 1:
        return sum_text(above[0][0])
    over = _product_text(number.numerator, above)
    if number.denominator == 1 and not below:
        return over
    under = _product_text(number.denominator, below)
    alone = number.denominator == 1 and len(below) == 1 and below[0][1] == 1
    is_closed = not below or (alone and (_is_one_symbol(below[0][0]) or under[:1] == "("))
    return f"{over} / {under}" if is_closed else f"{over} / ({under})"


def _is_one_symbol(whole: Sum) -> bool:
    """Whether a sum needs no brackets as a factor, nor as a divisor."""
    return len(whole) == 1 and len(whole[0][1]) == 1 and not isinstance(whole[0][1][0], Total)


def _product_text(number: int, factors: Sequence[tuple[Sum, int]]) -> str:
    parts = [] if number == 1 and factors else [fraction_text(Fraction(number))]
    alone = not parts and len(factors) == 1 and factors[0][1] == 1
    for whole, exponent in factors:
        text = sum_text(whole) if alone and len(whole) == 1 else factor_text(whole)
        parts.append(text if exponent == 1 else f"{text}^{exponent}")
    return " ".join(parts)


def factor_text(whole: Sum) -> str:
    """A sum as a factor: in brackets where it has several terms, or sums over tokens."""
    return sum_text(whole) if len(whole) == 1 and not _has_total(whole) else f"({sum_text(whole)})"


def _has_total(whole: Sum) -> bool:
    return any(isinstance(symbol, Total) for symbol in whole[0][1])
