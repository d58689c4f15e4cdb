"""``exactspec tree``: the tree of one round, or the paths of one sequence."""

import sys
from dataclasses import dataclass

from exactspec.algorithms.load import rule_of
from exactspec.chance import Token
from exactspec.check.sequence import sequence_proof
from exactspec.cli.answers import Answer, answered
from exactspec.cli.guest import hosting
from exactspec.cli.progress import Progress
from exactspec.errors import Diagnostic, ExitCode, ModelError
from exactspec.expand.budget import Budget
from exactspec.expand.rounds import Rounds
from exactspec.expand.states import State
from exactspec.expand.tree import round_tree
from exactspec.model.load import load
from exactspec.model.names import did_you_mean
from exactspec.model.scenario import Scenario
from exactspec.render import as_json
from exactspec.render.output import Page, new_page
from exactspec.render.sequence import sequence_report
from exactspec.render.tree import FoldedTree, tree_lines
from exactspec.text import show_token, show_tokens

_MOST_IN_A_HINT = 12


@dataclass(frozen=True)
class TreeWishes:
    """What the user asked for."""

    context: str | None
    sequence: str | None
    depth: int | None
    lines: int
    rows: int
    rule: str | None
    allow_rules: bool
    at: str | None
    as_json: bool
    colour: str


def tree_text(file: str, wishes: TreeWishes, budget: Budget, progress: Progress) -> Answer:
    """The text to print and the exit code: 0, or 3 where a budget was reached.

    Raises:
        ExactspecError: for a bad model, an unknown token, a context in which no round begins.
    """
    page = new_page(wishes.colour, sys.stdout)

    def answer() -> Answer:
        with hosting(budget.timeout):
            return _grown(load(file, wishes.at), wishes, page, budget), ExitCode.LOSSLESS

    return answered(file, wishes.as_json, progress, answer)


def _grown(scenario: Scenario, wishes: TreeWishes, page: Page, budget: Budget) -> str:
    if wishes.sequence is not None and (wishes.context, wishes.depth) != (None, None):
        other = "--context" if wishes.context is not None else "--depth"
        message = f"{other} and --sequence ask for two different trees"
        raise ModelError([Diagnostic("two-trees", message, "give one of them")])
    algorithm = rule_of(scenario, rule=wishes.rule, allow_rules=wishes.allow_rules)
    rounds = Rounds(scenario, algorithm, budget)
    if wishes.sequence is not None:
        return _sequence(rounds, wishes, page, budget)
    state = rounds.start if wishes.context is None else _state(rounds, wishes.context)
    tree = round_tree(rounds, state, budget.max_nodes)
    folded = FoldedTree(tree, wishes.lines, wishes.depth, page.width)
    if wishes.as_json:
        return as_json.document(file=scenario.file, tree=as_json.tree_data(folded))
    where = f"after {show_tokens(state.context)}" if state.context else "at the start"
    for line in tree_lines(folded, f"The round {where}"):
        page.line(line)
    return page.text()


def _sequence(rounds: Rounds, wishes: TreeWishes, page: Page, budget: Budget) -> str:
    tokens = _tokens(rounds.scenario, wishes.sequence or "")
    if not tokens:
        raise ModelError(
            [Diagnostic("no-sequence", "--sequence names no token", "name one or more")]
        )
    proof = sequence_proof(rounds, tokens, budget.max_nodes)
    if wishes.as_json:
        sequence = as_json.sequence_proof_data(proof)
        return as_json.document(file=rounds.scenario.file, sequence=sequence)
    sequence_report(page, proof, wishes.rows)
    return page.text().lstrip("\n")


def _state(rounds: Rounds, context: str) -> State:
    """The state in which a round begins after these tokens."""
    scenario = rounds.scenario
    emitted = _tokens(scenario, "" if context == "^" else context)
    tokens = (*scenario.prompt, *emitted)
    left = None if scenario.max_tokens is None else scenario.max_tokens - len(emitted)
    wanted = rounds.key_of(tokens), left
    for state in rounds.laws if scenario.end not in emitted else ():
        if (rounds.key_of(state.context), state.tokens_left) == wanted:
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
            known = show_tokens(scenario.vocabulary[:_MOST_IN_A_HINT])
            hint = did_you_mean(word, scenario.vocabulary) or f"the vocabulary is: {known}"
            message = f"{show_token(word)} is not in the vocabulary"
            raise ModelError([Diagnostic("unknown-token", message, hint)])
    return tuple(words)
