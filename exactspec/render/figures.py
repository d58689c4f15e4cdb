"""The figures of a result as tables: contexts, the first token, a round, a run, the sequences."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from exactspec.check.check import Result
from exactspec.check.facts import ContextFacts, RoundFacts
from exactspec.check.listing import Output
from exactspec.distribution import Distribution
from exactspec.render.parts import (
    EQUAL,
    NOT_EQUAL,
    columns,
    heading,
    number,
    place_of,
    state_text,
    wanted_text,
)
from exactspec.text import (
    counted,
    fraction_and_decimal,
    short_fraction_text,
    show,
    show_token,
    show_tokens,
)

_TOKENS_SHOWN = 20


def context_figures(result: Result, rows: int) -> Iterator[RenderableType]:
    if not result.contexts:
        return
    yield heading("Contexts in which a round begins")
    table = columns(
        "context", "accept", "reject", "residual mass", "TV", "", "residual distribution"
    )
    for facts in result.contexts[:rows]:
        table.add_row(
            state_text(facts.state),
            number(facts.acceptance),
            number(facts.rejection),
            number(facts.residual_mass),
            number(facts.total_variation),
            _agreement(facts),
            _residual(facts),
        )
    yield table
    if len(result.contexts) > rows:
        yield Text(f"… {len(result.contexts) - rows:,} more contexts (--rows)", "dim")
    yield Text(_legend(result.contexts), "dim")
    yield from _single_step(result.contexts[0])


def _legend(contexts: Sequence[ContextFacts]) -> str:
    signs = set(map(_agreement, contexts))
    beta = " The last three agree: they are β." if signs == {EQUAL} else ""
    return (
        "accept, reject: mass of the paths whose first coin accepts, rejects; residual mass: sum of "
        f"[p - q]+; TV: total variation distance of p and q.{beta}"
    )


def _agreement(facts: ContextFacts) -> str:
    if facts.rejection is None or facts.residual_mass is None:
        return ""
    return EQUAL if facts.rejection == facts.residual_mass == facts.total_variation else NOT_EQUAL


def _residual(facts: ContextFacts) -> str:
    if facts.rows_are_equal:
        return "undefined (β = 0), never drawn"
    return "-" if facts.residual is None else distribution_text(facts.residual)


def distribution_text(distribution: Distribution[str], most: int = 4) -> str:
    """A law as ``a 1/3, b 2/3``, its first outcomes where there are many."""
    shown = [f"{show_token(x)} {short_fraction_text(w)}" for x, w in distribution.items()]
    more = [f"… {len(shown) - most} more"] if len(shown) > most else []
    return ", ".join(shown[:most] + more)


def _single_step(facts: ContextFacts) -> Iterator[RenderableType]:
    """The first token of the round, as the theory adds it up."""
    rows = facts.first_tokens
    if not rows or rows[0].accepted is None:
        return
    yield heading(f"The first token {place_of(facts.state)}")
    table = columns("x", "q(x)", "p(x)", "accepted", "rejected", "corrected", "emitted")
    for row in (*rows[:_TOKENS_SHOWN], facts.sums):
        table.add_row(
            show_token(row.token),
            number(row.draft),
            number(row.target),
            number(row.accepted),
            number(row.rejected),
            number(row.corrected),
            number(row.emitted),
        )
    yield table
    if len(rows) > _TOKENS_SHOWN:
        yield Text(f"… {len(rows) - _TOKENS_SHOWN:,} more tokens", "dim")
    for agreement in facts.agreements:
        sign = NOT_EQUAL if agreement.differs_at else EQUAL
        where = f"at: {_listed(agreement.differs_at)}" if agreement.differs_at else "for every x"
        yield Text(f"{agreement.figure} {sign} {agreement.theory} {where}", "dim", no_wrap=True)


def round_figures(result: Result) -> Iterator[RenderableType]:
    if not result.round_figures:
        return
    first = result.round_figures[0]
    yield heading(f"One round {place_of(first.state)}")
    accepted = first.accepted or {}
    table = columns("tokens", "accepted drafts", "emitted")
    for count in sorted({*accepted, *first.emitted}):
        table.add_row(str(count), number(accepted.get(count)), number(first.emitted.get(count)))
    table.add_row(
        "expected",
        "-" if first.mean_accepted is None else fraction_and_decimal(first.mean_accepted),
        fraction_and_decimal(first.mean_emitted),
    )
    yield table
    yield Text(f"{counted(first.paths, 'path')}; reached: {_reached(first)}", "dim")
    yield from _run(result)


def _run(result: Result) -> Iterator[RenderableType]:
    run = result.run
    if run is None:
        return
    yield heading(f"A run to horizon {run.horizon}")
    table = columns("", "")
    table.add_row("expected target calls", fraction_and_decimal(run.calls))
    table.add_row("expected tokens", fraction_and_decimal(run.tokens))
    if run.drafted is not None and run.speedup is not None:
        table.add_row("expected drafted tokens", fraction_and_decimal(run.drafted))
        table.add_row("expected speed-up", fraction_and_decimal(run.speedup))
    elif result.scenario.latency is not None:
        table.add_row("expected speed-up", "unknown: a draft row behind a rejection is missing")
    yield table


def _reached(figures: RoundFacts) -> str:
    return ", ".join(map(show, figures.reached)) or "no draw at all"


def sequence_figures(result: Result, rows: int) -> Iterator[RenderableType]:
    if result.listing_left_out is not None:
        yield Text(f"\nThe sequences are not listed: {result.listing_left_out}.")
    listing = result.listing
    if listing is None:
        return
    yield heading(f"Output sequences to horizon {listing.horizon}")
    if not listing.wrong:
        whose = wanted_text(result.scenario)
        yield Text(f"{counted(len(listing), 'sequence')}, each with exactly {whose} probability:")
        yield from _outputs(listing.first(rows), len(listing), "in the order of the vocabulary")
        return
    table = columns("", "", "")
    table.add_row(
        "sequences", f"{len(listing):,}", f"{len(listing.wrong):,} with a wrong probability"
    )
    table.add_row("total variation distance", fraction_and_decimal(listing.total_variation), "")
    impossible = listing.impossible
    mass = sum((output.got for output in impossible), Fraction(0))
    table.add_row(
        "never wanted", fraction_and_decimal(mass), f"on {counted(len(impossible), 'sequence')}"
    )
    yield table
    marks = {listing.worst: "largest difference"}
    both = "shortest, largest difference" if listing.shortest_wrong in marks else "shortest"
    marks[listing.shortest_wrong] = both
    chosen = dict.fromkeys([listing.shortest_wrong, listing.worst, *listing.wrong[:rows]])
    yield from _outputs(list(chosen)[:rows], len(listing.wrong), "wrong ones", marks)


def _listed(tokens: Sequence[str]) -> str:
    return ", ".join(map(show_token, tokens))


def _outputs(
    outputs: Sequence[Output], count: int, which: str, marks: Mapping[Output, str] | None = None
) -> Iterator[RenderableType]:
    table = columns("sequence", "got", "", "want", "difference", "")
    for output in outputs:
        equal = output.got == output.want
        table.add_row(
            show_tokens(output.tokens),
            number(output.got),
            EQUAL if equal else NOT_EQUAL,
            number(output.want),
            "" if equal else number(output.difference),
            (marks or {}).get(output, ""),
        )
    yield table
    if count > len(outputs):
        yield Text(f"… {count - len(outputs):,} more, {which} (--rows)", "dim")
