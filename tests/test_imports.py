"""Data flows one way: a module imports only from its left, and the simulator needs almost nothing."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SIMULATOR = ROOT / "simulator"

ORDER = (                               # from left to right
    "errors", "hardware", "masks", "problem", "cost", "ledger", "hbm", "values", "memory", "online_softmax",
    "algorithms", "tiling", "accounting", "bounds", "figure2", "shelf", "stream", "cache", "ceilings",
    "roofline", "pace", "designs", "matmul", "reference", "fp8", "orders", "heads", "workers", "kv_cache", "batching",
    "paging", "report", "run", "cli", "__main__")
FACE = "__init__"                       # the package's face, right of what it shows
ALLOWED = {"numpy", "ml_dtypes"}


def modules(folder):
    """{path: its parsed source} of every module in a folder."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}


def imported(path, tree):
    """Dotted names that a module imports, relative ones spelled out from the repository's root."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[:len(package) - node.level + 1]) if node.level else ""
            start = ".".join(filter(None, (base, node.module)))
            yield from (f"{start}.{alias.name}" for alias in node.names)


def layer(name):
    """The layer of a dotted name inside the simulator: its second part."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ORDER else FACE


MODULES = modules(SIMULATOR)
every_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SIMULATOR)))


@every_module
def test_the_simulator_imports_numpy_ml_dtypes_and_the_standard_library(path):
    outside = {name.split(".")[0] for name in imported(path, MODULES[path])} - {"simulator"}
    assert outside <= ALLOWED | sys.stdlib_module_names


@every_module
def test_a_module_imports_only_from_its_left(path):
    mine = path.relative_to(SIMULATOR).parts[0].removesuffix(".py")
    names = [name for name in imported(path, MODULES[path]) if name.split(".")[0] == "simulator"]
    if mine == FACE:
        assert not any(layer(name) in ("cli", "__main__") for name in names)           # a notebook needs neither
        return
    for name in names:
        inside = layer(name) == mine and path.parent != SIMULATOR                      # a file of the same folder
        assert inside or ORDER.index(layer(name)) < ORDER.index(mine), f"{mine} imports {name}"


def test_every_module_has_a_place_in_the_order():
    there = {path.relative_to(SIMULATOR).parts[0].removesuffix(".py") for path in MODULES}
    assert there - {FACE} <= set(ORDER)


def test_nothing_of_the_lessons_or_the_app_reaches_the_simulator():
    for path, tree in MODULES.items():
        assert not {"lessons", "kernels", "app"} & {name.split(".")[0] for name in imported(path, tree)}, path


READ = ("ladder", "ideas")              # of kernels/: what a page may import, arithmetic on recorded rows
HELP = ("aligned", "catalogue", "rulers", "schedule")


def test_the_app_needs_no_kernel_only_the_arithmetic_on_what_was_recorded():
    for path, tree in modules(ROOT / "lessons").items():
        names = [name.split(".") for name in imported(path, tree)]
        assert all(name[1] in READ for name in names if name[0] == "kernels"), path
    for name in (*READ, *HELP):
        path = ROOT / "kernels" / f"{name}.py"
        for parts in (one.split(".") for one in imported(path, ast.parse(path.read_text(encoding="utf-8")))):
            assert parts[0] in {"simulator", *sys.stdlib_module_names} or parts[1] in (*READ, *HELP), path


QUIET = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def test_a_module_does_no_work_when_it_is_imported():
    """Only definitions, constants and imports stand at the left margin; a loop or a call alone does not."""
    for path, tree in MODULES.items():
        for node in tree.body:
            quiet = isinstance(node, QUIET)
            words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            main = isinstance(node, ast.If) and path.name == "__main__.py"
            assert quiet or words or main, f"{path}:{node.lineno}"
