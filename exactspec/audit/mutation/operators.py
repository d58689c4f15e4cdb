"""All mutants of a function, in the order of its text."""

from types import FunctionType

from exactspec.audit.mutation.calls import (
    dropped_bounds,
    dropped_methods,
    opposites,
    swapped_arguments,
)
from exactspec.audit.mutation.source import Mutant, Source, by_text
from exactspec.audit.mutation.statements import conditions, deletions, mistaken, returned
from exactspec.audit.mutation.symbols import arithmetic, comparisons, constants, indices, logic

OPERATORS = (
    *(comparisons, arithmetic, logic, constants, indices),
    *(opposites, dropped_bounds, swapped_arguments, dropped_methods),
    *(deletions, conditions, returned, mistaken),
)


def mutants_of(function: FunctionType) -> list[Mutant]:
    """One mutant for each place in a function's body and each change that an operator makes there.

    The signature and decorators are left as they are; so are annotations, formatted strings and what
    is raised.

    Raises:
        Fault: where the function's source can't be read.
    """
    source = Source(function)
    edits = [
        edit for node in source.nodes() for operator in OPERATORS for edit in operator(node, source)
    ]
    return by_text(source, edits)
