"""The catalogue for a person: lossless rules, lossy ones and mistakes, visibly apart."""

from collections.abc import Sequence
from fractions import Fraction

from exactspec.algorithms import CATALOGUE, LOSSLESS, LOSSY, MISTAKES
from exactspec.rule import Algorithm
from exactspec.text import fraction_text

KINDS = (
    ("Lossless, under the condition given", LOSSLESS),
    ("Lossy by design", LOSSY),
    ("Mistakes, to test tests with", MISTAKES),
)


def catalogue_text(names: Sequence[str] = ()) -> str:
    """The rules named, or all: name, what it does, options, condition or sighting, source."""
    if names:
        return "".join(_entry(CATALOGUE[name]) for name in names)
    return "\n".join(
        f"{title} ({len(names)})\n\n" + "".join(_entry(CATALOGUE[name]) for name in names)
        for title, names in KINDS
        if names
    )


def _entry(rule: Algorithm) -> str:
    options = ", ".join(f"{name}={default}" for name, default in option_defaults(rule).items())
    lines = [
        rule.name,
        f"  {rule.summary}",
        *([f"  lossless when: {rule.lossless_when}"] if rule.lossless_when else []),
        *([f"  accepts: {rule.acceptance}"] if rule.acceptance else []),
        *([f"  at the edges: {rule.edge_cases}"] if rule.edge_cases else []),
        *([f"  seen in: {rule.seen_in}"] if rule.seen_in else []),
        *([f"  options: {options}"] if options else []),
        *([f"  source: {rule.paper}"] if rule.paper else []),
    ]
    return "\n".join(lines) + "\n"


def option_defaults(rule: Algorithm) -> dict[str, str]:
    """A rule's options with their defaults as a model file writes them."""
    return {name: option_text(p.default) for name, p in rule.options().items()}


def option_text(value: object) -> str:
    """An option's value as a model file writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(option_text, value))}]"
    return fraction_text(value) if isinstance(value, Fraction) else str(value)
