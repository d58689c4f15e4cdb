"""What the tests share: expected outputs kept in files, one flag that rewrites them, and the program
run inside the test's own process.
"""

import io
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
_TERMINAL = ("NO_COLOR", "FORCE_COLOR", "TERM", "PYTHONIOENCODING", "EXACTSPEC_DEBUG")


class Ran(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: str
    err: str


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--overwrite-golden",
        action="store_true",
        help="write what the program prints into the files that hold the expected output",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a file, or writes the file where ``--overwrite-golden`` is given."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--overwrite-golden"):
            path.write_bytes(text.encode())
            return
        assert path.exists(), f"{path} is missing; --overwrite-golden writes it"
        assert text == path.read_bytes().decode(), f"{path} holds another output"

    return compare


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns and no colour, whatever the terminal that runs the tests is."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in _TERMINAL:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def exactspec(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ran]]:
    """Runs the program in this process: ``exactspec("check", "m.yaml", stdin=b"...")``."""
    from exactspec.cli import main

    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def run(*arguments: object, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "argv", ["exactspec", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ending:
            main()
        out, err = capsys.readouterr()
        return Ran(int(ending.value.code or 0), out, err)

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)
