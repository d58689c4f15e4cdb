"""pytest knows exactspec: a marker for samplers, model files as tests, the assertions as fixtures.

Nothing heavy is imported here, only where it is used: other tests start as fast as without exactspec.
"""

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from exactspec.check.check import Result
    from exactspec.check.family import FamilyResult
    from exactspec.errors import Diagnostic
    from exactspec.model.scenario import Scenario

MODEL_FILES = (".exactspec.yaml", ".exactspec.yml")
_COUNTEREXAMPLES = 3
_MARKER = "lossless"
_EACH_TABLES = "exactspec_tables"
_LEVELS = ("rational", "float", "grid")
_MEANING = (
    "the test is a sampler, which must be lossless on each pair of tables: a verification step that "
    "takes `block`, or with length= a generation loop that takes `tables`; it returns token ids"
)


def _lossless(
    tables: Any = None,
    *,
    drafts: int | None = None,
    length: int | None = None,
    level: str = "rational",
    max_replays: int = 200_000,
    accept_rounding: bool = False,
) -> None:
    """The marker's arguments: those of the assertions."""


_SIGNATURE = f"{_MARKER}{inspect.signature(_lossless)}".removesuffix(" -> None")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", f"{_SIGNATURE}: {_MEANING}")


@pytest.fixture(name="assert_lossless", scope="session")
def _assert_lossless() -> Callable[..., None]:
    """exactspec.audit.assert_lossless(step, tables=None, *, drafts=None, ...)."""
    from exactspec.audit.asserting import assert_lossless

    return assert_lossless


@pytest.fixture(name="assert_sequences_lossless", scope="session")
def _assert_sequences_lossless() -> Callable[..., None]:
    """exactspec.audit.assert_sequences_lossless(generate, tables=None, *, length, ...)."""
    from exactspec.audit.asserting import assert_sequences_lossless

    return assert_sequences_lossless


@pytest.fixture(name=_EACH_TABLES)
def _each_tables(request: pytest.FixtureRequest) -> "Scenario":
    """Each pair of tables of exactspec.audit.portfolio() in turn, in a test of its own."""
    return request.param  # type: ignore[no-any-return]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each pair of tables."""
    if _EACH_TABLES in metafunc.fixturenames:
        tables = _tables_of(None, Path())
        metafunc.parametrize(_EACH_TABLES, tables, indirect=True, ids=_titles(tables))
    marker = metafunc.definition.get_closest_marker(_MARKER)
    if marker is None:
        return
    wanted = _arguments_of(marker)
    taken = [name for name in _given_by(wanted) if name in metafunc.fixturenames]
    _check_function(metafunc.function, taken, _given_by(wanted)[0])
    tables = _tables_of(wanted["tables"], metafunc.definition.path.parent)
    metafunc.parametrize(taken, [(each,) * len(taken) for each in tables], ids=_titles(tables))


def _check_function(function: Callable[..., Any], taken: Sequence[str], needed: str) -> None:
    if needed not in taken:
        how = f"def {function.__name__}({needed})"
        raise _failure(f"a test marked {_MARKER} takes {needed!r}: {how}")
    if inspect.iscoroutinefunction(function):
        raise _failure(f"a test marked {_MARKER} is no coroutine: call asyncio.run in it")


def _titles(tables: Sequence["Scenario"]) -> list[str]:
    from exactspec.audit.asserting import title_of

    return [title_of(each) for each in tables]


def _given_by(wanted: dict[str, Any]) -> tuple[str, ...]:
    """The arguments of a marked test that the plugin fills in; the test must take the first."""
    return ("block",) if wanted["length"] is None else ("tables", "length", "drafts")


def _arguments_of(marker: pytest.Mark) -> dict[str, Any]:
    """The arguments of a marker by their names, those that are left out too."""
    try:
        bound = inspect.signature(_lossless).bind(*marker.args, **marker.kwargs)
    except TypeError as error:
        raise _failure(f"{_MARKER}: {error}; the marker is {_SIGNATURE}") from None
    bound.apply_defaults()
    if bound.arguments["level"] not in _LEVELS:
        raise _failure(f"{_MARKER}: level is one of {', '.join(_LEVELS)}")
    return bound.arguments


def _tables_of(choice: Any, folder: Path) -> Sequence["Scenario"]:
    """The tables that a marker names; files are relative to the folder of the test."""
    from exactspec.audit.asserting import chosen_tables
    from exactspec.errors import ExactspecError

    def placed(each: Any) -> Any:
        return _shown(folder / each) if isinstance(each, str | os.PathLike) else each

    try:
        several = isinstance(choice, list | tuple)
        return chosen_tables(list(map(placed, choice)) if several else placed(choice))
    except ExactspecError as error:
        raise _failure(_diagnostics_text(error.diagnostics)) from None


def _shown(path: Path) -> str:
    """A path from where the user is."""
    return os.path.relpath(path)


def _diagnostics_text(diagnostics: Sequence["Diagnostic"]) -> str:
    from exactspec.render.diagnostics import diagnostics_text

    return diagnostics_text(diagnostics).rstrip("\n")


def _failure(message: str) -> BaseException:
    """A failure that is told by its message alone, without a traceback."""
    return pytest.fail.Exception(message, pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Audit a marked test, in place of calling it once."""
    marker = pyfuncitem.get_closest_marker(_MARKER)
    if marker is None:
        return None
    from exactspec.audit.asserting import NotLossless
    from exactspec.errors import ExactspecError

    try:
        _audit(pyfuncitem, _arguments_of(marker))
    except NotLossless as error:
        raise _failure(str(error)) from None
    except ExactspecError as error:
        raise _failure(_diagnostics_text(error.diagnostics)) from None
    return True


def _audit(item: pytest.Function, wanted: dict[str, Any]) -> None:
    from exactspec.audit.asserting import assert_lossless, assert_sequences_lossless

    taken = inspect.signature(item.obj).parameters
    arguments = {name: value for name, value in item.funcargs.items() if name in taken}
    given = _given_by(wanted)
    wanted["tables"] = arguments[given[0]]

    @wraps(item.obj)
    def sampler(*values: Any) -> Any:
        filled_in = dict(zip(given, values, strict=True))
        return item.obj(**arguments | {n: v for n, v in filled_in.items() if n in taken})

    if wanted["length"] is None:
        del wanted["length"]
        assert_lossless(sampler, **wanted)
    else:
        assert_sequences_lossless(sampler, **wanted)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "ModelFile | None":
    """Model files are tests."""
    if file_path.name.endswith(MODEL_FILES):
        return ModelFile.from_parent(parent, path=file_path)
    return None


class ModelFile(pytest.File):
    """A model file."""

    def collect(self) -> Iterator["ModelCheck"]:
        yield ModelCheck.from_parent(self, name="check")


class NotAsWanted(Exception):
    """A verdict that is not lossless, or not the one that the file expects."""


class ModelCheck(pytest.Item):
    """``exactspec check`` on one model file: its rule is lossless, or what the file expects."""

    def runtest(self) -> None:
        from exactspec.errors import BudgetReached, ExitCode
        from exactspec.model.load import load

        scenario = load(_shown(self.path))
        self.add_report_section("call", "exactspec", _diagnostics_text(scenario.warnings))
        try:
            result = _result(scenario)
        except BudgetReached as limit:
            raise NotAsWanted(f"undecided: {limit.reason}\n  hint: {limit.hint}") from None
        if result.exit_code != ExitCode.LOSSLESS:
            raise NotAsWanted(_report(result))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report, or what is wrong with the file; of anything else the traceback."""
        from exactspec.errors import ExactspecError

        if isinstance(excinfo.value, NotAsWanted):
            return str(excinfo.value)
        if isinstance(excinfo.value, ExactspecError):
            return _diagnostics_text(excinfo.value.diagnostics)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"exactspec check {_shown(self.path)}"


def _result(scenario: "Scenario") -> "Result | FamilyResult":
    if scenario.family is None:
        from exactspec.check.check import check

        return check(scenario, allow_rules=True)
    from exactspec.check.family import check_family

    return check_family(scenario, allow_rules=True)


def _report(result: "Result | FamilyResult") -> str:
    """The verdict and a counterexample, as ``exactspec check`` shows them of one file among several."""
    from exactspec.check.check import Result
    from exactspec.check.verdict import Lossy
    from exactspec.render.output import Page
    from exactspec.render.report import counterexample_lines, verdict_panel

    page = Page()
    if isinstance(result, Result):
        page.line(_headline(result.scenario, result.verdict.word))
        page.add(verdict_panel(result))
        if isinstance(result.verdict, Lossy):
            page.add(*counterexample_lines(result.verdict.counterexample))
    else:
        from exactspec.render.family import family_counterexamples, family_panel

        page.line(_headline(result.scenario, result.word))
        page.add(family_panel(result), *family_counterexamples(result, _COUNTEREXAMPLES))
    page.line(f"\nthe whole report: exactspec check --allow-rules {result.scenario.file}")
    return page.text().rstrip("\n")


def _headline(scenario: "Scenario", word: str) -> str:
    unmet = f", expected {scenario.expect}" if scenario.expect else ""
    return f"{scenario.file} is {word}{unmet}"
