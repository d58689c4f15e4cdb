"""The command ``audit`` and its options."""

from typing import Annotated

import typer

from exactspec.cli.delivery import colour_for, deliver
from exactspec.cli.guard import guarded
from exactspec.cli.options import (
    AllowRules,
    At,
    Colour,
    ColourOption,
    Level,
    NoProgress,
    Output,
    PlainFormat,
    PlainFormatOption,
    Rows,
    Timeout,
)
from exactspec.cli.progress import Progress
from exactspec.errors import ExitCode


@guarded
def audit(
    program: Annotated[
        str | None,
        typer.Argument(
            metavar="MODULE:FUNCTION|FILE.py:FUNCTION",
            help="The sampler. Its code is imported and run.",
        ),
    ] = None,
    adapter: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Audit an installed package instead. Its code is run."),
    ] = None,
    list_adapters: Annotated[
        bool, typer.Option("--list-adapters", help="List the adapters, and audit nothing.")
    ] = False,
    tables: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|default",
            help="A model file with the tables, as often as you like; default: the built-in ones.",
        ),
    ] = None,
    at: At = None,
    drafts: Annotated[
        int | None,
        typer.Option(min=0, help="Tokens drafted in a step; by default as the tables say, or 2."),
    ] = None,
    length: Annotated[
        int | None, typer.Option(min=1, help="Audit a whole loop, compared to so many tokens.")
    ] = None,
    level: Annotated[
        Level, typer.Option(help="Follow numbers as rationals, floats or grid.")
    ] = Level.RATIONAL,
    rule: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE:FUNCTION",
            help="The rule to judge beside the code, instead of the one that the tables name.",
        ),
    ] = None,
    allow_rules: AllowRules = False,
    format_: PlainFormatOption = PlainFormat.TEXT,
    output: Output = None,
    rows: Rows = 5,
    max_replays: Annotated[
        int, typer.Option(min=1, help="Budget: runs of the program on each pair of tables.")
    ] = 200_000,
    timeout: Timeout = None,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Audit small changes of the code: are they seen?")
    ] = False,
    mutate: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="Change this function, which the program calls; implies --mutants.",
        ),
    ] = None,
    time: Annotated[
        bool, typer.Option("--time", help="Write the seconds that it took to stderr.")
    ] = False,
    color: ColourOption = Colour.AUTO,
    no_progress: NoProgress = False,
) -> ExitCode:
    """Audit a sampler's code: lossless, lossy, undecided.

    Imports the function and runs it, once for every outcome of its random numbers: audit
    only code that you would run. The verdict is for the tables that were tried.
    """
    from exactspec.cli.auditing import Auditing, AuditWishes, adapters_answer

    in_json, colour = format_ is PlainFormat.JSON, colour_for(color, output)
    if list_adapters:
        deliver(adapters_answer(in_json, colour), output)
        return ExitCode.LOSSLESS
    wishes = AuditWishes(
        program=program,
        adapter=adapter,
        tables=tables or (),
        at=at,
        drafts=drafts,
        length=length,
        level=level.value,
        rule=rule,
        allow_rules=allow_rules,
        max_replays=max_replays,
        timeout=timeout,
        in_json=in_json,
        rows=rows,
        time=time,
        colour=colour,
        mutants=mutants,
        mutate=mutate,
    )
    auditing = Auditing(wishes, Progress(not no_progress))
    deliver(auditing.text(), output)
    return auditing.exit_code
