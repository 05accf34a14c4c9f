"""A new repository: what is written is clean, and it runs on the library alone, end to end."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sonolake import Lake
from sonolake.errors import InvalidInput, Refused
from sonolake.project import make_project
from sonolake.releases import verify

NOT_IN_THE_WHEEL = ("flows", "tasks", "schemas", "polars", "dataframely")
ALONE = f"""
import runpy, sys
sys.modules.update(dict.fromkeys({(*NOT_IN_THE_WHEEL, "prefect")!r}))
"""
"""Begins a process in which only what the wheel brings can be imported."""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new") / "our-sounds"
    make_project(folder)
    return folder


def alone(project, script, *arguments):
    command = [sys.executable, "-c", ALONE + script, *map(str, arguments)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_pass_on_the_library_alone(project):
    assert " passed" in alone(
        project, "import pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider']))"
    )


def test_its_command_line_goes_from_nothing_to_a_release(project):
    settings = (project / "settings.toml").read_text()
    (project / "few.toml").write_text(settings.replace("items = 24", "items = 8"))
    script = """
for command in (["sounds"], ["all"], ["all"], ["release", "0.1.0", "--date", "2026-11-30"]):
    sys.argv = ["our_sounds", *command, "--settings", "few.toml"]
    try:
        runpy.run_module("our_sounds", run_name="__main__")
    except SystemExit as ended:
        assert not ended.code, ended.code
"""
    said = alone(project, script)
    assert "make-our-sounds: Counts(taken=8, done=8, already=0" in said
    assert "make-our-sounds: Counts(taken=8, done=0, already=8" in said, "a second run finds nothing to do"
    folder = project / "lake" / "releases" / "our-sounds" / "0.1.0"
    assert str(folder) in said and verify(folder) == []
    with Lake.open(project / "lake", read_only=True) as lake:
        rows = lake.rows("SELECT answer, len(onsets_s) AS onsets, question FROM our_sounds")
    assert len(rows) == 8 and all(row["answer"] == row["onsets"] in (1, 2, 3, 4) for row in rows)


def test_a_mistake_in_the_settings_is_one_line(project):
    (project / "bad.toml").write_text('lake = "lake"\ntakes = "t"\nambiences = "a"\nitem = 3\n')
    command = [sys.executable, "-m", "our_sounds", "all", "--settings", "bad.toml"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert (
        done.stderr.startswith("error: ")
        and done.stderr.count("\n") == 1
        and "received 'item'" in done.stderr
    )


def test_it_is_as_tidy_as_the_library(project, request):
    rules = ["--no-cache", "--config", str(request.config.rootpath / "pyproject.toml"), "."]
    for command in (["check", *rules], ["format", "--check", *rules]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command], cwd=project, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_it_imports_the_library_and_nothing_of_a_checkout(project):
    allowed = {"sonolake", "our_sounds", "numpy", "typer", "prefect", "pytest"} | sys.stdlib_module_names
    for path in project.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed, path


def test_no_placeholder_is_left(project):
    for path in project.rglob("*"):
        if path.is_file() and path.suffix in (".py", ".md", ".toml", ".yaml", ".json"):
            text = path.read_text().replace("@cache", "").replace("@pytest", "").replace("our-sounds@", "")
            words = [word for word in ("@NAME", "@PACKAGE", "@TABLE", "@TITLE", "@VERSION") if word in text]
            assert words == [], path
    assert (project / ".gitignore").is_file()
    assert json.loads((project / "banks" / "questions.json").read_text())["questions"]


def test_it_can_be_called_otherwise_than_its_folder(tmp_path):
    package, written = make_project(tmp_path / "Repo 1", "door-bells")
    assert package == "door_bells" and Path("door_bells/recipe.py") in written
    assert 'name="door-bells"' in (tmp_path / "Repo 1" / "door_bells" / "recipe.py").read_text()


@pytest.mark.parametrize(
    "name",
    ["Our-Sounds", "1-sound", "", "our--sounds", "-a", "a_b", "x" * 41, "class", "json", "tests", "sonolake"],
)
def test_names_that_cannot_be_are_refused(tmp_path, name):
    with pytest.raises(InvalidInput, match="name of the project"):
        make_project(tmp_path / "Ünknown", name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_refused_and_git_is_nothing(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / ".git").mkdir()
    make_project(tmp_path / "mine", "door-bells")
    with pytest.raises(Refused, match="not an empty folder"):
        make_project(tmp_path / "mine", "door-bells")
