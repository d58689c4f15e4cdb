"""The paths of one output sequence for a person: factors, products, their sum, the target's product."""

from fractions import Fraction

from rich.text import Text

from exactspec.check.sequence import SequenceProof
from exactspec.expand.tree import SequencePath
from exactspec.render.output import Page
from exactspec.render.parts import EQUAL, NOT_EQUAL, heading
from exactspec.render.report import path_line
from exactspec.text import fraction_and_decimal, fraction_text, short_fraction_text, show_tokens


def sequence_report(page: Page, proof: SequenceProof, rows: int) -> None:
    """Every path with its factors, and the sum as it is evaluated.

    Args:
        page: where it goes.
        proof: the paths.
        rows: how many paths to show.
    """
    which = "the sequence" if proof.ended else "sequences that begin with"
    page.line(heading(f"{which}: {show_tokens(proof.tokens)}"))
    page.line(Text("mass and steps of each path; rounds are parted by |", "dim"))
    if not proof.paths:
        page.line(Text("  (no path emits it)"))
    for path in proof.paths[:rows]:
        page.line(path_line(path))
    if len(proof.paths) > rows:
        page.line(Text(f"  … {len(proof.paths) - rows:,} more paths (--rows)", "dim"))
    page.line()
    page.line(Text(f"sum     {expression_text(proof, rows)}"))
    page.line(Text(f"      = {fraction_and_decimal(proof.got)}", "bold"))
    page.line(Text(f"target  {product_text(proof.target_factors)}"))
    sign = EQUAL if proof.got == proof.want else NOT_EQUAL
    page.line(Text(f"      = {fraction_and_decimal(proof.want)}", "bold"))
    word = "equal" if proof.got == proof.want else "not equal"
    difference = (
        "" if proof.got == proof.want else f", difference {fraction_text(proof.got - proof.want)}"
    )
    page.line(Text(f"{sign} the two are {word}{difference}"))


def expression_text(proof: SequenceProof, rows: int) -> str:
    """The expression that SymPy evaluated, its first terms where there are many."""
    terms = [_term(path) for path in proof.paths[:rows]]
    more = [f"({len(proof.paths) - rows:,} more terms)"] if len(proof.paths) > rows else []
    return " + ".join(terms + more) or "0"


def _term(path: SequencePath) -> str:
    return product_text(path.factors)


def product_text(factors: tuple[Fraction, ...]) -> str:
    """Factors with a star between them.

    >>> product_text((Fraction(1, 2), Fraction(1, 3)))
    '1/2*1/3'
    """
    return "*".join(map(short_fraction_text, factors)) or "1"
