"""The tables that an audit tries by default: pairs in general position, and the special cases.

One pair is not enough: a wrong sampler can agree with the target on it by accident. Each row depends
on the last three tokens, so that a row read one position too early or too late shows; several tokens
have residual mass under a peaked draft, so that a wrong residual shows. All denominators are 16: the
probabilities themselves are floats without rounding. The entries are fixed, written by a hash.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import count, product

from exactspec.distribution import Distribution
from exactspec.model.context import START, Key
from exactspec.model.scenario import Scenario
from exactspec.model.table import Model

PARTS = 16
_ORDER = 3
_TOKENS = "0123"
Weights = Callable[[str, int], list[int]]


@cache
def portfolio() -> tuple[Scenario, ...]:
    """The default tables, each with a title that says what it is for."""
    return (
        _scenario("rows that depend on the prefix", 3, _anywhere, _anywhere),
        _scenario("a peaked draft", 3, _anywhere, _peaked),
        _scenario("a peaked draft, four tokens", 4, _anywhere, _peaked),
        _scenario("zeros in the target", 3, _with_a_zero, _anywhere),
        _scenario("zeros in the draft", 3, _anywhere, _with_a_zero),
        _scenario("zeros in both", 4, _with_a_zero, _with_a_zero),
        _scenario("a draft that is certain", 3, _anywhere, _one_hot),
        _scenario("equal rows", 3, _anywhere, None),
        _scenario("two tokens", 2, _anywhere, _anywhere),
        _scenario("an end token", 3, _anywhere, _anywhere, end="2"),
    )


def _scenario(
    title: str, size: int, target: Weights, draft: Weights | None, end: str | None = None
) -> Scenario:
    vocabulary = tuple(_TOKENS[:size])
    wanted = _model("target", f"{title}: target", target, vocabulary, end)
    drafted = _model("draft", f"{title}: draft", draft, vocabulary, end) if draft else wanted
    return Scenario(
        wanted, drafted, vocabulary, draft_length=2, end=end, prompt=("0",), title=title
    )


def _model(
    name: str, seed: str, weights: Weights, vocabulary: tuple[str, ...], end: str | None
) -> Model:
    rows = {}
    for key in _keys(vocabulary):
        if end is None or end not in key:
            row = weights(f"{seed}: {key}", len(vocabulary))
            shares = zip(vocabulary, row, strict=True)
            rows[key] = Distribution({token: Fraction(part, PARTS) for token, part in shares})
    return Model(rows, name=name, end=end)


def _keys(vocabulary: tuple[str, ...]) -> Iterator[Key]:
    """Every history of fewer than so many tokens, and every ending of that length."""
    for length in range(_ORDER):
        for tokens in product(vocabulary, repeat=length):
            yield (START, *tokens)
    yield from product(vocabulary, repeat=_ORDER)


def _anywhere(seed: str, size: int) -> list[int]:
    """Positive weights anywhere."""
    return next(row for row in _rows(seed, size) if min(row) > 0)


def _with_a_zero(seed: str, size: int) -> list[int]:
    """Weights of which one or more are 0."""
    return next(row for row in _rows(seed, size) if min(row) == 0)


def _peaked(seed: str, size: int) -> list[int]:
    """Nearly all weight on one token."""
    return _one_at(seed, [1] * size, PARTS - size + 1)


def _one_hot(seed: str, size: int) -> list[int]:
    """All weight on one token."""
    return _one_at(seed, [0] * size, PARTS)


def _one_at(seed: str, row: list[int], weight: int) -> list[int]:
    row[_bytes(seed)[0] % len(row)] = weight
    return row


def _rows(seed: str, size: int) -> Iterator[list[int]]:
    """Weights that sum to ``PARTS``, one after another."""
    for number in count():
        cuts = sorted(byte % (PARTS + 1) for byte in _bytes(f"{seed}, {number}")[: size - 1])
        ends = zip([0, *cuts], [*cuts, PARTS], strict=True)
        yield [high - low for low, high in ends]


def _bytes(seed: str) -> bytes:
    return sha256(seed.encode()).digest()
