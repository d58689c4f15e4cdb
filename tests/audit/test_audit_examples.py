"""The samplers in examples/audit have the exact verdicts and figures of their reports."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from exactspec import audit, load
from exactspec.audit import Audited, Tables

ROOT = Path(__file__).parent.parent.parent
SAMPLERS, REPORTS = ROOT / "examples" / "audit", ROOT / "examples" / "reports"
F = Fraction
STEPS = {"step", "repaired", "step_with_the_librarys_coin"}
LIBRARY = {"b26": "numpy", "b32": "numpy", "b65": "numpy"}
LIBRARY |= {"b18": "torch", "b36": "torch", "b80": "torch"}
EVEN_THREE = {a + b + c: F(1, 8) for a in "AB" for b in "AB" for c in "AB"}
B80 = dict(
    zip(
        EVEN_THREE,
        [F(1, 32), F(3, 32), F(1, 4), F(1, 8), F(1, 12), F(1, 4), F(1, 9), F(1, 18)],
        strict=True,
    )
)
OF_THREE = {"A": F(1, 2), "B": F(1, 3), "C": F(1, 6)}
B18 = {"A": F(1, 3), "B": F(4, 9), "C": F(2, 9)}

# sampler, model file, how many tokens are listed, the law that the report gives, its distance
FIGURES: list[tuple[str, str, int, dict[str, Fraction], str]] = [
    (
        "b24_every_block_accepted:step",
        "every-block-accepted",
        3,
        {k: F(9 // 3 ** k[:2].count("B"), 32) for k in EVEN_THREE},
        "5/16",
    ),
    ("b24_every_block_accepted:repaired", "every-block-accepted", 3, EVEN_THREE, "0"),
    (
        "b34_one_uniform_for_a_block:step",
        "one-uniform-for-a-block",
        2,
        {"AA": F(3, 8), "AB": F(1, 8), "BA": F(1, 4), "BB": F(1, 4)},
        "1/8",
    ),
    (
        "b34_one_uniform_for_a_block:repaired",
        "one-uniform-for-a-block",
        2,
        dict.fromkeys(("AA", "AB", "BA", "BB"), F(1, 4)),
        "0",
    ),
    (
        "b43_bonus_from_the_row_before:step",
        "bonus-from-the-row-before",
        2,
        {"AA": F(9, 16), "AB": F(3, 16), "BA": F(1, 8), "BB": F(1, 8)},
        "3/8",
    ),
    (
        "b43_bonus_from_the_row_before:repaired",
        "bonus-from-the-row-before",
        2,
        {"AA": F(3, 16), "AB": F(9, 16), "BA": F(1, 8), "BB": F(1, 8)},
        "0",
    ),
    ("b47_coin_from_a_grid:step", "at-most", 1, {"A": F(3, 8), "B": F(3, 8), "C": F(1, 4)}, "1/4"),
    ("b47_coin_from_a_grid:repaired", "below", 1, {"A": F(1, 2), "B": F(1, 2)}, "0"),
    (
        "b47_coin_from_a_grid:repaired",
        "below-between-grid-points",
        1,
        {"A": F(1, 4), "B": F(1, 4), "C": F(1, 2)},
        "1/6",
    ),
    (
        "b26_ratio_without_q:step",
        "ratio-to-the-maximum",
        1,
        {"A": F(7, 18), "B": F(10, 27), "C": F(13, 54)},
        "1/9",
    ),
    ("b26_ratio_without_q:repaired", "ratio-to-q", 1, OF_THREE, "0"),
    (
        "b32_noise_shared_with_the_recovery:loop",
        "shared-noise",
        1,
        {"A": F(1, 10), "B": F(63, 100), "C": F(27, 100)},
        "3/100",
    ),
    (
        "b32_noise_shared_with_the_recovery:loop",
        "shared-noise-larger",
        1,
        {"A": F(1, 10), "B": F(123, 190), "C": F(24, 95)},
        "9/190",
    ),
    (
        "b32_noise_shared_with_the_recovery:loop",
        "shared-noise-other-way",
        1,
        {"A": F(1, 10), "B": F(63, 110), "C": F(18, 55)},
        "3/110",
    ),
    (
        "b32_noise_shared_with_the_recovery:repaired",
        "shared-noise",
        1,
        {"A": F(1, 10), "B": F(3, 5), "C": F(3, 10)},
        "0",
    ),
    ("b65_residual_in_the_same_variable:loop", "p-is-overwritten", 1, OF_THREE, "0"),
    ("b65_residual_in_the_same_variable:p_is_kept", "p-is-overwritten", 1, B18, "1/6"),
    ("b18_target_instead_of_residual:step", "target-after-a-rejection", 1, B18, "1/6"),
    ("b18_target_instead_of_residual:repaired", "target-after-a-rejection", 1, OF_THREE, "0"),
    (
        "b36_first_draft_never_verified:step",
        "first-draft-never-verified",
        2,
        {"AA": F(1, 2), "AB": F(1, 2)},
        "3/4",
    ),
    (
        "b36_first_draft_never_verified:repaired",
        "first-draft-never-verified",
        2,
        {"AA": F(1, 8), "AB": F(1, 8), "BA": F(3, 8), "BB": F(3, 8)},
        "0",
    ),
    ("b80_match_with_a_sample:step", "match-with-a-sample", 3, B80, "0"),
    ("b80_match_with_a_sample:argmax_loop", "match-with-a-sample", 3, {"ABA": F(1)}, "3/4"),
]


def sampler(name: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    if module[:3] in LIBRARY:
        pytest.importorskip(LIBRARY[module[:3]])
    monkeypatch.syspath_prepend(SAMPLERS)
    return getattr(import_module(module), function)  # type: ignore[no-any-return]


def audited(name: str, model: str, function: Callable[..., Any], **options: Any) -> Audited:
    scenario = load(str(REPORTS / name.partition(":")[0] / f"{model}.yaml"))
    if name.startswith("b32") or name.partition(":")[2] not in STEPS:
        length = 3 if name.startswith("b80") else 1
        generate = partial(function, Tables(scenario), length, scenario.draft_length)
        return audit.sequences(generate, scenario, length, **options)
    return audit.step(function, scenario, **options)


def first_tokens(verdict: Audited, count: int) -> dict[str, Fraction]:
    law: dict[str, Fraction] = {}
    for outcome, mass in verdict.got.items():
        assert isinstance(outcome, tuple)
        text = "".join(verdict.tables.names(outcome[:count]))
        law[text] = law.get(text, F(0)) + mass
    return {text: mass for text, mass in law.items() if mass}


@pytest.mark.parametrize(
    ("name", "model", "count", "law", "distance"),
    FIGURES,
    ids=[f"{name}-{model}" for name, model, *_ in FIGURES],
)
def test_a_sampler_has_the_verdict_and_the_figures_of_its_report(
    name: str,
    model: str,
    count: int,
    law: dict[str, Fraction],
    distance: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verdict = audited(name, model, sampler(name, monkeypatch))
    assert first_tokens(verdict, count) == law
    assert verdict.word == ("lossless" if distance == "0" else "lossy")
    assert verdict.is_exact
    first = {**law}
    for outcome, mass in verdict.want.items():
        text = "".join(verdict.tables.names(outcome[:count]))
        first[text] = first.get(text, F(0)) - mass
    assert sum(map(abs, first.values())) / 2 == F(distance)


def test_the_librarys_own_coin_is_off_by_one_point_of_its_grid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "b47_coin_from_a_grid:step_with_the_librarys_coin"
    function = sampler(name, monkeypatch)
    assert audited(name, "at-most", function).word == "lossless"
    on_the_grid = audited(name, "at-most", function, level="grid")
    assert (on_the_grid.word, on_the_grid.impossible) == ("lossy", F(1, 2**53))


def test_every_sampler_is_audited_and_names_its_report() -> None:
    modules = {path.stem for path in SAMPLERS.glob("b*.py")}
    assert modules == {name.partition(":")[0] for name, *_ in FIGURES}
    for module in modules:
        first_line = (SAMPLERS / f"{module}.py").read_text("utf-8").splitlines()[0]
        assert first_line.startswith(f'"""{module[:3].upper()} · ')
        assert (REPORTS / module).is_dir()
