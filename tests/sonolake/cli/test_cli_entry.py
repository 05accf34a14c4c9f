"""The program itself: what it imports, how it ends, where it looks for the lake."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sonolake

PROGRAM = Path(sys.executable).with_name("sonolake")
HEAVY = (
    "duckdb",
    "numpy",
    "scipy",
    "lancedb",
    "pyarrow",
    "soundfile",
    "soxr",
    "av",
    "onnxruntime",
    "rich",
    "PIL",
    "filelock",
)


def program(*arguments, **options):
    environment = {k: v for k, v in os.environ.items() if k != "SONOLAKE_LAKE"} | options.pop("env", {})
    command = [PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, **options)


def test_help_imports_nothing_heavy():
    script = (
        "import sys; sys.argv = ['sonolake', '--help']\n"
        "from sonolake.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    commands = "init doctor sql tables snapshots search runs quarantine lineage releases"
    commands += " verify pull prove restore migrate gc models"
    listed = [
        line.split()[0] for line in done.stdout.split("Commands:\n")[1].splitlines() if line.startswith("  ")
    ]
    assert [word for word in listed if word in commands.split()] == commands.split()


@pytest.mark.parametrize("arguments", [("--help",), ("sql", "-h"), ("--version",)])
def test_help_and_version_of_the_program(arguments):
    done = program(*arguments)
    assert done.returncode == 0 and done.stderr == ""
    assert sonolake.__version__ in done.stdout or "Usage: sonolake" in done.stdout


def test_a_session(tmp_path):
    lake = tmp_path / "my lake"
    made = program("init", lake)
    assert made.returncode == 0 and "ATTACH 'ducklake:sqlite:" in made.stdout
    asked = program(
        "sql", "SELECT count(*) AS n FROM assets", "--format", "json", env={"SONOLAKE_LAKE": str(lake)}
    )
    assert json.loads(asked.stdout) == [{"n": 0}]
    refused = program("--lake", lake, "sql", "DROP TABLE assets")
    assert refused.returncode == 1 and refused.stdout == ""
    assert refused.stderr.startswith("sonolake: query: expected a statement that only reads")
    assert refused.stderr.count("\n") == 1 and "Traceback" not in refused.stderr


def test_a_pipe_that_is_closed_early_is_no_traceback(tmp_path):
    assert program("init", tmp_path / "lake").returncode == 0
    command = [PROGRAM, "--lake", tmp_path / "lake", "sql", "SELECT * FROM range(100000)", "--format", "csv"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait() == 1


def test_without_arguments_the_help():
    done = program()
    assert "Usage: sonolake" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("sql",), ("gc", "--older-than", "-1"), ("search",), ("runs", "-n", "0")]
)
def test_a_command_line_that_cannot_be_understood_is_status_2(cli, stocked, arguments):
    result = cli(*arguments, lake=stocked.root)
    assert result.exit_code == 2 and "Usage:" in result.stderr


def test_where_the_lake_is_looked_for(cli, stocked, tmp_path, monkeypatch):
    question = ("sql", "SELECT count(*) AS n FROM assets", "--format", "csv")
    nowhere = cli(*question)
    assert nowhere.exit_code == 1
    assert nowhere.stderr == (
        "sonolake: no lake was named: give --lake FOLDER or s3://…, set SONOLAKE_LAKE, "
        "or go to a folder with a lake.toml\n"
    )
    assert cli(*question, "--lake", stocked.root).stdout == "n\n2\n"
    assert cli(*question, lake=stocked.root).stdout == "n\n2\n"
    assert cli(*question, env={"SONOLAKE_LAKE": str(stocked.root)}).stdout == "n\n2\n"
    monkeypatch.chdir(stocked.root)
    assert cli(*question).stdout == "n\n2\n"
    monkeypatch.chdir(tmp_path)
    other = cli(*question, "--lake", stocked.root, env={"SONOLAKE_LAKE": str(tmp_path / "no lake")})
    assert other.stdout == "n\n2\n", "what is said at the command counts"
    wrong = cli(*question, lake=tmp_path / "no lake")
    assert wrong.exit_code == 1 and f"no lake at {tmp_path / 'no lake'}" in wrong.stderr


def test_init_makes_a_lake_and_then_says_that_it_is_there(cli, tmp_path):
    assert cli("init", "lake").stdout.startswith(f"Made a lake at {tmp_path / 'lake'} (")
    assert cli("init", "lake").stdout.startswith("There is a lake at ")
    assert cli("init", lake="other").exit_code == 0 and (tmp_path / "other" / "lake.toml").is_file()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    refused = cli("init", "thesis")
    assert refused.exit_code == 1 and "neither empty nor a lake" in refused.stderr


def test_a_bug_of_ours_is_not_hidden(stocked, monkeypatch, cli):
    from sonolake import Lake

    def broken(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr(Lake, "sql", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        cli("sql", "SELECT 1", lake=stocked.root)


def test_the_package_runs_as_the_program_does():
    module = subprocess.run(
        [sys.executable, "-m", "sonolake", "--version"], capture_output=True, text=True, check=True
    )
    assert module.stdout == program("--version").stdout != ""
