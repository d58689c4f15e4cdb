"""Names that are nearly the same: a word that was meant, and tokens that a person can't tell apart.

Tokens that look alike stay different tokens, with a warning.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator

from exactspec.text import VARIATION_SELECTORS, brief, show

_LONGEST_WORD = 64
_MOST_WORDS = 2_000
_MOST_CODE_POINTS = 12
_SAME_LOOK = ("<wide>", "<narrow>", "<noBreak>", "<compat>", "<font>")

_LOOKALIKES = str.maketrans(
    dict(
        zip(
            "аеорсухіјѕԁһԛԝАВЕКМНОРСТХУІЈЅαονρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
            "aeopcyxijsdhqwABEKMHOPCTXYIJSaovpABEZHIKMNOPTYX",
            strict=True,
        )
    )
)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The nearest known word as a hint, if one is near; none where looking would take long.

    >>> did_you_mean("horizen", ["horizon", "target"])
    'did you mean horizon?'
    """
    words = list(known)
    if len(word) > _LONGEST_WORD or len(words) > _MOST_WORDS:
        return None
    near = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {brief(near[0])}?" if near else None


def hard_to_tell_apart(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of different names that look alike: other normal forms, letters, invisible characters.

    >>> list(hard_to_tell_apart(["a", "b", "\u0430"]))
    [('a', 'а')]
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(_skeleton(name), name)
        if other != name:
            yield other, name


def has_hidden_characters(name: str) -> bool:
    """Whether a name holds characters that don't show, or blanks at its end."""
    return show(name).replace("\\\\", "\\") != name or name != name.rstrip()


def code_points(name: str) -> str:
    """A name's characters by number, the first ones of a long name.

    >>> code_points("é")
    'U+00E9'
    """
    points = " ".join(f"U+{ord(character):04X}" for character in name[:_MOST_CODE_POINTS])
    return points + (" ..." if len(name) > _MOST_CODE_POINTS else "")


def _skeleton(name: str) -> str:
    visible = "".join(map(_as_it_looks, unicodedata.normalize("NFC", name)))
    return visible.translate(_LOOKALIKES).strip()


def _as_it_looks(character: str) -> str:
    """A character without what can't be seen: its width, its font; nothing where it doesn't show."""
    if unicodedata.category(character) in ("Cf", "Cc") or character in VARIATION_SELECTORS:
        return ""
    kind = unicodedata.decomposition(character).partition(" ")[0]
    return unicodedata.normalize("NFKC", character) if kind in _SAME_LOOK else character
