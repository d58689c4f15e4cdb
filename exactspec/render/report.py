"""A result for a person: the verdict, why it holds, the figures, the tree, the sequences."""

from collections.abc import Iterator
from fractions import Fraction

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from exactspec.check.check import Result
from exactspec.check.verdict import Counterexample, Lossless, Lossy, Scope, Undecided
from exactspec.expand.tree import SequencePath
from exactspec.model.scenario import Scenario
from exactspec.render.figures import context_figures, round_figures, sequence_figures
from exactspec.render.output import Page
from exactspec.render.parts import columns, heading, place_of, state_text, wanted_text
from exactspec.render.tree import FoldedTree, token_text, tree_lines
from exactspec.rule import Algorithm
from exactspec.text import (
    counted,
    fraction_and_decimal,
    short_fraction_text,
    show,
    show_token,
    show_tokens,
)

COLOURS = {"lossless": "green", "lossy": "red", "undecided": "yellow"}
_PATHS_SHOWN = 5


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
    page.add(*_claims(result))
    page.add(*_why(result))
    page.add(*context_figures(result, rows))
    page.add(*round_figures(result))
    if result.rounds is not None:
        for line in _tree(result, tree):
            page.line(line)
    page.add(*sequence_figures(result, rows))


def verdict_panel(result: Result) -> Panel:
    """The verdict with its scope, and what it is about."""
    verdict, scenario = result.verdict, result.scenario
    colour = COLOURS[verdict.word]
    text = Text(verdict.word.upper(), f"bold {colour}")
    if isinstance(verdict, Undecided):
        text.append(f"  {verdict.reason}\nhint: {verdict.hint}")
    else:
        text.append(f" {verdict.extent}", colour)
        text.append(f"\n{_statement(result)}")
        if isinstance(verdict, Lossless) and verdict.scope.reason:
            text.append(f"\nNot at every horizon: {verdict.scope.reason}.")
    text.append("\n" + subject_text(result.scenario, result.rule), "dim")
    if scenario.expect is not None:
        met = "as the file expects" if result.as_expected else "NOT as the file expects"
        text.append(f"\n{met}: expect: {scenario.expect}", "bold")
    title = Text(show(scenario.title or scenario.file))
    return Panel(text, title=title, title_align="left", border_style=colour, box=box.ROUNDED)


def _statement(result: Result) -> str:
    verdict, whose = result.verdict, wanted_text(result.scenario)
    if isinstance(verdict, Lossless):
        return f"Every output sequence has exactly {whose} probability."
    assert isinstance(verdict, Lossy)
    statement = f"Some output sequences do not have {whose} probability."
    if verdict.lossless_to is not None:
        statement += f" To horizon {verdict.lossless_to} they all do."
    return statement


def subject_text(scenario: Scenario, rule: Algorithm) -> str:
    """What a verdict is about: the rule and the setting."""
    end = "no end token" if scenario.end is None else f"end token {show_token(scenario.end)}"
    parts = [
        f"rule {show(rule.name)}",
        f"draft length {scenario.draft_length}",
        f"vocabulary of {len(scenario.vocabulary)}, {end}",
    ]
    if scenario.assigned is not None:
        name, value = scenario.assigned
        parts.append(f"{name} = {short_fraction_text(value)}")
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
    yield Text(f"emitted by {counted(len(example.paths), 'path')}, the largest first:")
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
    colon = ":" if "<" in kind else ""
    name = show(kind) if token is None else f"{show(kind)} {token_text(token)}"
    return f"{name}{colon} {short_fraction_text(probability)}"


def _claims(result: Result) -> Iterator[RenderableType]:
    """The three strengths of the claim: first token, one round, whole sequences."""
    if not result.identities:
        return
    yield heading("Three claims, from weak to strong")
    table = columns("", "")
    firsts = [identity.first_token_holds for identity in result.identities]
    rounds = [identity.holds for identity in result.identities]
    limited = result.rounds is not None and result.rounds.incomplete is not None
    reach = "within the horizon" if limited else ""
    table.add_row("law of a round's first token", _from_states(firsts, reach))
    table.add_row("law of a round, then as wanted", _from_states(rounds, reach))
    verdict = result.verdict
    scope = "" if isinstance(verdict, Undecided) else f" {verdict.extent}"
    table.add_row("law of whole sequences", f"{verdict.word}{scope}")
    yield table


def _from_states(holds: list[bool], reach: str) -> str:
    which = f" {reach}" if reach else ""
    if all(holds):
        return f"holds from every state{which}"
    return f"fails from {holds.count(False):,} of {counted(len(holds), 'state')}{which}"


def _why(result: Result) -> Iterator[RenderableType]:
    if isinstance(result.verdict, Lossless):
        yield heading("Why")
        yield from map(Text, _proofs(result, result.verdict))
    elif isinstance(result.verdict, Lossy) and not result.round_identity_holds:
        yield from _where_the_round_identity_fails(result)


def _proofs(result: Result, verdict: Lossless) -> Iterator[str]:
    every_horizon = verdict.scope.horizon is None
    by_induction = every_horizon and result.round_identity_holds
    if by_induction:
        yield _induction(result)
    elif every_horizon:
        yield (
            "The round identity does not hold from every state (rounds are repaired by later ones), "
            "so the proof is the comparison of the automata alone."
        )
    strings = "all strings" if every_horizon else f"the strings {_up_to(verdict.scope)}"
    assert result.comparison is not None
    yield (
        f"{'Independently, as' if by_induction else 'As'} weighted automata, the emitted and the "
        f"wanted sequences agree on a basis ({result.comparison.dimension} dimensions) of {strings}, "
        "and so on every one."
    )


def _up_to(scope: Scope) -> str:
    return f"of at most {counted(scope.horizon or 0, 'token')}"


def _where_the_round_identity_fails(result: Result) -> Iterator[RenderableType]:
    broken = [identity for identity in result.identities if not identity.holds]
    if not broken or broken[0].failure is None:
        return
    yield heading("Where the round identity fails")
    states = counted(len(result.identities), "state")
    yield Text(f"From {len(broken):,} of {states} in which a round begins; the first:")
    tokens, got, want = broken[0].failure
    yield Text(
        f"{state_text(broken[0].state)}: blocks, continued with {wanted_text(result.scenario)} law, "
        f"that begin with: {show_tokens(tokens)}\n"
        f"have the mass {short_fraction_text(got)}, not {short_fraction_text(want)}"
    )


def _induction(result: Result) -> str:
    strings = sum(identity.strings for identity in result.identities)
    states = len(result.identities)
    where = "the one state" if states == 1 else f"each of the {states:,} states"
    whose = wanted_text(result.scenario)
    how = (
        f"{counted(strings, 'string')} compared, all equal"
        if strings
        else "every block ends in a draw from that law's own row"
    )
    return (
        f"Round identity: from {where} in which a round can begin, the emitted tokens, continued "
        f"with {whose} law, have {whose} probability ({how}). "
        "Every round emits at least one token and nothing follows an end token. So by induction on "
        f"the number of tokens every sequence has {whose} probability: the first round's tokens "
        "have it, and what follows them is a run from a state for which the claim holds already."
    )


def _tree(result: Result, tree: FoldedTree | None) -> Iterator[Text]:
    yield Text()
    if tree is None:
        yield Text("The tree of the first round is too large to show: exactspec tree", "dim")
        return
    assert result.rounds is not None
    yield from tree_lines(tree, f"The round {place_of(result.rounds.start)}")
