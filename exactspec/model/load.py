"""A model file as a ``Scenario``: all that is wrong with it is reported at once, with its place."""

import difflib
import hashlib
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.errors import Diagnostic, Location, ModelError
from exactspec.model.context import START, Key
from exactspec.model.names import code_points, hard_to_tell_apart, has_hidden_characters
from exactspec.model.nodes import MAX_BYTES, Node, Source, read_nodes
from exactspec.model.scenario import Latency, OptionValue, Scenario
from exactspec.model.table import Model
from exactspec.numbers import NumberError, parse_number
from exactspec.text import fraction_text, show, show_token, show_tokens

VERSION = "1"
REQUIRED = ("version", "vocabulary", "draft_length", "target")
KEYS = (
    *REQUIRED,
    *("title", "end", "prompt", "horizon", "max_tokens", "after_end"),
    *("algorithm", "options", "latency", "expect", "draft"),
)
VERDICTS = ("lossless", "lossy", "undecided")
STANDARD_INPUT = "-"
MOST_DIAGNOSTICS = 50
_LARGEST_COUNT = 1_000_000
_WHOLE = re.compile(r"[0-9]{1,9}\Z", re.ASCII)
T = TypeVar("T")


def load(file: str) -> Scenario:
    """Read a model file.

    Args:
        file: its path, or ``-`` for standard input.

    Raises:
        ModelError: with everything that is wrong with the file.
    """
    return parse(read_bytes(file), "<stdin>" if file == STANDARD_INPUT else file)


def parse(data: bytes, name: str = "<text>") -> Scenario:
    """Read a model from the bytes of a file.

    Args:
        data: the file's content, UTF-8.
        name: how messages call it.

    Raises:
        ModelError: with everything that is wrong.

    >>> scenario = parse(b"{version: 1, vocabulary: [a], draft_length: 1, target: {a: 1}, draft: {a: 1}}")
    >>> scenario.vocabulary, scenario.draft_length
    (('a',), 1)
    """
    reader = _Reader(Source(name, data))
    scenario = reader.scenario(hashlib.sha256(data).hexdigest())
    if scenario is None:
        raise ModelError(reader.limited())
    return scenario


def read_bytes(file: str) -> bytes:
    """The content of a regular file or of standard input, never more than the size limit and a byte.

    Raises:
        ModelError: where it can't be read, or is no regular file.
    """
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _unreadable(
                    file, "this is no regular file", "name a model file, or - for stdin"
                )
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        hint = "check the path" if isinstance(error, FileNotFoundError) else None
        raise _unreadable(file, f"the file can't be read: {error.strerror}", hint) from None
    except ValueError as error:
        raise _unreadable(file, f"the file can't be read: {error}", None) from None


def _unreadable(file: str, message: str, hint: str | None) -> ModelError:
    return ModelError([Diagnostic("unreadable", message, hint, Location(file))])


class _Reader:
    """Turns nodes into values, and collects what is wrong on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Diagnostic] = []
        self.vocabulary: tuple[Token, ...] = ()

    def limited(self) -> list[Diagnostic]:
        ordered = sorted(self.found, key=lambda d: (d.location.line or 0) if d.location else 0)
        if len(ordered) <= MOST_DIAGNOSTICS:
            return ordered
        more = Diagnostic("more-errors", f"{len(ordered) - MOST_DIAGNOSTICS} more errors follow")
        return [*ordered[:MOST_DIAGNOSTICS], more]

    def wrong(self, node: Node, code: str, message: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic(code, message, hint, self.source.of(node)))

    def scenario(self, digest: str) -> Scenario | None:
        root = read_nodes(self.source)
        if root is None or (root.kind == "text" and not root.text):
            place = self.source.at(1, 1)
            hint = "exactspec init writes an example"
            self.found.append(Diagnostic("empty-file", "the file is empty", hint, place))
            return None
        if root.kind != "map":
            self.wrong_type(root, "a map of settings", "begin with: version: 1")
            return None
        fields = self.fields(root, KEYS, REQUIRED)
        built = self._build(fields, digest)
        return None if self.found else built

    def _build(self, fields: dict[str, Node], digest: str) -> Scenario | None:
        def read(key: str, reader: Callable[[Node], T], otherwise: T) -> T:
            return reader(fields[key]) if key in fields else otherwise

        read("version", self.version, None)
        self.vocabulary = read("vocabulary", self.tokens_of_vocabulary, ())
        if not self.vocabulary:
            return None
        end = read("end", self.end, None)
        draft_length = read("draft_length", lambda node: self.count(node, 0), 0)
        if draft_length and "draft" not in fields:
            self.wrong(
                fields["draft_length"],
                "missing-key",
                "there is no draft table, and draft_length is not 0",
                "add: draft: {...}",
            )
        no_rows: dict[Key, Distribution[Token]] = {}
        rows = {name: read(name, self.table, no_rows) for name in ("target", "draft")}
        models = {
            name: Model(
                table,
                name=name,
                end=end,
                location=self.source.of(fields[name]) if name in fields else None,
            )
            for name, table in rows.items()
        }
        return Scenario(
            target=models["target"],
            draft=models["draft"],
            vocabulary=self.vocabulary,
            draft_length=draft_length,
            horizon=read("horizon", lambda node: self.count(node, 1), None),
            end=end,
            prompt=read("prompt", lambda node: self.prompt(node, end), ()),
            max_tokens=read("max_tokens", lambda node: self.count(node, 1), None),
            cut_after_end=read("after_end", self.one_of("outcome", "cut"), None) == "cut",
            algorithm=read("algorithm", self.text, None) or "token_level",
            options=read("options", self.options, {}),
            latency=read("latency", self.latency, None),
            expect=read("expect", self.one_of(*VERDICTS), None),
            title=read("title", self.text, None) or "",
            file=self.source.name,
            digest=digest,
            places={name: self.source.of(node) for name, node in fields.items()},
            warnings=tuple(self.warnings(fields["vocabulary"])),
        )

    def fields(self, node: Node, known: Iterable[str], required: Iterable[str]) -> dict[str, Node]:
        """A map with known keys as a dict; unknown, repeated and missing keys are reported."""
        fields: dict[str, Node] = {}
        for key, value in self.entries(node):
            if key.text in known:
                fields[key.text] = value
            else:
                hint = did_you_mean(key.text, known) or f"known keys: {', '.join(known)}"
                self.wrong(key, "unknown-key", f"unknown key {show_token(key.text)}", hint)
        for name in required:
            if name not in fields:
                hint = f"add: {name}: {VERSION if name == 'version' else '...'}"
                self.wrong(node, "missing-key", f"the key {name} is missing", hint)
        return fields

    def entries(self, node: Node) -> list[tuple[Node, Node]]:
        """A map's entries with text keys, each once."""
        first: dict[str, Node] = {}
        kept = []
        for key, value in node.pairs:
            if key.kind != "text":
                self.wrong_type(key, "a name", None)
            elif key.text in first:
                line = first[key.text].line
                message = f"{show_token(key.text)} is written twice, first on line {line}"
                self.wrong(key, "duplicate-key", message, "keep one of them")
            else:
                first[key.text] = key
                kept.append((key, value))
        return kept

    def wrong_type(self, node: Node, expected: str, hint: str | None) -> None:
        names = {"text": f"the text {show_token(node.text[:40])}", "list": "a list", "map": "a map"}
        self.wrong(node, "wrong-type", f"found {names[node.kind]}, expected {expected}", hint)

    def text(self, node: Node) -> str | None:
        if node.kind == "text" and node.text:
            return node.text
        self.wrong_type(node, "a text", None)
        return None

    def version(self, node: Node) -> None:
        if node.kind != "text" or node.text != VERSION:
            message = f"found version {show_token(node.text)}, expected {VERSION}"
            self.wrong(node, "version", message, "this exactspec reads version 1 of the model file")

    def one_of(self, *words: str) -> Callable[[Node], str | None]:
        def read(node: Node) -> str | None:
            if node.kind == "text" and node.text in words:
                return node.text
            hint = did_you_mean(node.text, words)
            self.wrong_type(node, " or ".join(words), hint)
            return None

        return read

    def count(self, node: Node, least: int) -> int:
        found = int(node.text) if node.kind == "text" and _WHOLE.match(node.text) else -1
        if least <= found <= _LARGEST_COUNT:
            return found
        self.wrong_type(node, f"a whole number from {least} to {_LARGEST_COUNT:,}", None)
        return least

    def tokens_of_vocabulary(self, node: Node) -> tuple[Token, ...]:
        if node.kind != "list" or not node.items:
            self.wrong_type(node, "a list of at least one token", "vocabulary: [a, b, $]")
            return ()
        first: dict[str, Node] = {}
        for item in node.items:
            if item.kind != "text" or not item.text:
                self.wrong_type(item, "a token's name", "a name has at least one character")
            elif item.text in first:
                message = f"the token {show_token(item.text)} is listed twice"
                self.wrong(
                    item, "duplicate-token", message, f"first on line {first[item.text].line}"
                )
            else:
                first[item.text] = item
        return tuple(first)

    def known_token(self, node: Node, name: str) -> bool:
        if name in self.vocabulary:
            return True
        hint = did_you_mean(name, self.vocabulary) or self._hint_for_spaces(node)
        self.wrong(node, "unknown-token", f"{show_token(name)} is not in the vocabulary", hint)
        return False

    def _hint_for_spaces(self, node: Node) -> str:
        if node.kind == "text" and node.text in self.vocabulary:
            return f"a token with a space is written as a list: [{show(node.text)}]"
        shown = show_tokens(self.vocabulary[:12]) + (" ..." if len(self.vocabulary) > 12 else "")
        return f"the vocabulary is: {shown}"

    def end(self, node: Node) -> Token | None:
        name = self.text(node)
        return name if name is not None and self.known_token(node, name) else None

    def words(self, node: Node) -> list[tuple[Node, str]] | None:
        """The tokens of a context, written as text with spaces or as a list."""
        if node.kind == "text":
            return [(node, word) for word in node.text.split(" ") if word]
        if node.kind == "list" and all(item.kind == "text" for item in node.items):
            return [(item, item.text) for item in node.items]
        self.wrong_type(node, 'tokens: "a b" or [a, b]', None)
        return None

    def prompt(self, node: Node, end: Token | None) -> tuple[Token, ...]:
        words = self.words(node) or []
        names = [(where, _unescaped(word)) for where, word in words]
        tokens = tuple(name for where, name in names if self.known_token(where, name))
        if end in tokens:
            message = f"the prompt holds the end token {show_token(str(end))}"
            self.wrong(node, "prompt-ended", message, "nothing follows an end token")
        return tokens

    def context(self, node: Node) -> Key | None:
        """A context key; ``^`` in front stands for the start of the history."""
        words = self.words(node)
        if words is None:
            return None
        anchored = bool(words) and words[0][1] == "^"
        names = [(where, _unescaped(word)) for where, word in words[anchored:]]
        known = [self.known_token(where, name) for where, name in names]
        if not all(known):
            return None
        tokens = tuple(name for _, name in names)
        return (START, *tokens) if anchored else tokens

    def table(self, node: Node) -> dict[Key, Distribution[Token]]:
        if node.kind != "map" or not node.pairs:
            self.wrong_type(node, "a map of rows", 'for example: {"": {a: 1/2, b: 1/2}}')
            return {}
        if all(value.kind == "text" for _, value in node.pairs):
            row = self.row(node, "anywhere")
            return {(): row} if row is not None else {}
        first: dict[Key, Node] = {}
        rows = {}
        for key, value in node.pairs:
            context = self.context(key)
            row = self.row(value, _place(context))
            if context is None:
                continue
            if context in first:
                message = (
                    f"a second row {_place(context)}, the first is on line {first[context].line}"
                )
                self.wrong(key, "duplicate-context", message, "keep one of them")
            first.setdefault(context, key)
            if row is not None:
                rows[context] = row
        return rows

    def row(self, node: Node, place: str) -> Distribution[Token] | None:
        if node.kind != "map":
            self.wrong_type(node, "a row: {token: probability, ...}", "{a: 1/3, b: 2/3}")
            return None
        errors_before = len(self.found)
        weights = {
            key.text: self.probability(value)
            for key, value in self.entries(node)
            if self.known_token(key, key.text)
        }
        total = sum(weights.values(), Fraction(0))
        if len(self.found) > errors_before:
            return None
        if total != 1:
            off = fraction_text(abs(1 - total)) + (" is missing" if total < 1 else " too much")
            message = f"the probabilities {place} sum to {fraction_text(total)}, not 1"
            self.wrong(node, "row-sum", message, off)
            return None
        ordered = {token: weights[token] for token in self.vocabulary if token in weights}
        return Distribution(ordered)

    def probability(self, node: Node) -> Fraction:
        value = self.number(node)
        if value > 1:
            message = f"a probability of {fraction_text(value)}, above 1"
            self.wrong(node, "probability-range", message, "the entries of a row sum to 1")
        return value

    def number(self, node: Node) -> Fraction:
        if node.kind != "text":
            self.wrong_type(node, "a number", "1/3, 0.25, 0 or 1")
            return Fraction(0)
        try:
            return parse_number(node.text)
        except NumberError as error:
            shown = f": {show_token(node.text)}" if len(node.text) <= 40 else ""
            self.wrong(node, "number", f"{error}{shown}", error.hint)
            return Fraction(0)

    def latency(self, node: Node) -> Latency | None:
        if node.kind != "map":
            self.wrong_type(node, "the latencies", "latency: {target: 10, draft: 1}")
            return None
        fields = self.fields(node, ("target", "draft"), ("target", "draft"))
        values = {name: self.number(value) for name, value in fields.items()}
        if values.get("target") == 0:
            self.wrong(fields["target"], "latency", "a target call costs 0", "it must be positive")
        return Latency(**values) if len(values) == 2 else None

    def options(self, node: Node) -> dict[str, OptionValue]:
        if node.kind != "map":
            self.wrong_type(node, "a map of options", "options: {name: value}")
            return {}
        return {key.text: self.option(value) for key, value in self.entries(node)}

    def option(self, node: Node) -> OptionValue:
        if node.kind == "list":
            return tuple(map(self.option, node.items))
        if node.kind == "map":
            self.wrong_type(node, "a number, a text or a list of them", None)
            return ""
        try:
            value = parse_number(node.text)
        except NumberError:
            return node.text
        return int(value) if _WHOLE.match(node.text) else value

    def warnings(self, node: Node) -> Iterable[Diagnostic]:
        place = self.source.of(node)
        for one, other in hard_to_tell_apart(self.vocabulary):
            message = f"the tokens {show_token(one)} and {show_token(other)} look alike"
            hint = f"{code_points(one)} and {code_points(other)}; they are different tokens"
            yield Diagnostic("tokens-look-alike", message, hint, place, severity="warning")
        for name in filter(has_hidden_characters, self.vocabulary):
            message = f"the token {show_token(name)} has characters that don't show"
            yield Diagnostic(
                "hidden-characters", message, code_points(name), place, severity="warning"
            )


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The nearest known word as a hint, if one is near.

    >>> did_you_mean("horizen", ["horizon", "target"])
    'did you mean horizon?'
    """
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {show_token(near[0])}?" if near else None


def _unescaped(word: str) -> str:
    return word[1:] if word.startswith("\\") and len(word) > 1 else word


def _place(context: Key | None) -> str:
    if context is None:
        return "of this row"
    if context == ():
        return "anywhere"
    if context[0] is not START:
        return f'after "{show_tokens(str(token) for token in context)}"'
    return (
        f'after the history "{show_tokens(map(str, context[1:]))}"'
        if context[1:]
        else "at the start"
    )
