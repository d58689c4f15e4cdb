"""Token names that a person can't tell apart: they stay different tokens, with a warning."""

import unicodedata
from collections.abc import Iterable, Iterator

from exactspec.text import show

_LOOKALIKES = str.maketrans(
    dict(
        zip(
            "аеорсухіјѕԁһԛԝАВЕКМНОРСТХУІЈЅαονρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
            "aeopcyxijsdhqwABEKMHOPCTXYIJSaovpABEZHIKMNOPTYX",
            strict=True,
        )
    )
)


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
    """Whether a name holds characters that don't show, or blanks at an end."""
    return show(name).replace("\\\\", "\\") != name or name != name.strip()


def code_points(name: str) -> str:
    """A name's characters by number.

    >>> code_points("é")
    'U+00E9'
    """
    return " ".join(f"U+{ord(character):04X}" for character in name)


def _skeleton(name: str) -> str:
    visible = "".join(c for c in name if unicodedata.category(c) not in ("Cf", "Cc"))
    return unicodedata.normalize("NFKC", visible).translate(_LOOKALIKES).strip()
