"""Names and exact numbers as text: the only way that data reaches a person's terminal.

Names come from files and are never trusted: whatever is not plainly printable is shown as an
escape that reads back. Numbers are exact, however long they are.
"""

import unicodedata
from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction
from numbers import Rational

_CHUNK_DIGITS = 4000
_CHUNK = 10**_CHUNK_DIGITS
_LONGEST_SHOWN = 60
_LONGEST_CUT = 40
# Letters and symbols by their category that have no ink: Hangul fillers, a joiner, an empty braille cell.
_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
VARIATION_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})


def show(name: str) -> str:
    r"""A name with each invisible character as an escape, so that it can be told apart and read back.

    >>> print(show("red[/]"), show("bell\a"), show("back\\slash"), show("zero\u200bwidth"))
    red[/] bell\x07 back\\slash zero\u200bwidth
    """
    return visible(name.replace("\\", "\\\\"))


def visible(text: str) -> str:
    r"""A text that quotes names already shown: what still would not show becomes an escape.

    A mark that combines with the character in front is escaped where there is none.

    >>> print(visible("a message\nwith a bell\a"))
    a message\x0awith a bell\x07
    """
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(_escape(c) if _is_hidden(c) else c for c in text)
    first = shown[:1]
    return _escape(first) + shown[1:] if unicodedata.category(first or " ")[0] == "M" else shown


def _is_hidden(character: str) -> bool:
    if character == " ":
        return False
    return character in _BLANK or unicodedata.category(character) in _HIDDEN_CATEGORIES


def _escape(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def show_token(token: str) -> str:
    r"""A token's name, in double quotes where it could be taken for two or for a part of one.

    >>> print(show_token("new york"), show_token('"'))
    "new york" "\""
    """
    shown = show(token)
    if shown and " " not in shown and '"' not in shown:
        return shown
    quoted = shown.replace('"', '\\"')
    return f'"{quoted}"'


def brief(token: str) -> str:
    """A token's name for a message: a long one is cut, with its length.

    >>> brief("new york"), brief("x" * 5000)
    ('"new york"', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... (5,000 characters)')
    """
    if len(token) <= _LONGEST_SHOWN:
        return show_token(token)
    return f"{show(token[:_LONGEST_CUT])}... ({len(token):,} characters)"


def show_tokens(tokens: Iterable[str], empty: str = "(nothing)") -> str:
    """Token names with a space between them.

    >>> show_tokens(("the", "new york"))
    'the "new york"'
    """
    return " ".join(map(show_token, tokens)) or empty


def integer_text(number: int) -> str:
    """All decimal digits of an integer, also beyond the length at which Python's ``str`` refuses.

    >>> len(integer_text(10**20000))
    20001
    """
    if number < 0:
        return "-" + integer_text(-number)
    chunks: list[str] = []
    while number >= _CHUNK:
        number, low = divmod(number, _CHUNK)
        chunks.append(str(low).zfill(_CHUNK_DIGITS))
    return "".join([str(number), *reversed(chunks)])


def fraction_text(number: Fraction) -> str:
    """An exact rational as ``p/q``, or as ``p`` where it is whole.

    >>> fraction_text(Fraction(2, 6)), fraction_text(Fraction(4, 2))
    ('1/3', '2')
    """
    if not isinstance(number, Rational):
        return "a formula"
    if number.denominator == 1:
        return integer_text(number.numerator)
    return f"{integer_text(number.numerator)}/{integer_text(number.denominator)}"


def short_fraction_text(number: Fraction, longest: int = _LONGEST_SHOWN) -> str:
    """An exact rational for a narrow column: long ones are cut, with their number of digits.

    Args:
        number: any rational.
        longest: how many characters are not long yet.

    >>> short_fraction_text(Fraction(1, 3))
    '1/3'
    >>> short_fraction_text(Fraction(1, 10**99))
    '1/100000000000..., 101 digits'
    """
    whole = fraction_text(number)
    if len(whole) <= longest:
        return whole
    digits = sum(character.isdigit() for character in whole)
    return f"{whole[:14]}..., {digits:,} digits"


def decimal_text(number: Fraction, places: int = 4) -> str:
    """The decimal to show beside a fraction, rounded half up; ``=`` where nothing is lost, else ``~``.

    >>> decimal_text(Fraction(1, 2)), decimal_text(Fraction(1, 6)), decimal_text(Fraction(-1, 6))
    ('= 0.5', '~ 0.1667', '~ -0.1667')
    """
    scale = 10**places
    scaled = (abs(number) * scale * 2 + 1) // 2
    sign = "-" if number < 0 and scaled else ""
    whole, part = divmod(scaled, scale)
    digits = str(part).zfill(places).rstrip("0")
    exact = Fraction(scaled, scale) == abs(number)
    if not exact and not scaled:
        return f"{'~ -' if number < 0 else '~ '}0"
    text = f"{sign}{integer_text(whole)}" + (f".{digits}" if digits else "")
    return f"{'=' if exact else '~'} {text}"


def rounded_text(number: Fraction) -> str:
    """A rational as a decimal of four digits, also where it is tiny.

    >>> rounded_text(Fraction(1, 2)), rounded_text(Fraction(2, 3)), rounded_text(Fraction(1, 3 * 10**9))
    ('= 0.5', '~ 0.6667', '~ 3.333e-10')
    """
    if number == 0 or abs(number) >= Fraction(1, 1000):
        return decimal_text(number)
    digits = Context(prec=4).divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"~ {digits.normalize():e}"


def fraction_and_decimal(number: Fraction) -> str:
    """The exact fraction first, a decimal in brackets behind it.

    >>> fraction_and_decimal(Fraction(259, 240))
    '259/240 (~ 1.0792)'
    >>> fraction_and_decimal(Fraction(2))
    '2'
    """
    if number.denominator == 1:
        return short_fraction_text(number)
    return f"{short_fraction_text(number)} ({decimal_text(number)})"


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "path"), counted(1200, "path")
    ('1 path', '1,200 paths')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
