"""Nodes as plain values: texts, counts, numbers, maps with known keys; what is wrong is collected."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction

from exactspec.errors import Diagnostic
from exactspec.model.names import did_you_mean
from exactspec.model.nodes import Node, Source, in_order
from exactspec.numbers import NumberError, parse_number
from exactspec.text import brief

MOST_HINTS = 50
_MOST_KEPT = 1_000
_WHOLE = re.compile(r"[0-9]{1,9}\Z", re.ASCII)


class Reader:
    """Turns nodes into values; where one can't be, notes why and goes on with a harmless one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.errors = 0
        self._kept: list[Diagnostic] = []

    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong, in the order of the file."""
        return in_order(self._kept, self.errors)

    def wrong(self, node: Node, code: str, message: str, hint: str | None = None) -> None:
        """Note an error at the place of a node."""
        self.errors += 1
        if len(self._kept) < _MOST_KEPT:
            self._kept.append(Diagnostic(code, message, hint, self.source.of(node)))

    def wrong_type(self, node: Node, expected: str, hint: str | None = None) -> None:
        """Note that a node is something else than what belongs there."""
        text = f"the text {brief(node.text)}" if node.text else "nothing"
        empty = "" if node.items or node.pairs else "n empty"
        found = {"text": text, "list": f"a{empty} list", "map": f"a{empty} map"}[node.kind]
        self.wrong(node, "wrong-type", f"found {found}, expected {expected}", hint)

    def near(self, word: str, known: Iterable[str]) -> str | None:
        """A hint to a known word, as long as hints are still of use."""
        return did_you_mean(word, known) if self.errors < MOST_HINTS else None

    def entries(self, node: Node) -> list[tuple[Node, Node]]:
        """A map's entries with text keys, each once."""
        first: dict[str, Node] = {}
        kept = []
        for key, value in node.pairs:
            if key.kind != "text":
                self.wrong_type(key, "a name")
            elif key.text in first:
                line = first[key.text].line
                message = f"{brief(key.text)} is written twice, first on line {line}"
                self.wrong(key, "duplicate-key", message, "keep one of them")
            else:
                first[key.text] = key
                kept.append((key, value))
        return kept

    def fields(self, node: Node, known: Iterable[str], required: Iterable[str]) -> dict[str, Node]:
        """A map with known keys as a dict; unknown, repeated and missing keys are noted."""
        fields: dict[str, Node] = {}
        for key, value in self.entries(node):
            if key.text in known:
                fields[key.text] = value
            else:
                hint = self.near(key.text, known) or f"known keys: {', '.join(known)}"
                self.wrong(key, "unknown-key", f"unknown key {brief(key.text)}", hint)
        for name in required:
            if name not in fields:
                hint = f"add: {name}: {'1' if name == 'version' else '...'}"
                self.wrong(node, "missing-key", f"the key {name} is missing", hint)
        return fields

    def text(self, node: Node) -> str | None:
        """A text that is not empty."""
        if node.kind == "text" and node.text:
            return node.text
        self.wrong_type(node, "a text")
        return None

    def one_of(self, *words: str) -> Callable[[Node], str | None]:
        """A reader of one of some words."""

        def read(node: Node) -> str | None:
            if node.kind == "text" and node.text in words:
                return node.text
            self.wrong_type(node, " or ".join(words), self.near(node.text, words))
            return None

        return read

    def count(self, least: int, most: int) -> Callable[[Node], int]:
        """A reader of a whole number in a range."""

        def read(node: Node) -> int:
            found = int(node.text) if node.kind == "text" and _WHOLE.match(node.text) else -1
            if least <= found <= most:
                return found
            self.wrong_type(node, f"a whole number from {least} to {most:,}")
            return least

        return read

    def number(self, node: Node) -> Fraction:
        """An exact number of the model file's grammar."""
        if node.kind != "text" or not node.text:
            self.wrong_type(node, "a number", "for example 1/3, 0.25, 0 or 1")
            return Fraction(0)
        try:
            return parse_number(node.text)
        except NumberError as error:
            shown = f": {brief(node.text)}" if len(node.text) <= 40 else ""
            self.wrong(node, "number", f"{error}{shown}", error.hint)
            return Fraction(0)
