"""The page of the catalogue, made from the rules and from their runs on the common toy."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from exactspec import check, load
from exactspec.algorithms import CATALOGUE, LOSSLESS, LOSSY, MISTAKES
from exactspec.check.verdict import Lossless
from exactspec.model.scenario import OptionValue
from exactspec.render.catalogue import option_defaults, option_text
from exactspec.text import fraction_and_decimal

PAGE = Path(__file__).parent.parent / "docs" / "catalogue.md"
TOY = load("examples/theory.yaml")
HEAD = """\
# The catalogue

The rules that exactspec knows: lossless ones with their condition, lossy ones, and mistakes that were
made. Each is one short file in `exactspec/algorithms`, to be read beside its paper; `exactspec algorithms`
lists them, and any of them judges a model file with `--rule NAME` or `algorithm: NAME`.

The figures are those of `examples/theory.yaml` (three tokens, draft length 2, horizon 4) with the options'
defaults: expected accepted drafts in the first round, expected target calls to the horizon, and the total
variation distance of the emitted sequences from the wanted ones. "Its own law" marks rules that are judged
by the law that they promise, not by the target. This page is made by the tests.

## Four conditions that decide almost every variant

- **True proposal law.** The q in the ratio and in the residual is the law that the token was drawn from,
  given everything that is decided already.
- **Fresh randomness.** The acceptance coin and the corrected token are independent of the draft's draw and
  of each other.
- **Non-anticipating admission.** Whether a position is verified may depend on the tokens before it, not on
  its own drafted token or later ones.
- **No second chance.** Once a token is accepted, or drawn after a rejection, it is emitted.

Where a rule promises a modified law for later positions, that law is part of the state, and later rounds
must use it. Where the target's own sample is emitted and only compared with the draft, any draft will do.
"""
KINDS = (
    ("Lossless", "Under the condition that each section gives, whatever the tables.", LOSSLESS),
    ("Lossy by design", "They trade the target's law for speed, or for a benchmark.", LOSSY),
    (
        "Mistakes",
        "Wrong variants, seen in code or a temptation; each is found lossy here.",
        MISTAKES,
    ),
)


OTHERS = (
    ("k_seq", 2, {"bisections": 12}),
    ("canonical_decomposition", 2, {"weights": "ratio"}),
    ("warped_draft", 2, {"top_k": 2, "inverse_temperature": 1}),
    ("warped_target", 2, {"top_k": 2, "inverse_temperature": 1}),
    ("token_level", 3, {}),
    ("block_verification", 3, {}),
    ("greedy_block_verification", 3, {}),
    *(
        (name, 1, {})
        for name in ("naive_multi_draft", "spec_hub", "greedy_drafting", "gumbel_coupling")
    ),
    *((name, 1, {}) for name in ("k_seq", "canonical_decomposition")),
    ("recursive_rejection_with_replacement", 1, {}),
    ("recursive_rejection_without_replacement", 1, {}),
)


def test_the_page_of_the_catalogue_is_current(golden: Callable[[Path, str], None]) -> None:
    golden(PAGE, "\n".join(_page()))


def _page() -> Iterator[str]:
    yield HEAD
    for title, about, names in KINDS:
        yield from (f"## {title}", "", about, "")
        yield "| rule | verdict | E[accepted] | E[calls] | distance |"
        yield "| --- | --- | --- | --- | --- |"
        yield from map(_row, names)
        yield ""
        for name in names:
            yield from _section(name)
    yield from (
        "## With other options",
        "",
        "The same toy, with other options or draft lengths.",
        "",
    )
    yield "| rule | verdict | E[accepted] | E[calls] | distance |"
    yield "| --- | --- | --- | --- | --- |"
    for name, draft_length, options in OTHERS:
        yield _row(name, draft_length, **options)
    yield ""


def _row(name: str, draft_length: int = 2, **options: OptionValue) -> str:
    rule = CATALOGUE[name]
    own = rule.wanted is not None
    model = replace(TOY, draft_length=draft_length, options=options)
    result = check(replace(model, wanted="rule") if own else model, rule)
    mean = result.round_figures[0].mean_accepted
    word = result.verdict.word + (" to its own law" if own else "")
    if isinstance(result.verdict, Lossless) and result.verdict.scope.horizon is not None:
        word += f" {result.verdict.scope}"
    figures = [
        "-" if mean is None else fraction_and_decimal(mean),
        fraction_and_decimal(result.run.calls),
        fraction_and_decimal(result.listing.total_variation),
    ]
    with_options = "".join(f", {key} {option_text(value)}" for key, value in options.items())
    with_options += f", draft length {draft_length}" if draft_length != 2 else ""
    return f"| [`{name}`](#{name}){with_options} | {word} | {' | '.join(figures)} |"


def _section(name: str) -> Iterator[str]:
    rule = CATALOGUE[name]
    summary, _, rest = (inspect.getdoc(rule.function) or "").partition("\n")
    yield from (f"### {name}", "")
    yield from (summary, "")
    if rest.strip():
        yield from (rest.strip("\n"), "")
    facts = {
        "Lossless when": rule.lossless_when,
        "Accepts": rule.acceptance,
        "At the edges": rule.edge_cases,
        "Seen in": rule.seen_in,
        "Options": ", ".join(f"`{key}: {value}`" for key, value in option_defaults(rule).items()),
        "Source": rule.paper,
        "File": f"`{Path(inspect.getsourcefile(rule.function)).relative_to(PAGE.parent.parent)}`",
    }
    yield from (f"- {key}: {value}" for key, value in facts.items() if value)
    yield ""
