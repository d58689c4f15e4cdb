"""The three words, each with its scope."""

from dataclasses import dataclass
from fractions import Fraction

from exactspec.chance import Token
from exactspec.expand.tree import SequencePath


@dataclass(frozen=True)
class Scope:
    """What a verdict speaks of: this model up to a horizon, or at every horizon.

    Args:
        horizon: None for every horizon.
        reason: why not every horizon, where that is so.
    """

    horizon: int | None
    reason: str | None = None

    def __str__(self) -> str:
        return "at every horizon" if self.horizon is None else f"to horizon {self.horizon}"


@dataclass(frozen=True)
class Counterexample:
    """A shortest string with which sequences begin with another probability than wanted.

    Args:
        tokens: the string.
        got: the probability that an emitted sequence begins with it.
        want: the same for the target.
        paths: the paths that emit it, the largest first; None where they are too many to list.
    """

    tokens: tuple[Token, ...]
    got: Fraction
    want: Fraction
    paths: tuple[SequencePath, ...] | None

    @property
    def difference(self) -> Fraction:
        return self.got - self.want


@dataclass(frozen=True)
class Lossless:
    """Every output sequence has exactly the target's probability, within the scope."""

    scope: Scope
    word = "lossless"

    @property
    def extent(self) -> str:
        """Where it holds, in words."""
        return str(self.scope)


@dataclass(frozen=True)
class Lossy:
    """Some output sequence has another probability than the target's.

    Args:
        scope: how far was looked.
        counterexample: a shortest one, confirmed by enumerating its paths.
        lossless_to: the horizon up to which the laws agree, where the file's horizon lies before
            the first difference.
    """

    scope: Scope
    counterexample: Counterexample
    lossless_to: int | None = None
    word = "lossy"

    @property
    def extent(self) -> str:
        """Where the laws differ, in words: at every horizon that a shortest counterexample fits in."""
        return f"from horizon {len(self.counterexample.tokens)} on"


@dataclass(frozen=True)
class Undecided:
    """A limit was reached, or the states are not finitely many and no horizon was given.

    Args:
        reason: why it is not decided.
        hint: what may help.
        limit: the limit's name, where one was reached.
    """

    reason: str
    hint: str
    limit: str | None = None
    word = "undecided"


Verdict = Lossless | Lossy | Undecided
