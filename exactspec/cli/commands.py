"""The commands and their options."""

import importlib.resources
import sys
from pathlib import Path
from typing import Annotated

import typer

from exactspec import __version__
from exactspec.cli.audit_command import audit
from exactspec.cli.delivery import colour_for, deliver
from exactspec.cli.files import write_new
from exactspec.cli.guard import EXIT_CODES, guarded, say
from exactspec.cli.options import (
    AllowRules,
    At,
    Colour,
    ColourOption,
    Format,
    MaxBits,
    MaxNodes,
    MaxStates,
    NoProgress,
    Output,
    PlainFormat,
    PlainFormatOption,
    Rows,
    Rule,
    Timeout,
)
from exactspec.cli.progress import Progress
from exactspec.cli.prove_command import prove
from exactspec.errors import ExitCode
from exactspec.text import show

app = typer.Typer(
    name="exactspec",
    help="Decides exactly whether a speculative-decoding rule emits the target's law.",
    epilog=EXIT_CODES,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def version_option(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        sys.stdout.write(f"exactspec {__version__}\n")
        raise typer.Exit


@app.command(epilog=EXIT_CODES)
@guarded
def check(
    models: Annotated[
        list[str] | None,
        typer.Argument(metavar="MODEL...", help="Model files; - reads standard input."),
    ] = None,
    rule: Rule = None,
    allow_rules: AllowRules = False,
    at: At = None,
    format_: Annotated[Format, typer.Option("--format", help="Form of the report.")] = Format.TEXT,
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="One line for each model.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="The whole report for each of several models.")
    ] = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="End with 0 where it would be 1 (lossy).")
    ] = False,
    rows: Rows = 12,
    lines: Annotated[int, typer.Option(min=3, help="Lines of the tree to show.")] = 60,
    max_nodes: MaxNodes = 1_000_000,
    max_bits: MaxBits = 1_000_000,
    max_states: MaxStates = 1_000,
    timeout: Timeout = None,
    color: ColourOption = Colour.AUTO,
    no_progress: NoProgress = False,
) -> ExitCode:
    """Judge models: lossless, lossy, undecided.

    Decides exactly whether the rule of each model file emits the wanted law.
    """
    from exactspec.cli.checking import Checking, Wishes
    from exactspec.expand.budget import Budget

    progress = Progress(not no_progress)
    wishes = Wishes(
        rule=rule,
        allow_rules=allow_rules,
        at=at,
        new_budget=lambda: Budget(max_nodes, max_bits, timeout, progress, max_states=max_states),
        timeout=timeout,
        rows=rows,
        lines=lines,
        colour=colour_for(color, output),
        brief=len(models or ()) > 1 and not verbose,
        quiet=quiet,
    )
    if not models:
        say("exactspec: nothing was checked: name a model file, or - for standard input\n")
    checking = Checking(models or [], wishes, progress)
    deliver(checking.text(format_.value), output)
    code = checking.exit_code
    return ExitCode.LOSSLESS if exit_zero and code is ExitCode.LOSSY else code


@app.command(epilog=EXIT_CODES)
@guarded
def tree(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, or -.")],
    context: Annotated[
        str | None,
        typer.Option(help="The round after these tokens, the prompt not counted; ^ is the start."),
    ] = None,
    sequence: Annotated[
        str | None, typer.Option(help="All paths that emit these tokens, and their sum.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Levels of the tree to show.")] = None,
    lines: Annotated[int, typer.Option(min=3, help="Lines to fold the tree to.")] = 200,
    rule: Rule = None,
    allow_rules: AllowRules = False,
    at: At = None,
    format_: PlainFormatOption = PlainFormat.TEXT,
    output: Output = None,
    rows: Rows = 50,
    max_nodes: MaxNodes = 1_000_000,
    max_bits: MaxBits = 1_000_000,
    max_states: MaxStates = 1_000,
    timeout: Timeout = None,
    color: ColourOption = Colour.AUTO,
    no_progress: NoProgress = False,
) -> ExitCode:
    """Show a round's tree, or a sequence's paths.

    The probability tree of one round, or all paths of one output sequence and their sum.
    """
    from exactspec.cli.growing import TreeWishes, tree_text
    from exactspec.expand.budget import Budget

    progress = Progress(not no_progress)
    wishes = TreeWishes(
        context=context,
        sequence=sequence,
        depth=depth,
        lines=lines,
        rows=rows,
        rule=rule,
        allow_rules=allow_rules,
        at=at,
        as_json=format_ is PlainFormat.JSON,
        colour=colour_for(color, output),
    )
    budget = Budget(max_nodes, max_bits, timeout, progress, max_states=max_states)
    text, code = tree_text(model, wishes, budget, progress)
    deliver(text, output)
    return code


@app.command(epilog=EXIT_CODES)
@guarded
def compare(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, or -.")],
    algorithms: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME,...",
            help="The rules to compare; by default the catalogue's lossless ones without options.",
        ),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE:FUNCTION",
            help="One more rule, as often as you like. A file's Python code is run.",
        ),
    ] = None,
    at: At = None,
    format_: PlainFormatOption = PlainFormat.TEXT,
    output: Output = None,
    rows: Rows = 12,
    max_nodes: MaxNodes = 1_000_000,
    max_bits: MaxBits = 1_000_000,
    max_states: MaxStates = 1_000,
    timeout: Timeout = None,
    color: ColourOption = Colour.AUTO,
    no_progress: NoProgress = False,
) -> ExitCode:
    """Put rules side by side on one model.

    Ends with 0 whatever their verdicts are.
    """
    from exactspec.cli.comparing import CompareWishes, comparison_text
    from exactspec.expand.budget import Budget

    progress = Progress(not no_progress)
    wishes = CompareWishes(
        algorithms=algorithms,
        rules=rule or (),
        at=at,
        new_budget=lambda: Budget(max_nodes, max_bits, timeout, progress, max_states=max_states),
        timeout=timeout,
        rows=rows,
        as_json=format_ is PlainFormat.JSON,
        colour=colour_for(color, output),
    )
    text, code = comparison_text(model, wishes, progress)
    deliver(text, output)
    return code


@app.command(epilog=EXIT_CODES)
@guarded
def simulate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, or -.")],
    runs: Annotated[int, typer.Option(min=1, help="Output sequences to sample.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random generator.")] = 0,
    rule: Rule = None,
    allow_rules: AllowRules = False,
    at: At = None,
    format_: PlainFormatOption = PlainFormat.TEXT,
    output: Output = None,
    rows: Rows = 12,
    max_nodes: MaxNodes = 1_000_000,
    max_bits: MaxBits = 1_000_000,
    max_states: MaxStates = 1_000,
    timeout: Timeout = None,
    color: ColourOption = Colour.AUTO,
    no_progress: NoProgress = False,
) -> ExitCode:
    """Run a rule at random beside its exact law.

    Ends with 0 whatever the verdict is.
    """
    from exactspec.cli.simulating import SimulateWishes, simulation_text
    from exactspec.expand.budget import Budget

    progress = Progress(not no_progress)
    wishes = SimulateWishes(
        rule=rule,
        allow_rules=allow_rules,
        at=at,
        runs=runs,
        seed=seed,
        rows=rows,
        as_json=format_ is PlainFormat.JSON,
        colour=colour_for(color, output),
    )
    budget = Budget(max_nodes, max_bits, timeout, progress, max_states=max_states)
    text, code = simulation_text(model, wishes, budget, progress)
    deliver(text, output)
    return code


app.command(epilog=EXIT_CODES)(prove)
app.command(epilog=EXIT_CODES)(audit)


@app.command()
@guarded
def init(
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path("model.yaml"),
) -> ExitCode:
    """Write a commented example that checks.

    An existing file is never overwritten.
    """
    write_new(file, _packaged("example.yaml"))
    name = show(str(file))
    say(f"wrote {name}; next: exactspec check {name}\n")
    return ExitCode.LOSSLESS


@app.command()
@guarded
def schema() -> ExitCode:
    """Print the JSON Schema of model files.

    It is for completion in an editor.
    """
    deliver(_packaged("schema.json"), None)
    return ExitCode.LOSSLESS


@app.command()
@guarded
def algorithms(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Rules.")] = None,
) -> ExitCode:
    """List the rules of the catalogue, or those named."""
    from exactspec.algorithms.load import catalogue_rule
    from exactspec.render.catalogue import catalogue_text

    deliver(catalogue_text([catalogue_rule(name).name for name in names or ()]), None)
    return ExitCode.LOSSLESS


def _packaged(name: str) -> str:
    return importlib.resources.files("exactspec.model").joinpath(name).read_text("utf-8")
