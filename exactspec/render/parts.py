"""What every report is put together from: headings, tables, states, numbers."""

from fractions import Fraction

from rich.table import Table
from rich.text import Text

from exactspec.expand.states import State
from exactspec.model.scenario import Scenario
from exactspec.model.table import Model
from exactspec.text import short_fraction_text, show, show_tokens

EQUAL, NOT_EQUAL = "=", "≠"


def heading(text: str) -> Text:
    """A section's title, with an empty line before it."""
    return Text(f"\n{text}", "bold")


def columns(*names: str) -> Table:
    """A table without lines, whose numbers never wrap."""
    table = Table(box=None, show_header=any(names), pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(Text(name), no_wrap=True, header_style="dim")
    return table


def state_text(state: State) -> str:
    """A state in a table: its context, what is carried over, how many tokens are left."""
    text = show_tokens(state.context, "(start)")
    if state.carried is not None:
        text += f" with {show(repr(state.carried))}"
    return text if state.tokens_left is None else f"{text}, {state.tokens_left} left"


def place_of(state: State) -> str:
    """A state in a sentence: where its round begins."""
    return f"after {show_tokens(state.context)}" if state.context else "at the start"


def number(value: Fraction | None) -> str:
    """A number in a column; a dash where there is none."""
    return "-" if value is None else short_fraction_text(value)


def wanted_text(scenario: Scenario) -> str:
    """Whose law is wanted, as a possessive."""
    if isinstance(scenario.wanted, Model):
        return "the wanted table's"
    return "the target's" if scenario.wanted == "target" else "the rule's promised"
