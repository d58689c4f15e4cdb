"""A result for a person: the verdict, why it holds, the figures, the tree, the sequences."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from exactspec.check.check import Result
from exactspec.check.facts import ContextFacts, RoundFacts
from exactspec.check.listing import Output
from exactspec.check.verdict import Counterexample, Lossless, Lossy, Undecided
from exactspec.distribution import Distribution
from exactspec.expand.rounds import State
from exactspec.expand.tree import SequencePath
from exactspec.render.output import Page
from exactspec.render.tree import FoldedTree, token_text, tree_lines
from exactspec.text import (
    fraction_and_decimal,
    short_fraction_text,
    show,
    show_token,
    show_tokens,
)

_COLOURS = {"lossless": "green", "lossy": "red", "undecided": "yellow"}
_PATHS_SHOWN = 5
_TOKENS_SHOWN = 20
EQUAL, NOT_EQUAL = "=", "≠"


def report(page: Page, result: Result, tree: FoldedTree | None, rows: int) -> None:
    """The whole report on one model.

    Args:
        page: where it goes.
        result: what was found.
        tree: the tree of the first round, or None where it is left out.
        rows: how many rows of a long table to show.
    """
    page.add(verdict_panel(result))
    if isinstance(result.verdict, Lossy):
        page.add(*counterexample_lines(result.verdict.counterexample))
    page.add(*_why(result))
    page.add(*_contexts(result, rows))
    page.add(*_rounds(result))
    if result.rounds is not None:
        for line in _tree(result, tree):
            page.line(line)
    page.add(*_sequences(result, rows))


def verdict_panel(result: Result) -> Panel:
    """The verdict with its scope, and what it is about."""
    verdict, scenario = result.verdict, result.scenario
    colour = _COLOURS[verdict.word]
    text = Text(verdict.word.upper(), f"bold {colour}")
    if isinstance(verdict, Undecided):
        text.append(f"  {verdict.reason}\nhint: {verdict.hint}")
    else:
        text.append(f" {verdict.scope}", colour)
        text.append(f"\n{_statement(result)}")
        if verdict.scope.reason:
            text.append(f"\nNot at every horizon: {verdict.scope.reason}.")
    text.append("\n" + _subject(result), "dim")
    if scenario.expect is not None:
        met = "as the file expects" if result.as_expected else "NOT as the file expects"
        text.append(f"\n{met}: expect: {scenario.expect}", "bold")
    title = Text(show(scenario.title or scenario.file))
    return Panel(text, title=title, title_align="left", border_style=colour, box=box.ROUNDED)


def _statement(result: Result) -> str:
    verdict = result.verdict
    if isinstance(verdict, Lossless):
        return "Every output sequence has exactly the target's probability."
    assert isinstance(verdict, Lossy)
    statement = "Some output sequences do not have the target's probability."
    if verdict.lossless_to is not None:
        statement += f" To horizon {verdict.lossless_to} they all do."
    return statement


def _subject(result: Result) -> str:
    scenario, rule = result.scenario, result.rule
    end = "no end token" if scenario.end is None else f"end token {show_token(scenario.end)}"
    parts = [
        f"rule {show(rule.name)}",
        f"draft length {scenario.draft_length}",
        f"vocabulary of {len(scenario.vocabulary)}, {end}",
    ]
    if scenario.prompt:
        parts.append(f"prompt {show_tokens(scenario.prompt)}")
    if scenario.max_tokens is not None:
        parts.append(f"max_tokens {scenario.max_tokens}")
    if scenario.cut_after_end:
        parts.append("cut after the end")
    parts += [f"{show(name)} = {show(str(value))}" for name, value in scenario.options.items()]
    if rule.file is not None and rule.digest is not None:
        parts.append(f"ran {show(rule.file)} (sha256 {rule.digest[:12]})")
    return " · ".join(parts)


def counterexample_lines(example: Counterexample) -> Iterator[RenderableType]:
    """A counterexample: what it gets, what it should get, and the paths behind it."""
    yield heading("A shortest counterexample")
    tokens = show_tokens(example.tokens)
    yield Text(f"sequences that begin with: {tokens}")
    table = columns("", "")
    table.add_row("got", fraction_and_decimal(example.got))
    table.add_row("want", fraction_and_decimal(example.want))
    table.add_row("difference", fraction_and_decimal(example.difference))
    yield table
    if example.paths is None:
        yield Text("its paths are too many to list here")
        return
    yield Text(f"paths that emit it: {len(example.paths)}, the largest first")
    for path in example.paths[:_PATHS_SHOWN]:
        yield path_line(path)
    if len(example.paths) > _PATHS_SHOWN:
        yield Text(
            f"  … {len(example.paths) - _PATHS_SHOWN} more: exactspec tree --sequence", "dim"
        )


def path_line(path: SequencePath) -> Text:
    """One path of rounds: its mass, then each step; rounds are parted by ``|``."""
    blocks = [", ".join(_step(*step) for step in steps) or "(no draw)" for steps in path.rounds]
    text = Text("  ", no_wrap=True)
    text.append(short_fraction_text(path.mass), "bold")
    return text.append(f"  {' | '.join(blocks)}")


def _step(kind: str, token: object, probability: Fraction) -> str:
    name = show(kind) if token is None else f"{show(kind)} {token_text(token)}"
    return f"{name} {short_fraction_text(probability)}"


def _why(result: Result) -> Iterator[RenderableType]:
    verdict, comparison = result.verdict, result.comparison
    if isinstance(verdict, Undecided) or comparison is None:
        return
    states = len(result.identities)
    if isinstance(verdict, Lossless):
        yield heading("Why")
        if result.round_identity_holds and verdict.scope.horizon is None:
            yield Text(_induction(result))
        elif verdict.scope.horizon is None:
            yield Text(
                "The round identity does not hold from every state (rounds are repaired by later "
                "ones), so the proof is the comparison of the automata alone."
            )
        yield Text(
            f"{'Independently, as' if result.round_identity_holds else 'As'} weighted automata, the "
            f"emitted and the wanted sequences agree on a basis of {comparison.dimension} of all "
            f"strings{_longest(verdict)}, and so on every one."
        )
    elif states and not result.round_identity_holds:
        broken = [identity for identity in result.identities if not identity.holds]
        yield heading("Where the round identity fails")
        yield Text(f"From {len(broken)} of {states} states in which a round begins; the first:")
        failure = broken[0].failure
        assert failure is not None
        tokens, got, want = failure
        yield Text(
            f"{_state_text(broken[0].state)}: blocks continued with the target begin with "
            f"{show_tokens(tokens)} with probability {short_fraction_text(got)}, "
            f"not {short_fraction_text(want)}"
        )


def _longest(verdict: Lossless) -> str:
    return "" if verdict.scope.horizon is None else f" of at most {verdict.scope.horizon} tokens"


def _induction(result: Result) -> str:
    strings = sum(identity.strings for identity in result.identities)
    states = len(result.identities)
    where = "the one state" if states == 1 else f"each of the {states:,} states"
    return (
        f"Round identity: from {where} in which a round can begin, the emitted tokens, continued "
        f"with the target, have the target's probability ({strings:,} strings compared, all equal). "
        "Every round emits at least one token and nothing follows an end token. So by induction on "
        "the number of tokens every sequence has the target's probability: the first round's tokens "
        "have it, and what follows them is a run from a state for which the claim holds already."
    )


def _contexts(result: Result, rows: int) -> Iterator[RenderableType]:
    if not result.contexts:
        return
    yield heading("Contexts in which a round begins")
    all_agree = all(
        facts.rejection == facts.residual_mass == facts.total_variation for facts in result.contexts
    )
    table = columns(
        "context", "accept", "reject", "residual mass", "TV", "", "residual distribution"
    )
    for facts in result.contexts[:rows]:
        table.add_row(
            _state_text(facts.state),
            _number(facts.acceptance),
            _number(facts.rejection),
            _number(facts.residual_mass),
            _number(facts.total_variation),
            _agreement(facts),
            _residual(facts),
        )
    yield table
    if len(result.contexts) > rows:
        yield Text(f"… {len(result.contexts) - rows:,} more contexts (--rows)", "dim")
    if all_agree:
        yield Text(
            "accept, reject: mass of the paths whose first coin accepts, rejects; residual mass: sum "
            "of [p - q]+; TV: total variation distance. The last three agree: they are β.",
            "dim",
        )
    yield from _single_step(result.contexts[0])


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
    yield heading(f"The first token {_where(facts.state)}")
    table = columns("x", "q(x)", "p(x)", "accepted", "rejected", "corrected", "emitted")
    for row in (*rows[:_TOKENS_SHOWN], facts.sums):
        table.add_row(
            show_token(row.token),
            _number(row.draft),
            _number(row.target),
            _number(row.accepted),
            _number(row.rejected),
            _number(row.corrected),
            _number(row.emitted),
        )
    yield table
    if len(rows) > _TOKENS_SHOWN:
        yield Text(f"… {len(rows) - _TOKENS_SHOWN:,} more tokens", "dim")
    for agreement in facts.agreements:
        sign = NOT_EQUAL if agreement.differs_at else EQUAL
        where = (
            f"for {show_tokens(agreement.differs_at)}" if agreement.differs_at else "for every x"
        )
        yield Text(f"{agreement.figure} {sign} {agreement.theory} {where}", "dim", no_wrap=True)


def _rounds(result: Result) -> Iterator[RenderableType]:
    if not result.round_figures:
        return
    first = result.round_figures[0]
    yield heading(f"One round {_where(first.state)}")
    accepted = first.accepted or {}
    table = columns("tokens", "accepted drafts", "emitted")
    for count in sorted({*accepted, *first.emitted}):
        table.add_row(str(count), _number(accepted.get(count)), _number(first.emitted.get(count)))
    table.add_row(
        "expected",
        "-" if first.mean_accepted is None else fraction_and_decimal(first.mean_accepted),
        fraction_and_decimal(first.mean_emitted),
    )
    yield table
    yield Text(f"{first.paths:,} paths; reached: {_reached(first)}", "dim")
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


def _tree(result: Result, tree: FoldedTree | None) -> Iterator[Text]:
    yield Text()
    if tree is None:
        yield Text("The tree of the first round is too large to show: exactspec tree", "dim")
        return
    assert result.rounds is not None
    yield from tree_lines(tree, f"The round {_where(result.rounds.start)}")


def _sequences(result: Result, rows: int) -> Iterator[RenderableType]:
    if result.listing_left_out is not None:
        yield Text(f"\nThe sequences are not listed: {result.listing_left_out}.")
    listing = result.listing
    if listing is None:
        return
    yield heading(f"Output sequences to horizon {listing.horizon}")
    if not listing.wrong:
        yield Text(f"{len(listing):,} sequences, each with exactly the target's probability:")
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
        "never by the target", fraction_and_decimal(mass), f"on {len(impossible):,} sequences"
    )
    yield table
    yield Text("the shortest wrong one, the one with the largest difference, and the next:")
    chosen = dict.fromkeys([listing.shortest_wrong, listing.worst, *listing.wrong[:rows]])
    yield from _outputs(list(chosen)[:rows], len(listing.wrong), "wrong ones")


def _outputs(outputs: Sequence[Output], count: int, which: str) -> Iterator[RenderableType]:
    table = columns("sequence", "got", "", "want", "difference")
    for output in outputs:
        equal = output.got == output.want
        table.add_row(
            show_tokens(output.tokens),
            _number(output.got),
            EQUAL if equal else NOT_EQUAL,
            _number(output.want),
            "" if equal else _number(output.difference),
        )
    yield table
    if count > len(outputs):
        yield Text(f"… {count - len(outputs):,} more, {which} (--rows)", "dim")


def heading(text: str) -> Text:
    """A section's title, with an empty line before it."""
    return Text(f"\n{text}", "bold")


def columns(*names: str) -> Table:
    """A table without lines, whose numbers never wrap."""
    table = Table(box=None, show_header=any(names), pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(Text(name), no_wrap=True, header_style="dim")
    return table


def _state_text(state: State) -> str:
    text = show_tokens(state.context, "(start)")
    if state.carried is not None:
        text += f" with {show(repr(state.carried))}"
    return text if state.tokens_left is None else f"{text}, {state.tokens_left} left"


def _where(state: State) -> str:
    return f"after {show_tokens(state.context)}" if state.context else "at the start"


def _number(number: Fraction | None) -> str:
    return "-" if number is None else short_fraction_text(number)
