"""exactspec: decides exactly whether a speculative-decoding rule emits the target's law.

A rule file needs ``algorithm``, ``Round``, ``draft_tokens``, ``residual``, ``minimum``,
``positive_part`` and ``Distribution``; a program that judges rules needs ``load``, ``parse``,
``check`` and ``Budget``; one that proves them for all tables ``Claim`` and ``prove``.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactspec.chance import Broken, Chance
    from exactspec.check.check import Result, check
    from exactspec.distribution import Distribution, excess, residual, total_variation
    from exactspec.errors import ExactspecError, ModelError, RuleError
    from exactspec.expand.budget import Budget
    from exactspec.model.context import Context
    from exactspec.model.load import load, parse
    from exactspec.model.scenario import Scenario
    from exactspec.model.table import Model
    from exactspec.numbers import minimum, positive_part
    from exactspec.prove.claim import Claim
    from exactspec.prove.proof import Limits, Proof, prove
    from exactspec.rule import Algorithm, Round, algorithm, draft_tokens

__version__ = "0.1.0"

__all__ = [
    "Algorithm",
    "Broken",
    "Budget",
    "Chance",
    "Claim",
    "Context",
    "Distribution",
    "ExactspecError",
    "Limits",
    "Model",
    "ModelError",
    "Proof",
    "Result",
    "Round",
    "RuleError",
    "Scenario",
    "algorithm",
    "check",
    "draft_tokens",
    "excess",
    "load",
    "minimum",
    "parse",
    "positive_part",
    "prove",
    "residual",
    "total_variation",
]

_HOMES = {
    "exactspec.chance": ("Broken", "Chance"),
    "exactspec.check.check": ("Result", "check"),
    "exactspec.distribution": ("Distribution", "excess", "residual", "total_variation"),
    "exactspec.errors": ("ExactspecError", "ModelError", "RuleError"),
    "exactspec.expand.budget": ("Budget",),
    "exactspec.model.context": ("Context",),
    "exactspec.model.load": ("load", "parse"),
    "exactspec.model.scenario": ("Scenario",),
    "exactspec.model.table": ("Model",),
    "exactspec.numbers": ("minimum", "positive_part"),
    "exactspec.prove.claim": ("Claim",),
    "exactspec.prove.proof": ("Limits", "Proof", "prove"),
    "exactspec.rule": ("Algorithm", "Round", "algorithm", "draft_tokens"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``exactspec --help`` stays fast."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'exactspec' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


class _Package(ModuleType):
    """Keeps ``exactspec.check`` the function: importing the folder of that name would replace it."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
