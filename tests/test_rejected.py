"""Model files that must be refused: each ``corpus/rejected/x.yaml`` with what is printed, ``x.out``."""

from collections.abc import Callable
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus" / "rejected"
FILES = sorted(CORPUS.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bad_file_is_refused_with_this_message(
    file: Path,
    exactspec: Callable,
    golden: Callable,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(CORPUS)
    before = _folder()
    ran = exactspec("check", file.name)
    golden(file.with_suffix(".out"), f"{ran.err}exit code {ran.code}\n")
    assert ran.code == 2
    assert ran.out == ""
    assert file.name in ran.err
    assert _folder().keys() - {file.with_suffix(".out").name} <= before.keys()


def test_the_corpus_has_no_output_without_its_file() -> None:
    assert {file.stem for file in CORPUS.glob("*.out")} == {file.stem for file in FILES}
    assert len(FILES) > 100


def _folder() -> dict[str, int]:
    return {path.name: path.stat().st_size for path in CORPUS.iterdir()}
