"""A probability tree as lines, folded to what fits; every node is shown or counted as folded."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from exactspec.text import short_fraction_text, show, show_token, show_tokens

if TYPE_CHECKING:
    import networkx as nx

_ROOT = 0
_COLUMNS_A_LEVEL = 3
_COLUMNS_FOR_A_NODE = 34
_STYLES = {"accept": "green", "reject": "red", "residual": "magenta", "bonus": "cyan"}


@dataclass(frozen=True)
class TreeLine:
    """One printed line: a node, or in its place a number of folded ones.

    Args:
        guide: the branches drawn in front.
        node: the node, or None for a line about folded nodes.
        folded: how many nodes it stands for.
        mass: the mass of the node, or of the folded ones' topmost.
    """

    guide: str
    node: int | None
    folded: int
    mass: Fraction


class FoldedTree:
    """A tree cut to a depth and a number of lines.

    Args:
        tree: a round's tree.
        most_lines: lines that may be used; the first level is always shown, at least in part.
        depth: levels to show, or None for as many as fit.
        width: columns; without a ``depth``, levels that would start beyond them are folded.
    """

    def __init__(
        self, tree: "nx.DiGraph[int]", most_lines: int, depth: int | None, width: int
    ) -> None:
        self.tree = tree
        self._levels = self._level_of_each()
        self._below = self._nodes_below_each()
        deepest = max(self._levels)
        if depth is None:
            fits = max(1, (width - _COLUMNS_FOR_A_NODE) // _COLUMNS_A_LEVEL)
            self.depth = min(deepest, fits, self._depth_for(most_lines))
        else:
            self.depth = min(depth, deepest)
        self._most_children = max(1, most_lines if depth is None else len(self._levels))
        self.lines = list(self._folded_lines())
        self.shown = sum(line.node is not None for line in self.lines)
        self.folded = sum(line.folded for line in self.lines)

    def _level_of_each(self) -> list[int]:
        levels = [0] * self.tree.number_of_nodes()
        for parent, child in self.tree.edges:
            levels[child] = levels[parent] + 1
        return levels

    def _nodes_below_each(self) -> list[int]:
        below = [0] * self.tree.number_of_nodes()
        for node in range(len(below) - 1, _ROOT, -1):
            parent = next(self.tree.predecessors(node))
            below[parent] += below[node] + 1
        return below

    def _depth_for(self, most_lines: int) -> int:
        deepest = max(self._levels)
        lines_to = 0
        for depth in range(deepest + 1):
            here = [node for node, level in enumerate(self._levels) if level == depth]
            fold_lines = sum(self._below[node] > 0 for node in here)
            lines_to += len(here)
            if lines_to + fold_lines > most_lines and depth > 1:
                return depth - 1
        return deepest

    def _folded_lines(self) -> Iterator[TreeLine]:
        waiting: list[tuple[int, str, str]] = [(_ROOT, "", "")]
        while waiting:
            node, guide, under = waiting.pop()
            if node < 0:
                yield self._fold_line(guide, self._rest_of_children(~node))
                continue
            yield TreeLine(guide, node, 0, self.tree.nodes[node]["mass"])
            children = list(self.tree.successors(node))
            if children and self._levels[node] >= self.depth:
                yield self._fold_line(under + "└─ ", children)
                continue
            shown = children[: self._most_children]
            if len(children) > len(shown):
                waiting.append((~node, under + "└─ ", ""))
            for child in reversed(shown):
                last = child == children[-1]
                branch = ("└─ ", "   ") if last else ("├─ ", "│  ")
                waiting.append((child, under + branch[0], under + branch[1]))

    def _rest_of_children(self, node: int) -> list[int]:
        return list(self.tree.successors(node))[self._most_children :]

    def _fold_line(self, guide: str, tops: list[int]) -> TreeLine:
        count = sum(self._below[top] + 1 for top in tops)
        mass = sum((self.tree.nodes[top]["mass"] for top in tops), Fraction(0))
        return TreeLine(guide, None, count, mass)


def tree_lines(folded: FoldedTree, title: str) -> Iterator[Text]:
    """The folded tree as lines of text, and a last one that says what was folded."""
    for line in folded.lines:
        text = Text(line.guide, style="dim")
        if line.node is None:
            nodes = "1 node" if line.folded == 1 else f"{line.folded:,} nodes"
            text.append(f"… {nodes} folded, mass {short_fraction_text(line.mass)}", "dim")
        elif line.node == _ROOT:
            text.append(title, "bold")
            text.append_text(_leaf(folded.tree.nodes[_ROOT]))
        else:
            text.append_text(_node(folded.tree.nodes[line.node]))
        yield text
    if folded.folded:
        yield Text(f"{folded.shown:,} nodes shown, {folded.folded:,} folded", "dim")


def _node(look: dict[str, Any]) -> Text:
    text = Text(show(look["kind"]), _STYLES.get(look["kind"], ""))
    if look["token"] is not None:
        text.append(f" {token_text(look['token'])}")
    text.append(f"  {short_fraction_text(look['probability'])}", "bold")
    if look["mass"] != look["probability"]:
        text.append(f"  mass {short_fraction_text(look['mass'])}", "dim")
    return text.append_text(_leaf(look))


def _leaf(look: dict[str, Any]) -> Text:
    if "emitted" not in look:
        return Text()
    return Text(f"  emits {show_tokens(look['emitted'])}", "cyan")


def token_text(token: object) -> str:
    """A drawn outcome: a token's name, or what else a rule drew."""
    return show_token(token) if isinstance(token, str) else show(repr(token))
