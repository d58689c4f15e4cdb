"""How the masses of a string's paths add up to the target's probability, path by path."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from exactspec.prove.account import EmittedBlock, Share, Step, StringAccount
from exactspec.prove.formula import Formula
from exactspec.prove.symbols import Plus
from exactspec.prove.world import PositivePart
from exactspec.prove.written import WrittenProof, WrittenTheorem
from exactspec.render.notation import quotient_text, sum_text, symbol_text
from exactspec.render.output import Page
from exactspec.render.parts import heading
from exactspec.render.proof_parts import SIGNS, certificate_text, few, kinds, program_name, wrapped
from exactspec.render.tree import token_text
from exactspec.text import show, show_tokens

_PATHS = 8


def explanation(page: Page, whole: WrittenProof, rows: int) -> None:
    """Both sides of the identity for some strings, and evidence for some obligations.

    Args:
        page: where it goes.
        whole: the proof.
        rows: how many strings, and how many obligations of each program.
    """
    for written in whole.theorems:
        if written.theorem.is_proved:
            page.add(heading(f"The masses, {program_name(written)}"))
            for line in _program(written, rows):
                for each in wrapped(line, page.width):
                    page.line(Text(each))


def _program(written: WrittenTheorem, rows: int) -> Iterator[str]:
    for string in written.strings[:rows]:
        yield from _string(written, string)
    more = len(written.strings) - rows
    if more > 0:
        yield f"… {more:,} more strings (--rows)"
    yield from _parts(written)
    yield from _evidence(written, rows)


def _string(written: WrittenTheorem, string: StringAccount) -> Iterator[str]:
    yield f"{show_tokens(string.tokens)}: wanted {_text(written, string.wanted)}"
    for block in string.blocks:
        yield from _block(written, block, string)
    totals = [block.total for block in string.blocks]
    if all(total is not None for total in totals) and totals:
        products = [b.total * b.rest for b in string.blocks if b.total is not None]
        yield f"  together {' + '.join(_text(written, product) for product in products)}"
        yield f"         = {_text(written, string.wanted)}"
    yield ""


def _block(written: WrittenTheorem, block: EmittedBlock, string: StringAccount) -> Iterator[str]:
    rest = string.tokens[len(block.tokens) :]
    goes_on = f", then {show_tokens(rest)} by p: {_text(written, block.rest)}" if rest else ""
    yield f"  block {show_tokens(block.tokens)}{goes_on}"
    for share in block.shares[:_PATHS]:
        yield f"    {_share(written, share, block)}"
    if len(block.shares) > _PATHS:
        yield f"    … {len(block.shares) - _PATHS:,} more paths (--format json)"
    if block.total is not None:
        yield f"    sum {_text(written, block.total)}"


def _share(written: WrittenTheorem, share: Share, block: EmittedBlock) -> str:
    steps = [_step(written, step) for step in share.run.steps]
    if share.run.leaf.last is not None:
        steps.append(f"{token_text(block.tokens[-1])} {_text(written, share.last)}")
    return " · ".join(steps) or "1"


def _step(written: WrittenTheorem, step: Step) -> str:
    if step.tested is not None:
        return f"where {sum_text(written.sum(step.tested))} {SIGNS[step.signs]}"
    assert step.weight is not None
    name = show(step.name) if step.token is None else f"{show(step.name)} {token_text(step.token)}"
    return f"{name} {_text(written, step.weight)}"


def _text(written: WrittenTheorem, formula: Formula) -> str:
    return quotient_text(written.quotient(formula))


def _parts(written: WrittenTheorem) -> Iterator[str]:
    world, notation = written.program.world, written.notation
    found = [notation.variable(v) for v, m in enumerate(world.meanings) if _is_part(m)]
    texts = [
        symbol_text(Plus(written.general(symbol.of)))
        for symbol in found
        if isinstance(symbol, Plus)
    ]
    if texts:
        yield "Positive parts, each known only to be at least 0 and at least what is in it:"
        yield from _lines(kinds(texts))
        yield ""


def _is_part(meaning: object) -> bool:
    return isinstance(meaning, PositivePart)


def _evidence(written: WrittenTheorem, rows: int) -> Iterator[str]:
    """Why divisors are positive, those left out that are the weight of a step before them."""
    divisors = [d.evidence for d in written.obligations.divisors if d.evidence is not None]
    sums = [e for e in divisors if e.claim not in [known.polynomial for _, known in e.parts]]
    weights = len(divisors) - len(sums)
    yield f"Of the divisors, {weights:,} are positive as factors of a weight before them; the others:"
    for evidence in sums[:rows]:
        yield f"  {certificate_text(written, evidence)}"
    if len(sums) > rows:
        yield f"  … {len(sums) - rows:,} more (--rows)"


def _lines(texts: Sequence[str]) -> Iterator[str]:
    for line in few(texts):
        yield line if isinstance(line, str) else str(line)
