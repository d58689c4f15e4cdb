r"""A proof as a fragment of LaTeX for an appendix: theorem, lemma, proof, in the rule's own notation.

It needs amsmath and amsthm, and the environments theorem, lemma and proposition.
"""

from collections.abc import Iterable, Iterator

from exactspec.check.verdict import Lossy
from exactspec.prove.account import StringAccount
from exactspec.prove.claim import Claim
from exactspec.prove.formula import Formula
from exactspec.prove.lemmas import Lemma
from exactspec.prove.theorem import Proof
from exactspec.prove.witness import Witness
from exactspec.prove.written import WrittenProgram, WrittenProof, WrittenTheorem
from exactspec.render.notation_latex import LatexNotation, escaped, place_latex, typewriter
from exactspec.text import fraction_text

_HEAD = r"""% \usepackage{amsmath, amsthm, textcomp}
% \newtheorem{theorem}{Theorem} \newtheorem{lemma}{Lemma} \newtheorem{proposition}{Proposition}
"""
_LEMMAS = {
    "accepted-mass": (r"\Pr[@ \text{ is accepted}]", r"\min\bigl(p(x),\, q(x)\bigr)"),
    "rejection-probability": (r"\Pr[\text{rejected}]", r"\beta"),
    "total-variation": (r"\tfrac{1}{2}\textstyle\sum_t |p(t) - q(t)|", r"\beta"),
    "resampled-mass": (r"\Pr[\text{rejected, then } @]", r"\bigl[p(x) - q(x)\bigr]_+"),
    "single-step": (r"\Pr[@ \text{ is emitted}]", "p(x)"),
}
_ANY_TOKEN = "@"
_INDUCTION = r"""\emph{Every horizon.} The context $h$ is any, so \eqref{eq:round} holds from wherever a round
begins. Every round emits at least one token, and nothing follows an end token. By induction on the
number of tokens every sequence has the target's probability: the first round's block, continued with
$p$, has it by \eqref{eq:round}, and what follows the block is a run from a context for which the claim
holds already.
"""


def proof_latex(whole: WrittenProof, strings: int) -> str:
    """The fragment.

    Args:
        whole: what was found.
        strings: for how many strings of each program the masses are added up.
    """
    proof = whole.proof
    if proof.witness is not None:
        body = _refutation(proof.claim, proof.witness)
    elif proof.word == "proved":
        body = _proved(whole, strings)
    else:
        body = _undecided(proof)
    return _HEAD + "\n".join(body) + "\n"


def _rule(claim: Claim) -> str:
    options = ", ".join(f"{name} = {value}" for name, value in claim.options.items())
    return typewriter(claim.rule.name) + (f" ({typewriter(options)})" if options else "")


def _setting(claim: Claim) -> str:
    return (
        f"Let $p$ be a target and $q$ a draft over ${claim.vocabulary}$ tokens, with rows of their own "
        rf"behind every context, and let $\gamma = {claim.draft_length}$."
    )


def _proved(whole: WrittenProof, strings: int) -> Iterator[str]:
    claim = whole.proof.claim
    yield rf"\begin{{theorem}}[{_rule(claim)} is lossless]"
    yield _setting(claim).replace("a target", "any target").replace("a draft", "any draft")
    yield "Then every sequence that the rule emits has exactly its probability under $p$, at every"
    yield "horizon, without an end token as well as with one."
    yield r"\end{theorem}"
    yield ""
    yield r"Write $p(x)$ for $p(x \mid h)$, $[t]_+$ for $\max(0, t)$, and"
    yield r"$\beta(h) = \sum_t [p(t \mid h) - q(t \mid h)]_+$, with $\beta = \beta(h)$."
    yield from _lemma(whole)
    yield ""
    yield r"\begin{proof}"
    yield from _round_identity(whole)
    for written in whole.theorems:
        yield from _program(written, strings)
    yield from _rests_on(whole)
    yield _INDUCTION.rstrip("\n")
    yield r"\end{proof}"


def _lemma(whole: WrittenProof) -> Iterator[str]:
    holding = [lemma for lemma in whole.proof.lemmas if lemma.holds]
    if whole.chain is None or not holding:
        return
    yield ""
    yield r"\begin{lemma}[One step]"
    yield r"For $\gamma = 1$ and every token $x$,"
    yield from _aligned(
        r" &= ".join(_LEMMAS[lemma.name]).replace(_ANY_TOKEN, "x") for lemma in holding
    )
    yield r"\end{lemma}"
    others = [lemma for lemma in whole.proof.lemmas if lemma.sides and not lemma.holds]
    if others:
        yield "The rule goes another way than single-draft speculative sampling:"
        yield from _aligned(_other_way(whole.chain, lemma) for lemma in others)


def _other_way(chain: WrittenProgram, lemma: Lemma) -> str:
    token, (mine, _) = next(iter(lemma.sides.items()))
    name = _LEMMAS[lemma.name][0].replace(_ANY_TOKEN, typewriter(token or ""))
    return f"{name} &= {_formula(chain, mine)}"


def _aligned(lines: Iterable[str]) -> Iterator[str]:
    yield r"\begin{align*}"
    yield " \\\\\n".join(f"  {line}" for line in lines)
    yield r"\end{align*}"


def _round_identity(whole: WrittenProof) -> Iterator[str]:
    longest = max(written.program.longest_block() for written in whole.theorems)
    yield (
        r"\emph{One round.} Let $R$ be the law of the block that one round emits behind $h$. For every "
        f"string $s$ of ${longest}$ tokens, or shorter where the end token ends it,"
    )
    yield r"\begin{equation}\label{eq:round}"
    yield r"  \sum_{b \text{ begins } s} R(b)\, p(s \text{ without } b \mid h\,b) = p(s \mid h)."
    yield r"\end{equation}"
    yield (
        r"With the table entries as variables, the last of a row $1$ minus the others, and "
        r"$\min(a, b) = a - [a - b]_+$, both sides are equal as quotients of polynomials, for each $s$."
    )


def _program(written: WrittenTheorem, strings: int) -> Iterator[str]:
    notation = LatexNotation(written.program.vocabulary)
    end = written.program.end
    name = "Without an end token" if end is None else f"With the end token {typewriter(end)}"
    sizes = f"{written.theorem.paths:,} paths, {written.theorem.strings:,} strings"
    yield ""
    if not written.block_laws:
        parts = f"{len(written.theorem.parts):,} parts of the tables"
        yield f"{name} ({sizes}) it was compared in each of {parts}, by the outcomes of the rule's tests."
        return
    letters = "" if end is None else f" (a letter stands for any token but {typewriter(end)})"
    yield f"{name} ({sizes}) the masses of the paths that emit a block add up to{letters}:"
    yield from _aligned(
        rf"R({place_latex(block, written.program.vocabulary)}) &= {notation.quotient(mass)}"
        for block, mass in written.block_laws
    )
    for string in written.strings[:strings]:
        yield from _string(written, string)


def _string(written: WrittenTheorem, string: StringAccount) -> Iterator[str]:
    name = place_latex(string.tokens, written.program.vocabulary)
    terms = [_formula(written, b.total * b.rest) for b in string.blocks if b.total is not None]
    yield f"So ${name}$ has"
    first, *rest = terms
    lines = [f"&\\phantom{{{{}}+{{}}}} {first}", *(f"&+ {term}" for term in rest)]
    yield from _aligned([*lines, f"&= {_formula(written, string.wanted)}"])


def _rests_on(whole: WrittenProof) -> Iterator[str]:
    accepts: dict[str, None] = {}
    divisors: dict[str, None] = {}
    for written in whole.theorems:
        notation = LatexNotation(written.program.vocabulary)
        for accept, _ in written.obligations.acceptances:
            accepts[notation.quotient(written.kind(accept))] = None
        for divisor in written.obligations.divisors:
            divisors[notation.sum(written.kind_of(divisor.polynomial))] = None
    yield ""
    yield r"\emph{What this rests on.} Every law that is drawn from has no negative weight and the sum $1$."
    if accepts:
        yield r"Each probability of an acceptance lies in $[0, 1]$:"
        yield from _displayed(accepts)
    if divisors:
        yield "Each of the following is positive wherever a step divides by it:"
        yield from _displayed(divisors)
    yield (
        "Where one of them is $0$ the step is never reached, and the identity is the limit of that on "
        "tables nearby."
    )
    yield ""


def _displayed(formulas: Iterable[str]) -> Iterator[str]:
    yield r"\begin{gather*}"
    yield " \\\\\n".join(f"  {formula}" for formula in formulas)
    yield r"\end{gather*}"


def _formula(written: WrittenProgram, formula: Formula) -> str:
    notation = LatexNotation(written.program.vocabulary)
    return notation.quotient(written.quotient(formula))


def _refutation(claim: Claim, witness: Witness) -> Iterator[str]:
    yield rf"\begin{{proposition}}[{_rule(claim)} is not lossless]"
    yield _setting(claim)
    result = witness.result
    if result is not None and isinstance(result.verdict, Lossy):
        example = result.verdict.counterexample
        tokens = place_latex(example.tokens, result.scenario.vocabulary)
        yield (
            f"On the tables below, sequences that begin with ${tokens}$ are emitted with probability "
            f"${fraction_text(example.got)}$, not ${fraction_text(example.want)}$."
        )
    else:
        yield "On the tables below the rule breaks down:"
        yield from (typewriter(diagnostic.message) for diagnostic in witness.broken)
    yield r"\end{proposition}"
    yield ""
    yield r"\begin{flushleft}"
    yield " \\\\\n".join(
        typewriter(line).replace(" ", "~") for line in witness.model.rstrip("\n").split("\n")
    )
    yield r"\end{flushleft}"


def _undecided(proof: Proof) -> Iterator[str]:
    yield f"% {escaped(proof.claim.rule.name)}: undecided, nothing is proved."
    yield from (f"% open: {escaped(reason)}" for reason in proof.open)
