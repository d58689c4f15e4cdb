"""The symbolic law of a round against the enumerated one, on given tables: two engines that must agree."""

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution
from exactspec.errors import Fault, InternalError
from exactspec.expand.replay import paths_of
from exactspec.model.context import START, Context, Looks
from exactspec.model.table import Model
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Block, Program
from exactspec.prove.tree import Branch, Leaf, Question

Tables = Mapping[str, Model]
_ZERO, _ONE = Fraction(0), Fraction(1)


def symbolic_law(program: Program, tables: Tables) -> dict[Block, Fraction]:
    """The law of the emitted block, evaluated along the symbolic tree.

    Args:
        program: the round, read.
        tables: the models named target and draft.

    Raises:
        RuntimeError: where the evaluation comes to a run that ended in an error.
    """
    value = program.values(tables, before_round(program))
    law: dict[Block, Fraction] = {}
    waiting: list[tuple[Question | Leaf, Fraction]] = [(program.tree, _ONE)]
    while waiting:
        node, mass = waiting.pop()
        if isinstance(node, Question):
            shares = ((branch, _share(node, branch, value)) for branch in node.branches)
            waiting += [(branch.then, mass * share) for branch, share in shares if share]
        elif node.error is not None:
            raise RuntimeError(f"the round ends in an error: {node.error}")
        elif node.last is None:
            _add(law, node.tokens, mass)
        else:
            for token, weight in node.last.possible():
                _add(law, (*node.tokens, token), mass * _at(weight, value))
    return {block: mass for block, mass in law.items() if mass}


def _share(question: Question, branch: Branch, value: object) -> Fraction:
    """The weight of a branch; of a test, 1 for the one that the tables are in, and else 0."""
    if branch.weight is not None:
        return _at(branch.weight, value)
    assert question.tested is not None
    number = question.tested.at(value)  # type: ignore[arg-type]
    return Fraction((number > 0) - (number < 0) in branch.outcome)


def _at(weight: object, value: object) -> Fraction:
    return weight if isinstance(weight, Fraction) else weight.at(value)  # type: ignore[attr-defined]


def enumerated_law(program: Program, tables: Tables) -> dict[Block, Fraction]:
    """The law of the emitted block, from every path of the round on the tables."""
    models = (tables["target"], tables["draft"])

    def run(chance: Chance) -> object:
        looks = Looks(models=models)
        given = {"draft_length": program.draft_length, "state": program.state}
        keywords = {n: v for n, v in given.items() if n in program.rule.keywords()}
        return program.rule(
            chance, *models, Context(before_round(program), looks), **keywords, **program.options
        )

    law: dict[Block, Fraction] = {}
    for path in paths_of(run):
        if path.last is None:
            _add(law, path.tokens, path.mass)
        else:
            for token, weight in path.last.items():
                _add(law, (*path.tokens, token), path.mass * weight)
    return law


def before_round(program: Program) -> Block:
    """A context to begin the round from, so that a look at the start of the tables shows."""
    return program.vocabulary[:1] if program.vocabulary[0] != program.end else ()


def _add(law: dict[Block, Fraction], block: Block, mass: Fraction) -> None:
    law[block] = law.get(block, _ZERO) + mass


def identity_holds_at(program: Program, tables: Tables) -> bool:
    """Whether the round identity holds on some tables, by plain enumeration of one round.

    Args:
        program: the round, which need not be read.
        tables: the models named target and draft.
    """
    try:
        law = enumerated_law(program, tables)
    except InternalError:
        raise
    except (Fault, Exception):  # the rule breaks down there, and check will say how
        return False
    length = max(map(len, law))

    def continued(block: Block, mass: Fraction) -> Iterator[tuple[Block, Fraction]]:
        if len(block) >= length or not set(block) <= set(program.vocabulary) - {program.end}:
            yield block, mass
            return
        row = tables["target"].row_after((*before_round(program), *block))
        for token, weight in row.items():
            yield from continued((*block, token), mass * weight)

    emitted: dict[Block, Fraction] = {}
    for block, mass in law.items():
        for string, share in continued(block, mass):
            _add(emitted, string, share)
    return emitted == dict(continued((), _ONE))


def random_tables(
    program: Program, count: int, seed: int = 0, depth: int | None = None
) -> Iterator[Tables]:
    """Tables to compare on: rows with zeros, rows that the two models share, ties, and any others.

    Args:
        program: the round.
        count: how many tables.
        seed: of the dice.
        depth: rows behind so many added tokens; by default those that the round has looked at.
    """
    dice = random.Random(seed)
    if depth is None:
        depth = max((len(leaf_after) for leaf_after in program.contexts()), default=0)
    inner = [t for t in program.vocabulary if t != program.end]
    contexts = [c for length in range(depth + 1) for c in product(inner, repeat=length)]
    for _ in range(count):
        kind = dice.randrange(4)
        rows: dict[str, dict[Block, Distribution[Token]]] = {"target": {}, "draft": {}}
        for context in contexts:
            p, q = (_row(program.vocabulary, dice, kind) for _ in range(2))
            q = p if kind == 3 and dice.randrange(2) else q
            rows["target"][context], rows["draft"][context] = p, q
        yield {
            name: Model(
                {(START, *before_round(program), *c): row for c, row in table.items()}
                | {(): _row(program.vocabulary, dice, kind)},
                name=name,
                end=program.end,
            )
            for name, table in rows.items()
        }


def _row(tokens: tuple[Token, ...], dice: random.Random, kind: int) -> Distribution[Token]:
    most = (2, 4, 9, 4)[kind]
    weights = [dice.randint(0 if kind else 1, most) for _ in tokens]
    if not any(weights):
        weights[dice.randrange(len(weights))] = 1
    return Distribution.normalised(dict(zip(tokens, weights, strict=True)))


def disagreement(program: Program, tables: Tables) -> str | None:
    """How the two laws differ on some tables, in words; None where they agree."""
    symbolic, enumerated = symbolic_law(program, tables), enumerated_law(program, tables)
    for block in sorted({*symbolic, *enumerated}):
        one, two = symbolic.get(block, _ZERO), enumerated.get(block, _ZERO)
        if one != two:
            return f"{' '.join(block)} has mass {two}, and {one} as a formula"
    return None


def holds_at(
    polynomial: Polynomial, signs: frozenset[int], program: Program, tables: Tables
) -> bool:
    """Whether a polynomial has one of some signs on given tables."""
    number = polynomial.at(program.values(tables, before_round(program)))
    return (number > 0) - (number < 0) in signs
