"""How many of some truth values hold, known no further than somebody has asked."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exactspec.audit.comparison import OPERATORS, compare, holds
from exactspec.audit.symbols import Symbol, is_discrete
from exactspec.audit.world import Deferred


def truth(value: Any) -> bool:
    """A truth value, decided now."""
    if isinstance(value, Symbol):
        return holds(compare("ne", value, Fraction(0)))
    return bool(value.look() if is_discrete(value) else value)


class Count(Deferred):
    """How many of the first so many truth values hold."""

    __slots__ = ("_truths",)

    def __init__(self, truths: Sequence[Any]) -> None:
        self._truths = truths
        super().__init__(lambda: sum(map(truth, truths)))

    def compared(self, name: str, bound: Fraction) -> Deferred:
        """A comparison with a number: the truth values behind those that settle it stay open."""
        return Deferred(lambda: self._is(name, bound))

    def _is(self, name: str, bound: Fraction) -> bool:
        operator = OPERATORS[name]
        least, most = 0, len(self._truths)
        for value in self._truths:
            if name not in ("eq", "ne") and operator(least, bound) == operator(most, bound):
                break
            holds = truth(value)
            least, most = least + holds, most - (not holds)
        return bool(operator(least, bound))
