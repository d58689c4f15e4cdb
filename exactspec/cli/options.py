"""The options that several commands share, with their help."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """What a report is written as."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


class PlainFormat(StrEnum):
    """What a report without cases is written as."""

    TEXT = "text"
    JSON = "json"


class ProofFormat(StrEnum):
    """What a proof is written as."""

    TEXT = "text"
    JSON = "json"
    LATEX = "latex"


class Level(StrEnum):
    """How an audit follows numbers."""

    RATIONAL = "rational"
    FLOAT = "float"
    GRID = "grid"


class Colour(StrEnum):
    """When to colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


Rule = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE:FUNCTION",
        help="Judge this rule instead of the model's. A file's Python code is run.",
    ),
]
AllowRules = Annotated[
    bool, typer.Option("--allow-rules", help="Run the Python files that models name as rules.")
]
At = Annotated[
    str | None,
    typer.Option(metavar="NAME=VALUE", help="Put in a value for the parameter of the tables."),
]
MaxNodes = Annotated[
    int, typer.Option(min=1, help="Budget: nodes of the probability trees, and listed sequences.")
]
MaxBits = Annotated[int, typer.Option(min=1, help="Budget: bits of a denominator.")]
MaxStates = Annotated[
    int, typer.Option(min=1, help="Budget: states expanded beyond the horizon, for every horizon.")
]
Timeout = Annotated[float | None, typer.Option(min=0, help="Budget: seconds for each model.")]
Rows = Annotated[int, typer.Option(min=1, help="Rows of a long table to show.")]
ColourOption = Annotated[Colour, typer.Option("--color", help="When to colour the text.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the report to this file instead.")
]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="No progress line on stderr.")]
PlainFormatOption = Annotated[PlainFormat, typer.Option("--format", help="Form of the report.")]
