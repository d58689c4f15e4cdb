"""Adapters: samplers of published packages, ready to be audited as they are installed.

An adapter is a module of this folder that names a ``PACKAGE``; the user calls it by its file's name,
with hyphens. It imports its package only when it runs, and has:

- a docstring, whose first line says what is audited;
- ``PACKAGE``: the name by which pip knows the package;
- ``VERSIONS``: the versions that it was tried with; with any other it is not run;
- ``TRITON = True``, if the package launches kernels of Triton, which have to be interpreted;
- ``step(block)``, one verification step that returns the emitted token ids, or
- ``sequences(tables, length, drafts)``, a whole loop that returns the ids behind the prompt, or both.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from exactspec.audit.block import Block
from exactspec.audit.program import Program
from exactspec.audit.sources import interpreter
from exactspec.audit.tables import Tables
from exactspec.errors import AuditError, Diagnostic, Fault
from exactspec.model.names import did_you_mean
from exactspec.text import show


@dataclass(frozen=True)
class Adapter:
    """One adapter.

    Args:
        name: how the user calls it.
        about: what is audited, in words.
        package: the name by which pip knows the package.
        versions: the versions that it was tried with.
        has_kernels: whether the package launches kernels of Triton.
        step: one verification step, if there is one.
        sequences: a whole loop, if there is one.
    """

    name: str
    about: str
    package: str
    versions: Sequence[str]
    has_kernels: bool
    step: Callable[[Block], Any] | None
    sequences: Callable[[Tables, int, int], Any] | None

    @property
    def parts(self) -> str:
        """What it can audit, in words."""
        named = (("step", self.step), ("loop", self.sequences))
        return ", ".join(name for name, function in named if function is not None)


def adapters() -> list[Adapter]:
    """All adapters, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = (_adapter(name) for name in names)
    return [adapter for adapter in found if adapter is not None]


def adapted(name: str) -> Program:
    """What an adapter audits.

    Raises:
        AuditError: for an unknown adapter, a package that is not installed, another version than
            those that the adapter was tried with, or kernels that would not be interpreted.
    """
    known = {adapter.name: adapter for adapter in adapters()}
    if name not in known:
        hint = did_you_mean(name, known) or "exactspec audit --list-adapters"
        message = f"there is no adapter {show(name)}"
        raise AuditError([Diagnostic("audit-adapter-unknown", message, hint)])
    adapter = known[name]
    package = f"{adapter.package} {_installed(adapter)}"
    if adapter.has_kernels and not interpreter.is_interpreted():
        message = f"adapter {name} launches kernels of Triton, which are not interpreted"
        raise AuditError([Diagnostic("audit-no-interpreter", message, interpreter.HINT)])
    step, loop = (_importing(adapter, part) for part in (adapter.step, adapter.sequences))
    return Program(name, step, loop, package=package)


def _adapter(name: str) -> Adapter | None:
    """The adapter in a file, if there is one in it."""
    module = importlib.import_module(f"{__name__}.{name}")
    if not hasattr(module, "PACKAGE"):
        return None
    about = (module.__doc__ or "").strip().partition("\n")[0]
    step, sequences = (getattr(module, part, None) for part in ("step", "sequences"))
    versions, has_kernels = tuple(module.VERSIONS), getattr(module, "TRITON", False)
    name = name.replace("_", "-")
    return Adapter(name, about, module.PACKAGE, versions, has_kernels, step, sequences)


def _installed(adapter: Adapter) -> str:
    """The version that is installed, without what is local to a build (``2.5.0+cpu``)."""
    known = ", ".join(adapter.versions)
    how = f"pip install {adapter.package}=={adapter.versions[-1]}"
    try:
        found = version(adapter.package)
    except PackageNotFoundError:
        message = (
            f"adapter {adapter.name} needs the package {adapter.package}, which is not installed"
        )
        raise AuditError([Diagnostic("audit-adapter-missing", message, how)]) from None
    if found not in adapter.versions and found.partition("+")[0] not in adapter.versions:
        message = f"adapter {adapter.name} does not know version {found}; it was tried with {known}"
        raise AuditError([Diagnostic("audit-adapter-version", message, how)])
    return found


def _importing(adapter: Adapter, part: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """A part of an adapter: that its package can't be imported is no outcome of it."""
    if part is None:
        return None

    @wraps(part)
    def call(*arguments: Any) -> Any:
        try:
            return part(*arguments)
        except ImportError as error:
            message = f"adapter {adapter.name} can't import {adapter.package}: {error}"
            hint = "install what it needs, or audit it where it can be imported"
            raise Fault(Diagnostic("audit-adapter-import", message, hint)) from error

    return call
