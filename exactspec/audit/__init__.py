"""Exact verdicts on real samplers: a program is run for every outcome of its random numbers.

``step`` judges a verification step, ``sequences`` a whole generation loop, ``enumerate`` gives the law
of any program, and ``worlds`` hands out one run after another. In tests, ``assert_lossless`` and
``assert_sequences_lossless`` fail with all that is wrong; ``mutants`` tells which small changes of a
sampler an audit would not see.
"""

from exactspec.audit.asserting import (
    NotLossless,
    assert_lossless,
    assert_sequences_lossless,
)
from exactspec.audit.audited import Audited, Deviation
from exactspec.audit.audits import audit_sequences as sequences
from exactspec.audit.audits import audit_step as step
from exactspec.audit.audits import enumerate_outcomes as enumerate
from exactspec.audit.block import Block
from exactspec.audit.law import Exploration as worlds  # noqa: N813
from exactspec.audit.law import Law
from exactspec.audit.mutants import mutants_of_step as mutants
from exactspec.audit.portfolio import portfolio
from exactspec.audit.tables import Tables
from exactspec.audit.world import Raised, boundary

__all__ = [
    "Audited",
    "Block",
    "Deviation",
    "Law",
    "NotLossless",
    "Raised",
    "Tables",
    "assert_lossless",
    "assert_sequences_lossless",
    "boundary",
    "enumerate",
    "mutants",
    "portfolio",
    "sequences",
    "step",
    "worlds",
]
