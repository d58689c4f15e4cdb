"""A program may import modules while it is audited: what those draw is none of its outcomes."""

import random
import sys
from fractions import Fraction

from exactspec import audit


def test_what_a_module_draws_when_it_is_imported_is_no_outcome(tmp_path, monkeypatch):
    source = "import random\nDRAWN = random.randint(0, 10**6), random.getrandbits(8), random.random()\n"
    (tmp_path / "drawing_at_import.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)

    def program():
        import drawing_at_import

        return len(drawing_at_import.DRAWN), random.random() < 0.25

    law = audit.enumerate(program)
    del sys.modules["drawing_at_import"]
    assert law.masses == {(3, True): Fraction(1, 4), (3, False): Fraction(3, 4)}
