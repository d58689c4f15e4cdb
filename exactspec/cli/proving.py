"""``exactspec prove``: one rule for all tables of a size."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exactspec.algorithms.load import named_rule, option_problems
from exactspec.check.verdict import Undecided
from exactspec.cli.answers import within_limits
from exactspec.cli.files import refuse_existing, write_new
from exactspec.cli.guard import say
from exactspec.cli.guest import hosting
from exactspec.cli.options import ProofFormat
from exactspec.cli.progress import Progress
from exactspec.errors import BudgetReached, Diagnostic, ExactspecError, ExitCode, ModelError
from exactspec.model.scenario import OptionValue
from exactspec.numbers import NumberError, parse_number
from exactspec.prove.proof import Claim, Limits, Proof, prove
from exactspec.prove.written import WrittenProof, written
from exactspec.render import as_json
from exactspec.render.output import new_page
from exactspec.render.proof import proof_report
from exactspec.render.proof_explain import explanation
from exactspec.render.proof_json import proof_data
from exactspec.render.proof_latex import proof_latex
from exactspec.rule import Algorithm
from exactspec.text import show

_CODES = {
    "proved": ExitCode.LOSSLESS,
    "refuted": ExitCode.LOSSY,
    "undecided": ExitCode.UNDECIDED,
}


@dataclass(frozen=True)
class ProofWishes:
    """What the user asked for: the claim, the limits, the form of the report."""

    rule: str
    vocabulary: int
    draft_length: int
    options: Sequence[str]
    max_paths: int
    max_parts: int
    timeout: float | None
    form: ProofFormat
    explain: bool
    rows: int
    witness: Path | None
    colour: str


class Proving:
    """Proves or refutes the claim at once; the report is made from what was found."""

    def __init__(self, wishes: ProofWishes, progress: Progress) -> None:
        self._wishes, self._progress = wishes, progress
        self._errors: tuple[Diagnostic, ...] = ()
        self._proof: Proof | None = None
        if wishes.witness is not None:
            refuse_existing(wishes.witness)
        try:
            self._proof = self._found()
        except ExactspecError as error:
            if wishes.form is not ProofFormat.JSON:
                raise
            self._errors = error.diagnostics
        finally:
            progress.clear()

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.BAD_INPUT if self._proof is None else _CODES[self._proof.word]

    def text(self) -> str:
        """The report."""
        wishes = self._wishes
        if self._proof is None:
            data = as_json.error_data(wishes.rule, self._errors)
            return as_json.document(rule=data.pop("file"), **data)
        with hosting(None):
            whole = written(self._proof)
            if wishes.form is ProofFormat.JSON:
                return as_json.document(**proof_data(whole))
            if wishes.form is ProofFormat.LATEX:
                return proof_latex(whole, wishes.rows if wishes.explain else 0)
            return self._report(whole)

    def _report(self, whole: WrittenProof) -> str:
        wishes = self._wishes
        page = new_page(wishes.colour, sys.stdout)
        proof_report(page, whole, None if wishes.witness is None else str(wishes.witness))
        if wishes.explain:
            explanation(page, whole, wishes.rows)
        return page.text()

    def write_witness(self) -> None:
        """Write the refuting model, if there is one and it is wanted."""
        file = self._wishes.witness
        if file is None or self._proof is None:
            return
        if self._proof.witness is None:
            say("exactspec: no model refutes the claim, and none was written\n")
            return
        write_new(file, self._proof.witness.model)
        say(f"wrote {show(str(file))}\n")

    def _found(self) -> Proof:
        wishes = self._wishes
        claim = self._claim(Algorithm(wishes.rule, lambda: ()))
        limits = Limits(wishes.max_paths, wishes.max_parts, on_progress=self._progress)
        try:
            with hosting(wishes.timeout):
                claim = self._claim(named_rule(wishes.rule))
        except BudgetReached as limit:
            return Proof(claim, stopped=Undecided(limit.reason, limit.hint))
        problems = option_problems(claim.rule, claim.options, None, "--option {name}=...")
        if problems:
            raise ModelError(problems)
        self._progress(f"{show(wishes.rule)}: looking for a small counterexample")
        hint = "prove a smaller vocabulary or a shorter draft"
        found = within_limits(wishes.timeout, lambda: prove(claim, limits), hint)
        return Proof(claim, stopped=found) if isinstance(found, Undecided) else found

    def _claim(self, rule: Algorithm) -> Claim:
        wishes = self._wishes
        options = dict(map(_option, wishes.options))
        return Claim(rule, wishes.rule, wishes.vocabulary, wishes.draft_length, options)


def _option(text: str) -> tuple[str, OptionValue]:
    """An option from the command line: ``name=value``, a list with commas.

    Raises:
        ModelError: where there is no ``=``.
    """
    name, is_there, value = text.partition("=")
    if not is_there or not name or not value:
        message = f"--option {show(text)} is not of the form name=value"
        raise ModelError([Diagnostic("option-form", message, "for example: --option candidates=3")])
    if "," not in value:
        return name, _value(value)
    return name, tuple(_value(part.strip()) for part in value.removesuffix(",").split(","))


def _value(text: str) -> OptionValue:
    """A number where it is written as one in the model file's grammar, else a text."""
    try:
        number = parse_number(text)
    except NumberError:
        return text
    return int(number) if text.isdigit() else number
