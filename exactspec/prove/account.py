"""The runs of a round one by one, and for one string how their masses add up to the target's.

Nothing here decides anything: it is the proof that was found, put in the order in which it is read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from exactspec.prove.formula import Formula
from exactspec.prove.identity import Law, SymbolicIdentity, TestsDiffer
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Block, Program
from exactspec.prove.signs import Signs
from exactspec.prove.tree import Leaf, Question


@dataclass(frozen=True)
class Step:
    """One answer on a run: what was asked, what came out, with which weight or by which signs.

    Args:
        name: ``accept``, ``reject``, ``test``, or the label of a draw.
        token: the outcome of a draw, else None.
        weight: its probability; None for a test.
        tested: the polynomial of a test, with the ``signs`` that it has.
    """

    name: str
    token: object = None
    weight: Formula | None = None
    tested: Polynomial | None = None
    signs: Signs = frozenset()


@dataclass(frozen=True)
class Run:
    """One run of the round: its steps, where it ended, and the product of its weights."""

    steps: tuple[Step, ...]
    leaf: Leaf
    mass: Formula

    @property
    def tests(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.tested is not None)

    def blocks(self, program: Program) -> Iterator[tuple[Block, Formula]]:
        """What it emits, with the mass of the last token where that is left open."""
        if self.leaf.last is None:
            yield self.leaf.tokens, Formula(program.reading, Fraction(1))
            return
        for token, weight in self.leaf.last.possible():
            yield (*self.leaf.tokens, token), as_formula(program, weight)


def as_formula(program: Program, number: object) -> Formula:
    """A number or a formula as a formula."""
    if isinstance(number, Formula):
        return number
    assert isinstance(number, Fraction | int)
    return Formula(program.reading, Fraction(number))


def runs_of(program: Program) -> tuple[Run, ...]:
    """Every run of a round that has been read, those that end in an error among them."""
    found: list[Run] = []

    def follow(node: Question | Leaf, steps: tuple[Step, ...], mass: Formula) -> None:
        if isinstance(node, Leaf):
            found.append(Run(steps, node, mass))
            return
        for branch in node.branches:
            if branch.weight is None:
                step = Step("test", tested=node.tested, signs=branch.outcome)
                follow(branch.then, (*steps, step), mass)
            else:
                step = Step(*_named(node, branch.outcome), branch.weight)
                follow(branch.then, (*steps, step), mass * branch.weight)

    follow(program.tree, (), Formula(program.reading, Fraction(1)))
    return tuple(found)


def _named(node: Question, outcome: object) -> tuple[str, object]:
    if node.kind == "draw":
        return node.label, outcome
    if node.kind == "accept":
        name = "accept" if outcome else "reject"
        return name if node.label == "accept" else f"{node.label}: {name}", None
    return node.label if outcome else f"not {node.label}", None


@dataclass(frozen=True)
class Share:
    """What one run adds to a block: the run, and the weight of the block's last token."""

    run: Run
    last: Formula

    @property
    def mass(self) -> Formula:
        return self.run.mass * self.last


@dataclass(frozen=True)
class EmittedBlock:
    """A block at the beginning of a string: the runs that emit it, their sum, and how the target goes on.

    Args:
        tokens: the block.
        shares: the runs.
        total: the sum of their masses; None where it is one of several, by the rule's tests.
        rest: the target's probability of what is left of the string.
    """

    tokens: Block
    shares: tuple[Share, ...]
    total: Formula | None
    rest: Formula


@dataclass(frozen=True)
class StringAccount:
    """Both sides of the round identity for one string."""

    tokens: Block
    blocks: tuple[EmittedBlock, ...]
    wanted: Formula


def accounts(program: Program, runs: tuple[Run, ...]) -> Iterator[StringAccount]:
    """Every string of the longest block's length, with the runs that emit a beginning of it."""
    shares: dict[Block, list[Share]] = {}
    for run in runs:
        if run.leaf.error is None:
            for block, last in run.blocks(program):
                shares.setdefault(block, []).append(Share(run, last))
    totals = block_law(program) or {}
    for string, wanted in program.strings(program.longest_block()):
        blocks = (string[:length] for length in range(1, len(string) + 1))
        found = tuple(
            EmittedBlock(
                block,
                tuple(shares[block]),
                totals.get(block),
                _rest(program, block, string),
            )
            for block in blocks
            if block in shares
        )
        yield StringAccount(string, found, wanted)


def block_law(program: Program) -> Law | None:
    """The mass of each block; None where the rule's tests lead to blocks with different masses."""
    identity = SymbolicIdentity(program, most_parts=1)
    try:
        law = identity.law_as_it_stands()
    except TestsDiffer:
        return None
    return None if identity.merged else law


def _rest(program: Program, block: Block, string: Block) -> Formula:
    rest = Formula(program.reading, Fraction(1))
    for length in range(len(block), len(string)):
        rest = rest * program.target_weight(string[:length], string[length])
    return rest
