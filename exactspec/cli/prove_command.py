"""The command ``prove`` and its options."""

from pathlib import Path
from typing import Annotated

import typer

from exactspec.cli.delivery import colour_for, deliver
from exactspec.cli.guard import guarded
from exactspec.cli.options import (
    Colour,
    ColourOption,
    NoProgress,
    Output,
    ProofFormat,
    Rows,
)
from exactspec.cli.progress import Progress
from exactspec.errors import ExitCode


@guarded
def prove(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE", help="A catalogue name or FILE:FUNCTION, whose Python code is run."
        ),
    ],
    vocabulary: Annotated[
        int, typer.Option(min=2, help="How many tokens, the end token among them.")
    ],
    draft_length: Annotated[int, typer.Option(min=1, help="Tokens drafted in a round at most.")],
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the rule, as often as you like."),
    ] = None,
    format_: Annotated[
        ProofFormat, typer.Option("--format", help="Form of the report.")
    ] = ProofFormat.TEXT,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add how the masses of a string's paths add up.")
    ] = False,
    rows: Rows = 3,
    witness: Annotated[
        Path | None,
        typer.Option(help="Write the model that refutes the claim to this file, a new one."),
    ] = None,
    output: Output = None,
    max_paths: Annotated[
        int, typer.Option(min=1, help="Budget: symbolic paths of one round.")
    ] = 20_000,
    max_parts: Annotated[
        int, typer.Option(min=1, help="Budget: parts that the rule's tests split the tables into.")
    ] = 2_000,
    timeout: Annotated[float | None, typer.Option(min=0, help="Budget: seconds.")] = None,
    color: ColourOption = Colour.AUTO,
    no_progress: NoProgress = False,
) -> ExitCode:
    """Prove a rule lossless for all tables, or refute it.

    All tables of a vocabulary's size, for one draft length, at every horizon.
    Ends with 0 where it is proved, with 1 where a model refutes it.
    """
    from exactspec.cli.proving import ProofWishes, Proving

    progress = Progress(not no_progress)
    wishes = ProofWishes(
        rule=rule,
        vocabulary=vocabulary,
        draft_length=draft_length,
        options=option or (),
        max_paths=max_paths,
        max_parts=max_parts,
        timeout=timeout,
        form=format_,
        explain=explain,
        rows=rows,
        witness=witness,
        colour=colour_for(color, output),
    )
    proving = Proving(wishes, progress)
    deliver(proving.text(), output)
    proving.write_witness()
    return proving.exit_code
