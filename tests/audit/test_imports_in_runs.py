"""A program may import modules while it is audited: what those draw is none of its outcomes."""

import random
import subprocess
import sys
from fractions import Fraction

import pytest

from exactspec import audit


def test_what_a_module_draws_when_it_is_imported_is_no_outcome(tmp_path, monkeypatch):
    source = (
        "import random\nDRAWN = random.randint(0, 10**6), random.getrandbits(8), random.random()\n"
    )
    (tmp_path / "drawing_at_import.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)

    def program():
        import drawing_at_import

        return len(drawing_at_import.DRAWN), random.random() < 0.25

    law = audit.enumerate(program)
    del sys.modules["drawing_at_import"]
    assert law.masses == {(3, True): Fraction(1, 4), (3, False): Fraction(3, 4)}


def test_a_library_may_be_imported_by_the_first_run():
    program = """
import random
import subprocess
import pytest

from exactspec import audit

def program():
    coin = random.random()
    import torch
    return bool(coin <= torch.tensor(0.25)), bool(torch.rand(1) < 0.5)

print(*sorted(audit.enumerate(program).masses.values()))
"""
    pytest.importorskip("torch")
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "1/8 1/8 3/8 3/8\n"
