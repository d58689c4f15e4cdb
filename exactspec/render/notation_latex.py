r"""Formulas of a proof as LaTeX: ``\frac{\min(p(x), q(x))}{q(x)}``."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from exactspec.prove.symbols import Beta, Least, Plus, Quotient, Sum, Symbol, Term, Total
from exactspec.prove.world import Entry
from exactspec.text import fraction_text, visible

_LETTERS = {"target": "p", "draft": "q"}
_ESCAPES = {
    **{character: f"\\{character}" for character in "#$%&_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}"},
    **{"`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "-": "{-}"},
}


def escaped(text: str) -> str:
    r"""A text in which LaTeX finds no command; what is not ASCII is written as an escape.

    >>> print(escaped("a_b\\input{x}"))
    a\_b\textbackslash{}input\{x\}
    """
    ascii_only = visible(text).encode("ascii", "backslashreplace").decode("ascii")
    return "".join(_ESCAPES.get(character, character) for character in ascii_only)


def typewriter(text: str) -> str:
    """A name from the program, in typewriter."""
    return rf"\texttt{{{escaped(text)}}}"


def place_latex(tokens: Iterable[str], vocabulary: Sequence[str]) -> str:
    """Tokens one after another: a token of the vocabulary in typewriter, a letter in italics."""
    return r"\,".join(_token(token, vocabulary) for token in tokens)


def _token(token: str, vocabulary: Sequence[str]) -> str:
    if token in vocabulary:
        return typewriter(token)
    return token if len(token) == 1 else f"{token[0]}_{{{escaped(token[1:])}}}"


class LatexNotation:
    """Writes formulas over one vocabulary; every other name in them is a letter for any token."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._vocabulary = vocabulary

    def sum(self, whole: Sum) -> str:
        """A sum: the first sign only where it is a minus."""
        if not whole:
            return "0"
        first, *rest = whole
        text = ("-" if first[0] < 0 else "") + self._term(first)
        return text + "".join((" - " if t[0] < 0 else " + ") + self._term(t) for t in rest)

    def _term(self, term: Term) -> str:
        number, symbols = abs(term[0]), term[1]
        names = [self._in_product(symbol, len(symbols)) for symbol in symbols]
        powers = [_power(name, names.count(name)) for name in dict.fromkeys(names)]
        if not symbols:
            return _number(number)
        return r"\,".join(([] if number == 1 else [_number(number)]) + powers)

    def _in_product(self, symbol: Symbol, factors: int) -> str:
        text = self.symbol(symbol)
        return rf"\bigl({text}\bigr)" if factors > 1 and isinstance(symbol, Total) else text

    def symbol(self, symbol: Symbol) -> str:
        """A table entry, a minimum, a positive part, a sum over all tokens."""
        if isinstance(symbol, Entry):
            after = rf" \mid h\,{self._place(symbol.after)}" if symbol.after else ""
            return f"{_LETTERS[symbol.table]}({self._place([symbol.token])}{after})"
        if isinstance(symbol, Beta):
            return rf"\beta(h\,{self._place(symbol.after)})" if symbol.after else r"\beta"
        if isinstance(symbol, Plus):
            return rf"\bigl[{self.sum(symbol.of)}\bigr]_+"
        if isinstance(symbol, Least):
            return rf"\min\bigl({self.sum(symbol.one)},\, {self.sum(symbol.other)}\bigr)"
        return rf"\textstyle\sum_{{{self._place([symbol.letter])}}} {self._factor(symbol.of)}"

    def _place(self, tokens: Iterable[str]) -> str:
        return place_latex(tokens, self._vocabulary)

    def quotient(self, quotient: Quotient) -> str:
        """A product of sums over another one."""
        above = self._product(quotient.number.numerator, quotient.above)
        if quotient.number.denominator == 1 and not quotient.below:
            return above
        below = self._product(quotient.number.denominator, quotient.below)
        return rf"\frac{{{above}}}{{{below}}}"

    def _product(self, number: int, factors: Sequence[tuple[Sum, int]]) -> str:
        if number == 1 and len(factors) == 1 and factors[0][1] == 1:
            return self.sum(factors[0][0])
        parts = [] if number == 1 and factors else [_number(Fraction(number))]
        parts += [_power(self._factor(whole), exponent) for whole, exponent in factors]
        return r"\,".join(parts)

    def _factor(self, whole: Sum) -> str:
        return self.sum(whole) if len(whole) == 1 else rf"\bigl({self.sum(whole)}\bigr)"


def _power(name: str, exponent: int) -> str:
    return name if exponent == 1 else f"{{{name}}}^{{{exponent}}}"


def _number(number: Fraction) -> str:
    if number.denominator == 1:
        return fraction_text(number)
    above, below = fraction_text(number).split("/")
    return rf"\tfrac{{{above}}}{{{below}}}"
