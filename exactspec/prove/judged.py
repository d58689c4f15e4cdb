"""One program judged: its runs followed, its obligations and both sides of the identity compared."""

from collections.abc import Iterator

from exactspec.errors import BudgetReached, Diagnostic, Fault, InternalError
from exactspec.prove.agreement import Tables, disagreement, random_tables
from exactspec.prove.case import Case
from exactspec.prove.claim import Limits
from exactspec.prove.identity import Condition, Part, SymbolicIdentity
from exactspec.prove.polynomial import Polynomial
from exactspec.prove.program import Program
from exactspec.prove.reader import Unreadable
from exactspec.prove.signs import Signs
from exactspec.prove.theorem import Open, Test, Theorem
from exactspec.prove.tree import Branch, Leaf, Question, leaves
from exactspec.prove.types_asked import asks_for_types

_TABLES_COMPARED = 24
_FEW_TABLES_COMPARED = 6
_MANY_CONTEXTS = 60
_PARTS_SEARCHED = 12


def judged(program: Program, limits: Limits) -> Theorem:
    """The theorem of one program: proved, or with what is open in it.

    Args:
        program: the round, not yet read.
        limits: how much work is done.
    """
    end = "with an end token" if program.end else "without an end token"

    def read_so_far(runs: int) -> None:
        if runs > limits.tested_paths and program.reading.has_tested:
            reason = f"a round has more than {limits.tested_paths:,} paths through its tests"
            raise BudgetReached("paths", reason, "prove a smaller vocabulary or a shorter draft")
        if runs % 50 == 0:
            limits.on_progress(f"{end}: {runs:,} paths")

    try:
        _can_be_read(program)
        program.read(limits.paths, read_so_far)
        return _theorem(program, limits)
    except Unreadable as reason:
        return Theorem(program, open=(Open(str(reason)),))
    except BudgetReached as limit:
        if limit.limit not in ("paths", "parts"):
            raise
        return Theorem(program, open=(Open(limit.reason, hint=limit.hint),))
    except RecursionError:
        return Theorem(program, open=(Open("the stack is used up"),))


def _can_be_read(program: Program) -> None:
    if program.rule.wanted is not None:
        raise Unreadable("the rule promises a law of its own, not the target's")
    asked = asks_for_types(program.rule)
    if asked is not None:
        raise Unreadable(f"the rule {asked}")


def _theorem(program: Program, limits: Limits) -> Theorem:
    every = list(leaves(program.tree))
    emits_texts(every)
    errors = [(branches, leaf) for branches, leaf in every if leaf.error is not None]
    left = [each for each in errors if not _is_excluded(program, each[0])]
    identity = SymbolicIdentity(
        program, limits.parts, lambda n: limits.on_progress(f"{n:,} parts of the tables")
    )
    open_points = [*_broken(program, left), *badly_emitted(every, program.draft_length)]
    parts: list[Part] = []
    if len(errors) < len(every):
        for part in identity.parts():
            parts.append(part)
            if part.differences and part.case.is_impossible() is None:
                open_points.append(_failed(part))
            if len(open_points) >= _PARTS_SEARCHED:
                break
    if program.notes.on_an_edge or any(b.case.is_bent for branches, _ in every for b in branches):
        open_points.append(Open("an obligation rests on a bound that is a curve"))
    compared = 0
    if not open_points:
        compared, open_points = _compared(program)
    return Theorem(
        program,
        len(every),
        len(identity.wanted),
        tuple(parts),
        tuple(_tests(program.tree)),
        tuple(program.notes.divisors),
        len(errors) - len(left),
        tuple(open_points),
        compared,
    )


def emits_texts(every: list[tuple[tuple[Branch, ...], Leaf]]) -> None:
    """All that a round emits must be tokens.

    Raises:
        Unreadable: where it emits something else.
    """
    if not all(isinstance(token, str) for _, leaf in every for token in leaf.tokens):
        raise Unreadable("a round can emit what is no token")


def _case_of(program: Program, branches: tuple[Branch, ...]) -> Case:
    return branches[-1].case if branches else program.notes.start


def _is_excluded(program: Program, branches: tuple[Branch, ...]) -> bool:
    """Whether a run that ended in an error is on no table; noted where only a bound that is a curve says so.

    Such a bound may be touched: there a weight can be 0 that is not 0 as a formula, and exclude the error.
    """
    evidence = _case_of(program, branches).is_impossible()
    if evidence is not None and evidence.on_an_edge:
        program.notes.start.edges[evidence.claim] = None
    return evidence is not None


def _broken(program: Program, errors: list[tuple[tuple[Branch, ...], Leaf]]) -> Iterator[Open]:
    for branches, leaf in errors[:_PARTS_SEARCHED]:
        conditions = tuple(_conditions(program, branches))
        reason = f"not excluded: {_message(leaf.error)}"
        yield Open(reason, _case_of(program, branches), conditions)


def _message(error: BaseException | None) -> str:
    diagnostic = getattr(error, "diagnostic", None)
    if isinstance(diagnostic, Diagnostic):
        return diagnostic.message
    return f"{type(error).__name__}: {error}"


def _conditions(program: Program, branches: tuple[Branch, ...]) -> Iterator[Condition]:
    """What is tested on a run, and that its weights are positive."""
    node: Question | Leaf = program.tree
    for branch in branches:
        assert isinstance(node, Question)
        if node.tested is not None:
            yield node.tested, branch.outcome
        elif branch.weight is not None:
            for factor, exponent in branch.weight.powers.items():
                if exponent > 0:
                    yield factor, frozenset({1})
        node = branch.then


def badly_emitted(
    every: list[tuple[tuple[Branch, ...], Leaf]], draft_length: int
) -> Iterator[Open]:
    """What of the emitted blocks keeps the induction over rounds from going through."""
    ends = [leaf for _, leaf in every if leaf.error is None]
    if any(not leaf.tokens and leaf.last is None for leaf in ends):
        yield Open("a round can emit no token at all, so that the induction fails")
    if any(len(leaf.tokens) + (leaf.last is not None) > draft_length + 1 for leaf in ends):
        yield Open("a round can emit more tokens than the draft length and one")
    if not all(_says_a_count(leaf) for leaf in ends):
        yield Open("a round can say that it accepted what is no number of the emitted tokens")


def _says_a_count(leaf: Leaf) -> bool:
    if leaf.accepted is None:
        return True
    length = len(leaf.tokens) + (leaf.last is not None)
    return isinstance(leaf.accepted, int) and 0 <= leaf.accepted <= length


def _failed(part: Part) -> Open:
    block, _ = part.differences[0]
    differs = tuple(d.numerator_polynomial() for _, d in part.differences)
    reason = f"the identity is not proved for {' '.join(map(str, block))}"
    return Open(reason, part.case, part.conditions, differs)


def _tests(tree: Question | Leaf) -> list[Test]:
    found: dict[Polynomial, dict[Signs, None]] = {}
    waiting: list[Question | Leaf] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Question):
            if node.tested is not None:
                signs = found.setdefault(node.tested, {})
                signs.update(dict.fromkeys(branch.outcome for branch in node.branches))
            waiting.extend(branch.then for branch in reversed(node.branches))
    return [Test(p, tuple(sorted(signs, key=sorted))) for p, signs in found.items()]


def _compared(program: Program) -> tuple[int, list[Open]]:
    """On how many tables both engines agree; where one disagrees the theorem is open."""
    count = _TABLES_COMPARED if len(program.contexts()) <= _MANY_CONTEXTS else _FEW_TABLES_COMPARED
    for tables in random_tables(program, count):
        found = _difference_on(program, tables)
        if found is not None:
            return 0, [
                Open(f"the rule computes otherwise with numbers than with formulas: {found}")
            ]
    return count, []


def _difference_on(program: Program, tables: Tables) -> str | None:
    try:
        return disagreement(program, tables)
    except InternalError:
        raise
    except (Fault, Exception) as error:
        return _message(error)
