"""The one door to randomness of a rule: whatever is random in it is asked of a ``Chance``.

A draw stays undecided until the rule looks at it, so a residual or bonus token that a rule only
returns never branches the tree.
"""

from exactspec.chance.door import Chance
from exactspec.chance.draws import Broken, Draw, Token, draws_in, is_decided, plain
from exactspec.chance.shared import Race, Uniform

__all__ = [
    "Broken",
    "Chance",
    "Draw",
    "Race",
    "Token",
    "Uniform",
    "draws_in",
    "is_decided",
    "plain",
]
