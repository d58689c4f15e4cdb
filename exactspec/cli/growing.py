"""``exactspec tree``: the tree of one round, or the paths of one sequence."""

import sys

from exactspec.algorithms.load import rule_of
from exactspec.chance import Token
from exactspec.check.sequence import sequence_proof
from exactspec.cli.guard import say
from exactspec.errors import BudgetReached, Diagnostic, ExitCode, ModelError
from exactspec.expand.budget import Budget
from exactspec.expand.rounds import Rounds, State
from exactspec.expand.tree import round_tree
from exactspec.model.load import load
from exactspec.model.names import did_you_mean
from exactspec.model.scenario import Scenario
from exactspec.render import as_json as _json
from exactspec.render.output import new_page
from exactspec.render.sequence import sequence_report
from exactspec.render.tree import FoldedTree, tree_lines
from exactspec.text import show_token, show_tokens


def tree_text(
    file: str,
    *,
    context: str | None,
    sequence: str | None,
    depth: int | None,
    lines: int,
    rows: int,
    rule: str | None,
    allow_rules: bool,
    as_json: bool,
    colour: str,
    budget: Budget,
) -> tuple[str, ExitCode]:
    """The text to print and the exit code: 0, or 3 where a budget was reached.

    Raises:
        ModelError: for a bad model, an unknown token, or a context in which no round begins.
    """
    scenario = load(file)
    algorithm = rule_of(scenario, rule=rule, allow_rules=allow_rules)
    try:
        rounds = Rounds(scenario, algorithm, budget)
        if sequence is not None:
            return _sequence(rounds, sequence, rows, as_json, colour, budget), ExitCode.LOSSLESS
        state = rounds.start if context is None else _state(rounds, context)
        tree = round_tree(rounds, state, budget.max_nodes)
    except BudgetReached as limit:
        say(f"exactspec: undecided: {limit.reason}\n  hint: {limit.hint}\n")
        return "", ExitCode.UNDECIDED
    page = new_page(colour, sys.stdout)
    folded = FoldedTree(tree, lines, depth, page.width)
    if as_json:
        return _document(file, tree=_json.tree_data(folded)), ExitCode.LOSSLESS
    where = f"after {show_tokens(state.context)}" if state.context else "at the start"
    for line in tree_lines(folded, f"The round {where}"):
        page.line(line)
    return page.text(), ExitCode.LOSSLESS


def _sequence(
    rounds: Rounds, sequence: str, rows: int, in_json: bool, colour: str, budget: Budget
) -> str:
    tokens = _tokens(rounds.scenario, sequence)
    proof = sequence_proof(rounds, tokens, budget.max_nodes)
    if in_json:
        return _document(rounds.scenario.file, sequence=_json.sequence_proof_data(proof))
    page = new_page(colour, sys.stdout)
    sequence_report(page, proof, rows)
    return page.text().lstrip("\n")


def _document(file: str, **content: object) -> str:
    return _json.document(file=file, **content)


def _state(rounds: Rounds, context: str) -> State:
    """The state in which a round begins after these tokens."""
    scenario = rounds.scenario
    tokens = (*scenario.prompt, *_tokens(scenario, "" if context == "^" else context))
    wanted = rounds.key_of(tokens)
    for state in rounds.laws:
        if rounds.key_of(state.context) == wanted:
            return state
    reached = ", ".join(show_tokens(s.context, "^") for s in list(rounds.laws)[:8])
    message = f"no round begins after {show_tokens(tokens, 'nothing')}"
    raise ModelError([Diagnostic("context-not-reached", message, f"rounds begin after: {reached}")])


def _tokens(scenario: Scenario, text: str) -> tuple[Token, ...]:
    """Tokens written with spaces; a comma parts them where one has a space in its name."""
    if text in scenario.tokens:
        return (text,)
    words = [w.strip() for w in text.split(",")] if "," in text else text.split()
    for word in words:
        if word not in scenario.tokens:
            hint = did_you_mean(word, scenario.vocabulary)
            message = f"{show_token(word)} is not in the vocabulary"
            raise ModelError([Diagnostic("unknown-token", message, hint)])
    return tuple(words)
