"""A proof for a person: the claim, the single-step chain, what it rests on, the induction."""

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from exactspec.check.verdict import Lossy
from exactspec.prove.claim import END, Claim
from exactspec.prove.lemmas import Lemma
from exactspec.prove.program import Block
from exactspec.prove.theorem import Open, Proof
from exactspec.prove.witness import Witness
from exactspec.prove.written import WrittenProgram, WrittenProof, WrittenTheorem
from exactspec.render.diagnostics import diagnostics_text
from exactspec.render.notation import quotient_text
from exactspec.render.output import Page
from exactspec.render.parts import columns, heading
from exactspec.render.proof_parts import (
    conditions_text,
    few,
    obligations_text,
    program_name,
    strata_text,
    wrapped,
)
from exactspec.render.report import counterexample_lines
from exactspec.text import counted, show, show_token, visible

_COLOURS = {"proved": "green", "refuted": "red", "undecided": "yellow"}
_STATEMENTS = {
    "proved": "lossless for every target and every draft",
    "refuted": "lossy for a target and a draft of this size",
}
LEMMAS = {
    "accepted-mass": ("accepted mass", "min(p(x), q(x))"),
    "rejection-probability": ("rejection probability", "β = Σ_t [p(t) - q(t)]+"),
    "total-variation": ("total variation distance", "β = 1/2 Σ_t |p(t) - q(t)|"),
    "resampled-mass": ("corrected mass", "[p(x) - q(x)]+"),
    "single-step": ("emitted mass", "p(x)"),
}


def proof_report(page: Page, whole: WrittenProof, witness_file: str | None) -> None:
    """The whole report on one claim.

    Args:
        page: where it goes.
        whole: what was found.
        witness_file: where the refuting model is written, if it is.
    """
    page.add(_verdict(whole.proof))
    if whole.proof.witness is not None:
        for part in _refutation(whole.proof.claim, whole.proof.witness, witness_file):
            _add(page, part)
        return
    parts = (
        *_open(whole),
        *_claim(whole),
        *_chain(whole),
        *_block_laws(whole),
        *_extent(whole),
        *obligations_text(whole),
    )
    for part in (*parts, *strata_text(whole), *_induction(whole.proof)):
        _add(page, part)


def _add(page: Page, part: RenderableType | str) -> None:
    """A formula or a line of a file stays on its line, prose wraps."""
    if isinstance(part, str):
        for line in wrapped(part, page.width):
            page.line(Text(line))
    else:
        page.add(part)


def _verdict(proof: Proof) -> Panel:
    colour = _COLOURS[proof.word]
    text = Text(proof.word.upper(), f"bold {colour}")
    if proof.word in _STATEMENTS:
        text.append(f" {_STATEMENTS[proof.word]}", colour)
    if proof.word == "proved":
        text.append(
            "\nEvery output sequence has exactly the target's probability, at every horizon."
        )
    if proof.word == "undecided":
        text.append(f"  {visible(_first_open(proof))}\nhint: {_hint(proof)}")
    text.append("\n" + subject(proof.claim), "dim")
    title = Text(show(proof.claim.reference))
    return Panel(text, title=title, title_align="left", border_style=colour, box=box.ROUNDED)


def _first_open(proof: Proof) -> str:
    return proof.open[0] if proof.open else "nothing was found out"


def _hint(proof: Proof) -> str:
    if proof.stopped is not None:
        return proof.stopped.hint
    hints = [each.hint for theorem in proof.theorems for each in theorem.open if each.hint]
    if hints:
        return hints[0]
    return (
        "leave out of the rule what is named here, or decide on a model's tables: exactspec check"
    )


def subject(claim: Claim) -> str:
    """What the claim is about, in one line."""
    parts = [
        f"rule {show(claim.rule.name)}",
        f"draft length {claim.draft_length}",
        f"vocabulary of {claim.vocabulary}, with and without an end token",
    ]
    parts += [f"{show(name)} = {show(str(value))}" for name, value in claim.options.items()]
    if claim.rule.file is not None and claim.rule.digest is not None:
        parts.append(f"ran {show(claim.rule.file)} (sha256 {claim.rule.digest[:12]})")
    return " · ".join(parts)


def _refutation(claim: Claim, witness: Witness, file: str | None) -> Iterator[RenderableType | str]:
    if witness.result is not None and isinstance(witness.result.verdict, Lossy):
        yield from counterexample_lines(witness.result.verdict.counterexample)
    if witness.broken:
        yield heading("The rule breaks down")
        yield from diagnostics_text(witness.broken).rstrip("\n").split("\n")
    yield heading("On this model, confirmed by enumerating its paths")
    yield from map(visible, witness.model.rstrip("\n").split("\n"))
    yield heading("To run it")
    if file is None:
        yield Text("--witness FILE writes the model to a file; then")
    name = "FILE" if file is None else show(file)
    rule = "" if claim.rule.of_the_catalogue else f" --rule {show(claim.reference)}"
    yield f"exactspec check{rule} {name}"


def _open(whole: WrittenProof) -> Iterator[RenderableType | str]:
    points = [(written, each) for written in whole.theorems for each in written.theorem.open]
    if not points:
        return
    yield heading("What is open")
    yield from few([_open_point(written, each) for written, each in points])


def _open_point(written: WrittenTheorem, point: Open) -> str:
    where = f"{program_name(written)}: {visible(point.reason)}"
    conditions = conditions_text(written, point.conditions)
    return f"{where}, where {conditions}" if conditions else where


def _claim(whole: WrittenProof) -> Iterator[RenderableType | str]:
    claim, lengths = whole.proof.claim, [_longest(written) for written in whole.theorems]
    if not any(lengths):
        return
    yield heading("The claim")
    yield Text(
        f"Let p be any target and q any draft over {_tokens(claim)}, with rows of "
        f"their own behind every context h, and γ = {claim.draft_length}. Let R be the law of the "
        "block that one round emits behind h. Then for every string s of "
        f"{counted(max(lengths), 'token')}, or shorter where the end token ends it,"
    )
    yield "  Σ R(b) p(rest of s | h b) = p(s), the sum over all blocks b that s begins with."
    yield Text(
        "p(x) is short for p(x | h), [t]+ for max(0, t), and β for Σ_t [p(t) - q(t)]+; all numbers "
        "stand for every value that table entries can have, 0 and 1 among them.",
        "dim",
    )


def _tokens(claim: Claim) -> str:
    """The tokens by name: a rule that knows them by name is proved for these."""
    first, *_, last = claim.tokens(False)
    names = ", ".join(claim.tokens(False)) if claim.vocabulary <= 4 else f"{first}, ..., {last}"
    return f"the {claim.vocabulary} tokens {names} (or with {END} in the place of {last})"


def _longest(written: WrittenTheorem) -> int:
    return written.program.longest_block() if written.was_read else 0


def _chain(whole: WrittenProof) -> Iterator[RenderableType | str]:
    if whole.chain is None or not whole.proof.lemmas:
        return
    yield heading("One step (γ = 1), for every token x")
    table = columns("", "in the theory", "here")
    for lemma in whole.proof.lemmas:
        name, formula = LEMMAS[lemma.name]
        table.add_row(name, formula, _holds(lemma))
    yield table
    for lemma in whole.proof.lemmas:
        if lemma.sides and not lemma.holds:
            yield f"{LEMMAS[lemma.name][0]} {_other_way(whole.chain, lemma)}"


def _holds(lemma: Lemma) -> str:
    if not lemma.sides:
        return "by cases"
    return "holds" if lemma.holds else "goes another way"


def _other_way(chain: WrittenProgram, lemma: Lemma) -> str:
    token, (mine, _) = next(iter(lemma.sides.items()))
    of = "" if token is None else f"of {show_token(token)} "
    return f"{of}is {quotient_text(chain.quotient(mine))}"


def _block_laws(whole: WrittenProof) -> Iterator[RenderableType | str]:
    for written in whole.theorems:
        laws = written.block_laws if written.theorem.is_proved else ()
        if laws:
            yield heading(f"The law R of a block, {program_name(written)}")
        yield from few([f"R({_letters(block)}) = {quotient_text(mass)}" for block, mass in laws])


def _letters(block: Block) -> str:
    return " ".join(map(show_token, block))


def _extent(whole: WrittenProof) -> Iterator[RenderableType]:
    read = [written for written in whole.theorems if written.was_read]
    if not read:
        return
    yield heading("What was compared")
    table = columns("the round", "paths", "strings", "parts of the tables", "round identity")
    for written in read:
        theorem = written.theorem
        numbers = theorem.paths, theorem.strings, len(theorem.parts)
        word = "holds" if theorem.is_proved else "open"
        table.add_row(program_name(written), *(f"{n:,}" for n in numbers), word)
    yield table
    compared = {written.theorem.compared for written in read} - {0}
    if compared:
        yield Text(
            f"Beside the proof, formulas and plain enumeration gave the same law on {max(compared)} "
            "tables of each, with zeros, ties and equal rows among them.",
            "dim",
        )


def _induction(proof: Proof) -> Iterator[RenderableType]:
    if proof.word != "proved":
        return
    yield heading("From one round to every horizon")
    yield Text(
        "h is any context, so the identity holds from wherever a round begins. Every round emits at "
        "least one token, and nothing follows an end token. So by induction on the number of tokens "
        "every sequence has the target's probability: the first round's block, continued with p, has "
        "it, and what follows the block is a run from a context for which the claim holds already."
    )
