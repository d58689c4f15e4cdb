"""The vocabulary and the conditional tables of a model file: tokens, contexts, rows that sum to one."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice

from exactspec.chance import Token
from exactspec.distribution import Distribution
from exactspec.model.context import START, Key
from exactspec.model.entries import Entries, too_long
from exactspec.model.nodes import Node
from exactspec.model.values import Reader
from exactspec.numbers import Symbolic
from exactspec.text import brief, short_fraction_text, show

_LONGEST_SUM = 200
_MOST_TOKENS_IN_A_HINT = 12
_START_HINT = "^ is the start of the history, in front of a key; a token of that name is \\^ there"
Rows = dict[Key, Distribution[Token]]


def read_vocabulary(read: Reader, node: Node) -> dict[Token, Node]:
    """The tokens, each with the place where it is listed."""
    if node.kind != "list" or not node.items:
        read.wrong_type(node, "a list of tokens", "for example: vocabulary: [a, b, $]")
        return {}
    first: dict[Token, Node] = {}
    for item in node.items:
        if item.kind != "text" or not item.text:
            read.wrong_type(item, "a token's name", "a name has at least one character")
        elif item.text in first:
            hint = f"first on line {first[item.text].line}"
            message = f"the token {brief(item.text)} is listed twice"
            read.wrong(item, "duplicate-token", message, hint)
        else:
            first[item.text] = item
    return first


class RowReader:
    """Reads what is written in tokens of a vocabulary.

    Args:
        read: turns nodes into values, and keeps what is wrong.
        vocabulary: the tokens.
        entries: reads the probabilities of a row.
    """

    def __init__(self, read: Reader, vocabulary: Iterable[Token], entries: Entries) -> None:
        self._read, self._entries = read, entries
        self._order = {token: position for position, token in enumerate(vocabulary)}

    def known_token(self, node: Node, name: str) -> bool:
        """Whether a name is a token; noted where it is not."""
        if name in self._order:
            return True
        hint = _START_HINT if name == "^" else self._read.near(name, self._order)
        message = f"{brief(name)} is not in the vocabulary"
        self._read.wrong(node, "unknown-token", message, hint or self._hint(node))
        return False

    def _hint(self, node: Node) -> str:
        if node.kind == "text" and node.text in self._order:
            return f'a token with a space is written in a list: ["{show(node.text)}"]'
        first = list(islice(self._order, _MOST_TOKENS_IN_A_HINT))
        dots = " ..." if len(self._order) > len(first) else ""
        return f"the vocabulary is: {' '.join(map(brief, first))}{dots}"

    def end(self, node: Node) -> Token | None:
        """The end token."""
        name = self._read.text(node)
        return name if name is not None and self.known_token(node, name) else None

    def prompt(self, end: Token | None) -> Callable[[Node], tuple[Token, ...]]:
        """A reader of the tokens before the first emitted one."""

        def read(node: Node) -> tuple[Token, ...]:
            tokens = self.tokens(node)
            if end is not None and end in tokens:
                message = f"the prompt holds the end token {brief(end)}"
                self._read.wrong(node, "prompt-ended", message, "nothing follows an end token")
            return tokens

        return read

    def tokens(self, node: Node) -> tuple[Token, ...]:
        """Tokens written as text with spaces or as a list."""
        names = [(where, _unescaped(word)) for where, word in self._words(node) or []]
        return tuple(name for where, name in names if self.known_token(where, name))

    def _words(self, node: Node) -> list[tuple[Node, str]] | None:
        """The tokens of a context, written as text with spaces or as a list."""
        if node.kind == "text":
            return [(node, word) for word in node.text.split(" ") if word]
        if node.kind == "list" and all(item.kind == "text" for item in node.items):
            return [(item, item.text) for item in node.items]
        self._read.wrong_type(node, 'tokens: "a b" or [a, b]')
        return None

    def context(self, node: Node) -> Key | None:
        """A context key; ``^`` in front stands for the start of the history."""
        words = self._words(node)
        if words is None:
            return None
        anchored = bool(words) and words[0][1] == "^"
        names = [(where, _unescaped(word)) for where, word in words[anchored:]]
        if [name for where, name in names if not self.known_token(where, name)]:
            return None
        tokens = tuple(name for _, name in names)
        return (START, *tokens) if anchored else tokens

    def table(self, node: Node) -> Rows:
        """A conditional table; a lone row serves anywhere."""
        if node.kind != "map" or not node.pairs:
            self._read.wrong_type(node, "a map of rows", 'for example: {"": {a: 1/2, b: 1/2}}')
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
                line = first[context].line
                message = f"a second row {_place(context)}, the first is on line {line}"
                self._read.wrong(key, "duplicate-context", message, "keep one of them")
            first.setdefault(context, key)
            if row is not None:
                rows[context] = row
        return rows

    def row(self, node: Node, place: str) -> Distribution[Token] | None:
        """A law of the next token; tokens left out have probability 0."""
        read = self._read
        if node.kind != "map":
            read.wrong_type(node, "a row of probabilities", "for example: {a: 1/3, b: 2/3}")
            return None
        errors_before = read.errors
        weights = {
            key.text: self._entries.probability(value)
            for key, value in read.entries(node)
            if self.known_token(key, key.text)
        }
        if read.errors > errors_before or not self._sums_to_one(node, weights.values(), place):
            return None
        return Distribution(dict(sorted(weights.items(), key=lambda entry: self._order[entry[0]])))

    def _sums_to_one(self, node: Node, weights: Iterable[Fraction], place: str) -> bool:
        total = Fraction(0)
        for weight in weights:
            total += weight
            long = too_long(total)
            if long is not None:
                message = f"the probabilities {place} have a common denominator of {long}"
                hint = "write the row with one denominator, or fewer digits"
                self._read.wrong(node, "row-denominator", message, hint)
                return False
        if total == 1:
            return True
        if isinstance(total, Symbolic):
            self._entries.does_not_sum_to_one(node, total, place)
            return False
        off = short_fraction_text(abs(1 - total), _LONGEST_SUM)
        found = short_fraction_text(total, _LONGEST_SUM)
        message = f"the probabilities {place} sum to {found}, not 1"
        self._read.wrong(
            node, "row-sum", message, f"{off} {'is missing' if total < 1 else 'too much'}"
        )
        return False


def _unescaped(word: str) -> str:
    return word[1:] if word.startswith("\\") and len(word) > 1 else word


def _place(context: Key | None) -> str:
    if context is None:
        return "of this row"
    if context == ():
        return "anywhere"
    tokens = " ".join(brief(token) for token in context if token is not None)
    if context[0] is not START:
        return f'after "{tokens}"'
    return f'after the history "{tokens}"' if tokens else "at the start"
