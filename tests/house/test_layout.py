"""The house: who may import whom, what things are called, and how large they are."""

import ast
import importlib
import importlib.metadata
import pkgutil
import statistics
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

import sonolake

ROOT = Path(__file__).parents[2]
FLOORS = ("flows", "tasks", "schemas", "sonolake")
"""Each imports only itself and those to its right."""
PURE = ("audio", "cares", "spatial", "wesr", "splits", "models", "scoring", "pages")
"""Rooms of functions of arrays and records: they know no lake."""
ORCHESTRA = {"prefect", "dataframely", "polars", "torch"}
"""What the wheel does without."""
ON_REQUEST = {
    path: {"torch"}
    for path in (
        "sonolake/loading/torch_dataset.py",
        "sonolake/models/beats.py",
        "sonolake/models/beats_net.py",
        "sonolake/models/clap.py",
        "sonolake/models/pytorch.py",
        "sonolake/spatial/model/conformer.py",
        "sonolake/spatial/model/lora.py",
        "sonolake/spatial/model/plugin.py",
        "sonolake/spatial/model/resnet.py",
        "sonolake/spatial/model/run.py",
        "sonolake/spatial/model/system.py",
        "sonolake/spatial/model/training.py",
        "sonolake/spatial/model/transformers_backbone.py",
    )
}
"""Who else's libraries a module is for; nothing imports it but the function that is asked for it."""


def sources(folder):
    return sorted(p for p in (ROOT / folder).rglob("*.py") if "__pycache__" not in p.parts)


def imported(path):
    """Every module that ``path`` imports, at its top or inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def tops(path):
    return {name.partition(".")[0] for name in imported(path)}


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_imports_only_what_is_to_its_right(floor):
    left = set(FLOORS[: FLOORS.index(floor)]) | {"tests", "benchmarks"}
    wrong = {str(p.relative_to(ROOT)): tops(p) & left for p in sources(floor)}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_the_wheel_needs_no_orchestrator():
    wrong = {str(p.relative_to(ROOT)): tops(p) & ORCHESTRA for p in sources("sonolake")}
    assert {path: names for path, names in wrong.items() if names} == ON_REQUEST


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_know_no_lake(room):
    for path in sources(f"sonolake/{room}"):
        known = {
            n
            for n in imported(path)
            if n.startswith(("sonolake.lake", "sonolake.cli")) or n == "sonolake.Lake"
        }
        assert not known, f"{path} imports {known}"


def test_only_the_command_line_imports_the_command_line():
    for path in sources("sonolake"):
        if path.parts[len(ROOT.parts) + 1] not in ("cli", "__main__.py"):
            assert not {n for n in imported(path) if n.startswith("sonolake.cli")}, path


def test_no_flow_or_task_bears_a_name_that_would_hide_a_library():
    """Prefect's file entry points put the folder of a flow first on the path."""
    installed = set(importlib.metadata.packages_distributions()) | sys.stdlib_module_names
    taken = installed | {"tests", "benchmarks", "deployments", "infra", "docs"} | set(FLOORS)
    for folder in ("flows", "tasks"):
        names = {p.stem if p.suffix == ".py" else p.name for p in (ROOT / folder).iterdir()}
        names = {name for name in names if not name.startswith("__")}
        assert names & taken == set(), f"{folder}/ hides {names & taken}"


def test_tests_are_no_package_and_their_names_differ():
    """Some packages install a top-level ``tests``; ours are found by path."""
    assert list((ROOT / "tests").rglob("__init__.py")) == []
    names = [p.name for p in (ROOT / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def packages():
    return ["sonolake", *(m.name for m in pkgutil.walk_packages(sonolake.__path__, "sonolake.") if m.ispkg)]


@pytest.mark.parametrize("name", packages())
def test_public_names_are_there(name):
    package = importlib.import_module(name)
    public = getattr(package, "__all__", ())
    assert [one for one in public if not hasattr(package, one)] == []
    assert len(set(public)) == len(public)
    assert package.__doc__, f"{name} says what it is"


def test_an_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Ocean'"):
        _ = sonolake.Ocean


def test_data_files_are_packaged():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = settings["package-data"]["*"]
    assert settings["packages"]["find"]["include"] == ["sonolake*"]
    listed = subprocess.run(
        ["git", "ls-files", "sonolake"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    data = [Path(name) for name in listed if not name.endswith(".py")]
    assert [str(p) for p in data if not any(fnmatch(p.name, pattern) for pattern in patterns)] == []


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == sonolake.__version__
    assert f"version: {sonolake.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{sonolake.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_files_and_functions_are_small():
    """Median file about 120 lines, none over 400; median function about 8 lines, few over 35."""
    files, functions = {}, {}
    for path in (p for floor in FLOORS for p in sources(floor)):
        text = path.read_text(encoding="utf-8")
        files[str(path.relative_to(ROOT))] = text.count("\n")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions[f"{path.relative_to(ROOT)}:{node.name}"] = node.end_lineno - node.lineno + 1
    assert {name: lines for name, lines in files.items() if lines > 400} == {}
    assert statistics.median(files.values()) <= 130
    assert statistics.median(functions.values()) <= 10
    long = {name: lines for name, lines in functions.items() if lines > 35}
    assert len(long) <= len(functions) * 0.03, long
