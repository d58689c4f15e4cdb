"""What a proof rests on, for a person: acceptances, divisors, tests, parts of the tables, evidence."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from exactspec.prove.certificate import Certificate
from exactspec.prove.identity import Condition
from exactspec.prove.signs import Signs
from exactspec.prove.written import WrittenProgram, WrittenProof, WrittenTheorem
from exactspec.render.notation import factor_text, quotient_text, sum_text
from exactspec.render.parts import heading
from exactspec.text import counted, fraction_text, show, show_token

_LINES = 12
_STRONG, _WEAK = ("·",), ("·", "/", "+", "-", "the", "and", "where")
SIGNS = {
    frozenset({-1}): "< 0",
    frozenset({0}): "= 0",
    frozenset({1}): "> 0",
    frozenset({-1, 0}): "<= 0",
    frozenset({0, 1}): ">= 0",
    frozenset({-1, 1}): "!= 0",
    frozenset({-1, 0, 1}): "any",
}


def program_name(written: WrittenTheorem) -> str:
    """Which of the programs a theorem is about."""
    end = written.program.end
    name = "without an end token" if end is None else f"with the end token {show_token(end)}"
    if written.program.state is not None:
        name += f", carrying over {show(repr(written.program.state))}"
    return name


def conditions_text(written: WrittenProgram, conditions: Iterable[Condition]) -> str:
    """Signs of polynomials, one after another."""
    texts = (f"{sum_text(written.sum(p))} {SIGNS[signs]}" for p, signs in conditions)
    return ", ".join(dict.fromkeys(texts))


def obligations_text(whole: WrittenProof) -> Iterator[RenderableType | str]:
    """What the rule accepts with, divides by and draws from, each kind of formula once."""
    read = [written for written in whole.theorems if written.was_read]
    acceptances = kinds(
        quotient_text(w.kind(accept)) for w in read for accept, _ in w.obligations.acceptances
    )
    divisors = kinds(
        sum_text(w.kind_of(d.polynomial)) for w in read for d in w.obligations.divisors
    )
    laws = sum(len(written.obligations.laws) for written in read)
    if acceptances:
        yield heading("Accepted with a probability in [0, 1]")
        yield from few(acceptances)
    if divisors:
        yield heading("Divided by, and positive wherever it is")
        yield from few(divisors)
    if laws:
        yield Text(f"\n{counted(laws, 'law')} drawn from: no weight negative, the sum 1.")


def wrapped(line: str, width: int) -> list[str]:
    """A line of formulas, broken outside brackets where it is too long; what follows is indented.

    >>> wrapped("  draft a q(a) · accept min(p(a), q(a)) / q(a)", 30)
    ['  draft a q(a)', '      · accept min(p(a), q(a))', '      / q(a)']
    """
    begin = " " * (len(line) - len(line.lstrip(" ")))
    lines = [begin]
    for piece in _pieces(line.lstrip(" "), _STRONG):
        fits = len(lines[-1]) + len(piece) <= width
        parts = [piece] if fits else _pieces(piece, _WEAK)
        short = [
            each
            for part in parts
            for each in (
                [part] if len(part.rstrip()) + len(begin) + 4 <= width else _pieces(part, _WEAK, 9)
            )
        ]
        for part in short:
            if len(lines[-1]) + len(part.rstrip(" ")) > width and lines[-1].strip(" "):
                lines.append(begin + " " * 4)
            lines[-1] += part
    return [each.rstrip(" ") for each in lines]


def _pieces(text: str, separators: tuple[str, ...], deepest: int = 0) -> list[str]:
    """A text cut in front of words that are separators, and behind commas, where no more brackets are open."""
    pieces, depth = [""], 0
    for word in text.split(" "):
        may_break = word in separators or pieces[-1].endswith(", ")
        if depth <= deepest and may_break and pieces[-1]:
            pieces.append("")
        pieces[-1] += word + " "
        depth += sum(map(word.count, "([")) - sum(map(word.count, ")]"))
    return [*pieces[:-1], pieces[-1].removesuffix(" ")]


def kinds(texts: Iterable[str]) -> list[str]:
    """Each kind of formula once, with how many there are."""
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    return [f"{text}  (x {count:,})" if count > 1 else text for text, count in counts.items()]


def few(lines: Sequence[str]) -> Iterator[RenderableType | str]:
    """The first of many lines, and how many there are."""
    yield from (f"  {line}" for line in lines[:_LINES])
    if len(lines) > _LINES:
        yield Text(f"  … {len(lines) - _LINES:,} more (--format json)", "dim")


def strata_text(whole: WrittenProof) -> Iterator[RenderableType | str]:
    """What the rule tests, and the parts into which that splits the tables."""
    read = [written for written in whole.theorems if written.was_read]
    if not read:
        return
    yield heading("Parts of the tables")
    if not any(written.theorem.tests for written in read):
        yield Text(
            "The rule tests no number, so all tables are one part. Where a divisor is 0, the branch "
            "that divides by it is never taken, and the identity is the limit of that on tables nearby."
        )
        return
    for written in read:
        yield f"{program_name(written)}, the rule tests:"
        yield from few([_test_text(written, number) for number in _range(written)])
        yield from few([_part_text(written, number) for number in range(len(_parts(written)))])


def _range(written: WrittenTheorem) -> range:
    return range(len(written.theorem.tests))


def _parts(written: WrittenTheorem) -> Sequence[object]:
    return written.theorem.parts if len(written.theorem.parts) > 1 else ()


def _test_text(written: WrittenTheorem, number: int) -> str:
    test = written.theorem.tests[number]
    signs = " or ".join(SIGNS[each] for each in _apart(test.signs))
    effect = "splits the tables" if test.polynomial in written.splitting else "the same law"
    return f"{sum_text(written.sum(test.polynomial))} {signs}: {effect}"


def _apart(signs: Sequence[Signs]) -> list[Signs]:
    """The outcomes, without those that lie in another one."""
    return [one for one in signs if not any(one < other for other in signs)]


def _part_text(written: WrittenTheorem, number: int) -> str:
    part = written.theorem.parts[number]
    where = conditions_text(written, part.conditions)
    if part.empty is not None:
        return f"where {where}: no table, {_contradiction(written, part.empty)}"
    return f"where {where}: {'differs' if part.differences else 'holds'}"


def _sum_of(written: WrittenProgram, certificate: Certificate) -> str:
    """The parts of a certificate."""
    parts = [
        ("" if number == 1 else f"{fraction_text(number)} ")
        + factor_text(written.sum(known.polynomial))
        + (" > 0" if known.positive else " >= 0")
        for number, known in certificate.parts
    ]
    if certificate.rest:
        parts.append(f"{factor_text(written.sum(certificate.rest))} >= 0")
    return " and ".join(parts)


def certificate_text(written: WrittenProgram, certificate: Certificate) -> str:
    """A claim, and the parts that it is a sum of."""
    claim = sum_text(written.sum(certificate.claim))
    sign = ">" if certificate.positive else ">="
    return f"{claim} {sign} 0, the sum of {_sum_of(written, certificate)}"


def _contradiction(written: WrittenProgram, certificate: Certificate) -> str:
    """Why some conditions can't hold together: parts that are not negative, one of them positive, sum to 0."""
    if all(known.polynomial.number is not None for _, known in certificate.parts):
        return "the conditions contradict each other"
    return f"for {_sum_of(written, certificate)} sum to 0"
