"""``sonolake takedown``: shows, asks, does, proves."""

import json

import pytest
from typer.testing import CliRunner

from sonolake.cli.app import app


def call(lake, *arguments, **options):
    return CliRunner().invoke(app, ["--lake", str(lake), "takedown", *arguments], **options)


def test_it_shows_what_goes_and_without_a_yes_nothing_does(published_lake):
    shown = call(published_lake, "freesound:1", "--dry-run")
    assert shown.exit_code == 0 and "A dog" in shown.stdout and "2 scenes, 2 sounds" in shown.stdout
    assert "demo@1.1.0" in shown.stdout and "solo@1.0.0" in shown.stdout
    said = json.loads(call(published_lake, "freesound:1", "--dry-run", "--json").stdout)
    assert said["sources"] == ["freesound:1"] and len(said["made"]) == 4 and said["begun"] is False
    asked = call(published_lake, "freesound:1", "--reason", "He asked.", input="n\n")
    assert asked.exit_code == 1 and "for good?" in asked.stdout
    assert json.loads(call(published_lake, "freesound:1", "--dry-run", "--json").stdout) == said


def test_done_again_it_finds_nothing_more_to_do_and_proves_it(taken_lake):
    before = {p: p.stat().st_mtime_ns for p in taken_lake.releases_root.rglob("*")}
    done = call(taken_lake.root, "freesound:1", "--yes", "--json")
    assert done.exit_code == 0
    assert {p: p.stat().st_mtime_ns for p in taken_lake.releases_root.rglob("*")} == before
    said = json.loads(done.stdout)
    assert said["finished"] is True and said["media"] == said["vectors"] == 0
    assert said["gone"] is True and {"media", "tables", "catalog", "vectors"} <= {
        p["where"] for p in said["proof"]
    }
    again = call(taken_lake.root, "freesound:1", "--dry-run")
    assert "source freesound:1 was taken down before: The author asked for it." in again.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "one of SOURCE_ID, --speaker, --author"),
        (("freesound:1", "--author", "ann"), "one of SOURCE_ID, --speaker, --author"),
        (("freesound:1", "--yes"), "--reason: expected why it is taken down"),
        (("freesound:404", "--dry-run"), "no source freesound:404"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(published_lake, arguments, said):
    result = call(published_lake, *arguments)
    assert result.exit_code == 1 and said in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_pull_of_a_retracted_version_ends_with_its_notice_and_status_1(taken, tmp_path):
    command = ["--lake", str(taken.lake.root), "pull", "demo@1.0.0", str(tmp_path / "pulled")]
    result = CliRunner().invoke(app, command)
    assert (
        result.exit_code == 1
        and "Taken down on" in result.stderr
        and "demo@1.1.1 is the same" in result.stderr
    )
    verified = CliRunner().invoke(app, ["verify", str(tmp_path / "pulled")])
    assert verified.exit_code == 1 and "withheld" in verified.stdout
