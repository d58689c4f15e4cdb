"""Which file may import which, and what no file may do: read from the sources, never by running them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "exactspec"
FROM_LOW_TO_HIGH = (
    {"text", "errors"},
    {"numbers"},
    {"parameter"},
    {"distribution"},
    {"noise", "transforms", "transport"},
    {"chance"},
    {"model"},
    {"rule"},
    {"algorithms"},
    {"expand"},
    {"check"},
    {"prove", "audit"},
    {"render"},
    {"cli", "pytest_plugin"},
)
ROW = {room: row for row, rooms in enumerate(FROM_LOW_TO_HIGH) for room in rooms}
EXECUTES = {"eval", "exec", "sympify", "parse_expr", "lambdify", "nsimplify", "literal_eval"}
EXACT = (
    *(PACKAGE / f"{name}.py" for name in ("numbers", "distribution", "transforms", "transport")),
    PACKAGE / "rule.py",
    # probabilities with logarithms are irrational: worked out to many digits, with a bound
    *(p for p in (PACKAGE / "noise").glob("*.py") if p.name != "products.py"),
    *(PACKAGE / "parameter").glob("*.py"),
    *(PACKAGE / "chance").glob("*.py"),
    *(PACKAGE / "algorithms").rglob("*.py"),
    *(PACKAGE / "expand").glob("*.py"),
    *(PACKAGE / "check").glob("*.py"),
    *(p for p in (PACKAGE / "prove").glob("*.py") if p.name != "samples.py"),  # they only save work
)


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_of(p): ast.parse(p.read_text("utf-8"), str(p)) for p in PACKAGE.rglob("*.py")}


def imports_of(module):
    """The modules of the package that a module imports, wherever in its text."""
    found = set()
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in {module}"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & set(TREES) or {node.module}
    return {name for name in found if name.partition(".")[0] == "exactspec"}


def room_of(module):
    return module.split(".")[1]


INNER = sorted(module for module in TREES if module not in ("exactspec", "exactspec.__main__"))


def test_every_room_has_a_row():
    assert {room_of(module) for module in INNER} == set(ROW)


@pytest.mark.parametrize("module", INNER)
def test_a_file_imports_from_its_own_room_and_from_lower_ones_only(module):
    mine = room_of(module)
    for other in imports_of(module) - {"exactspec"}:
        its = room_of(other)
        assert its == mine or ROW[its] < ROW[mine], f"{module} imports {other}"


@pytest.mark.parametrize("module", [m for m in INNER if ROW[room_of(m)] < ROW["render"]])
def test_the_package_itself_is_imported_by_render_and_cli_only(module):
    assert "exactspec" not in imports_of(module)


def test_no_file_imports_itself_by_way_of_others():
    done, on_the_way = set(), []

    def visit(module):
        assert module not in on_the_way, " -> ".join((*on_the_way, module))
        if module not in done:
            on_the_way.append(module)
            for other in sorted(imports_of(module) - {"exactspec"}):
                visit(other)
            on_the_way.pop()
            done.add(module)

    for module in INNER:
        visit(module)


def test_the_model_does_not_know_that_algorithms_exist():
    for module in INNER:
        if room_of(module) == "model":
            assert {room_of(other) for other in imports_of(module)} & {
                "algorithms",
                "rule",
            } == set()


@pytest.mark.parametrize("module", sorted(TREES))
def test_no_file_executes_a_text(module):
    for node in ast.walk(TREES[module]):
        name = getattr(node, "id", getattr(node, "attr", None))
        assert name not in EXECUTES, f"{module}:{node.lineno}"


@pytest.mark.parametrize("path", EXACT, ids=module_of)
def test_no_float_is_written_where_numbers_are_exact(path):
    for node in ast.walk(TREES[module_of(path)]):
        is_float = isinstance(node, ast.Constant) and isinstance(node.value, float | complex)
        assert not is_float, f"{path.name}:{node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & {"decimal", "numpy", "statistics"}, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize(
    "first", ["exactspec.check.verdict", "exactspec.check.check", "exactspec.expand.rounds"]
)
def test_check_is_the_function_whatever_was_imported_before(first):
    program = f"import {first}\nfrom exactspec import Result, check\ncheck.__call__\n"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_every_public_name_can_be_imported():
    program = "import exactspec\nfrom exactspec import *\nassert callable(check)\n"
    program += "assert set(exactspec.__all__) <= set(globals())\n"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
