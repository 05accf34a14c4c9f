"""Commands that say what a lake holds: tables, snapshots, runs, quarantine, lineage."""

import pytest

from sonolake import Lake
from sonolake.ids import sha256_hex


def test_tables_with_rows_and_meaning(cli, ask, stocked):
    rows = {row["table"]: row for row in ask("tables", lake=stocked.root)}
    assert rows["assets"]["rows"] == 2 and rows["quarantine"]["rows"] == 2 and rows["splits"]["rows"] == 0
    assert rows["assets"]["meaning"] == "One row an accepted item"
    shown = cli("tables", lake=stocked.root).stdout
    assert "quarantine" in shown and "What was refused, one reason each" in shown


def test_columns_with_units_from_the_catalog(cli, ask, stocked):
    table = ask("tables", "assets", lake=stocked.root)
    columns = {c["column"]: c for c in table["columns"]}
    assert columns["duration_s"] == {
        "column": "duration_s", "type": "DOUBLE", "unit": "s", "meaning": "frames / sample_rate"
    }  # fmt: skip
    assert columns["sample_rate"]["unit"] == "Hz" and columns["title"]["unit"] == ""
    shown = cli("tables", "assets", lake=stocked.root).stdout
    assert shown.startswith("assets: One row an accepted item (2 rows)\n")
    assert "the file is media/<first two digits>/<asset_id>" in shown, "the meaning is never cut"


def test_no_such_table_lists_those_there_are(cli, stocked):
    result = cli("tables", "asset", lake=stocked.root)
    assert result.exit_code == 1
    assert result.stderr.startswith("sonolake: no table 'asset'; there are assets, ")


def test_snapshots_with_author_message_and_run(cli, ask, stocked):
    rows = ask("snapshots", lake=stocked.root)
    assert [row["snapshot"] for row in rows] == list(range(stocked.snapshot + 1))
    ingest = next(row for row in rows if row["message"] == "ingest-take")
    assert ingest["run"] == stocked.run_id and ingest["extra_info"]["flow"] == "cares" and ingest["author"]
    assert [row["snapshot"] for row in ask("snapshots", "-n", 2, lake=stocked.root)] == [
        stocked.snapshot - 1,
        stocked.snapshot,
    ]
    assert "ingest-take" in cli("snapshots", lake=stocked.root).stdout


def test_runs_with_their_sums_and_those_without_an_end(cli, ask, stocked):
    done, killed = ask("runs", lake=stocked.root)
    assert (done["run_id"], done["outcome"], done["parameters"]) == (stocked.run_id, "done", {"scenes": 24})
    sums = {name: done[name] for name in ("taken", "done", "already", "quarantined", "duplicates", "made")}
    assert sums == {"taken": 6, "done": 3, "already": 0, "quarantined": 2, "duplicates": 1, "made": 3}
    assert (killed["run_id"], killed["outcome"], killed["taken"]) == ("0-killed", None, 0)
    shown = cli("runs", lake=stocked.root).stdout
    assert "no end recorded" in shown and "2026-01-02 03:04:05" in shown


def test_one_run_step_by_step_by_the_beginning_of_its_id(cli, ask, stocked):
    run = ask("runs", stocked.run_id[:8], lake=stocked.root)
    assert [(s["step"], s["batches"], s["taken"], s["made"]) for s in run["steps"]] == [
        ("ingest-take", 1, 5, 0),
        ("render", 1, 1, 3),
    ]
    shown = cli("runs", "0-k", lake=stocked.root).stdout
    assert "no end recorded" in shown and "It has committed no batch." in shown
    missing = cli("runs", "nope", lake=stocked.root)
    assert missing.exit_code == 1 and "`sonolake runs` lists them" in missing.stderr
    both = cli("runs", "", lake=stocked.root)
    assert both.exit_code == 1 and "the beginning of one run's id" in both.stderr


def test_quarantine_by_reason_step_and_in_sum(cli, ask, stocked):
    assert [(r["item"], r["reason"]) for r in ask("quarantine", lake=stocked.root)] == [
        ("cut.wav", "truncated"),
        ("page.wav", "not_audio"),
    ]
    (row,) = ask("quarantine", "--reason", "truncated", "--step", "ingest-take", lake=stocked.root)
    assert row["detail"] == "a third of it is there" and row["source"] == "take"
    assert ask("quarantine", "--step", "render", lake=stocked.root) == []
    assert ask("quarantine", "--summary", lake=stocked.root) == [
        {"step": "ingest-take", "reason": "not_audio", "items": 1, "example": "page.wav"},
        {"step": "ingest-take", "reason": "truncated", "items": 1, "example": "cut.wav"},
    ]
    shown = cli("quarantine", "-n", "1", lake=stocked.root).stdout
    assert "a third of it is there" in shown and "(2 rows, 1 shown; -n shows more)" in shown
    assert cli("quarantine", "--reason", "silent", lake=stocked.root).stdout == (
        "Nothing such is in quarantine; what is there has the reasons not_audio (step ingest-take), truncated (step "
        "ingest-take).\n"
    )


def test_lineage_in_both_directions(cli, ask, stocked):
    scene = ask("lineage", "scene-", lake=stocked.root)
    assert scene["id"] == "scene-0123456789abcdef0123"
    assert {(e["role"], e["child"]) for e in scene["down"]} == {("scene", "clip-of-scene")}
    assert sorted(e["role"] for e in scene["up"]) == ["source", "source", "take", "take"]
    only = ask("lineage", "scene-", "--down", lake=stocked.root)
    assert "up" not in only and len(only["down"]) == 1
    assert "down" not in ask("lineage", "scene-", "--up", lake=stocked.root)
    assert set(ask("lineage", "scene-", "--up", "--down", lake=stocked.root)) == {"id", "what", "up", "down"}


def test_lineage_as_a_tree(cli, stocked):
    dog, cat = (sha256_hex(name) for name in (b"dog", b"cat"))
    up = cli("lineage", "clip-of-scene", "--up", lake=stocked.root).stdout.splitlines()
    assert up == [
        "clip-of-scene",
        "made from:",
        "  scene: scene-0123456789abcdef0123",
        *sorted([f"    take: {cat}  take Cat.Wav", f"    take: {dog}  take Dog.Wav"])[:1],
        *([f"      source: file:{'cat' if cat < dog else 'dog'}.wav"]),
        *sorted([f"    take: {cat}  take Cat.Wav", f"    take: {dog}  take Dog.Wav"])[1:],
        *([f"      source: file:{'dog' if cat < dog else 'cat'}.wav"]),
    ]
    down = cli("lineage", dog[:10], "--down", lake=stocked.root).stdout.splitlines()
    assert down == [
        f"{dog}  take Dog.Wav",
        "made into:",
        "  take: scene-0123456789abcdef0123",
        "    scene: clip-of-scene",
    ]
    assert cli("lineage", "file:dog.wav", "--up", lake=stocked.root).stdout.splitlines()[-1] == "  nothing"


@pytest.mark.parametrize(
    ("wanted", "said"), [("zzz", "begins with 'zzz'"), ("file:", "file:cat.wav, file:dog.wav")]
)
def test_lineage_of_nothing_and_of_several(cli, stocked, wanted, said):
    result = cli("lineage", wanted, lake=stocked.root)
    assert result.exit_code == 1 and said in result.stderr


def test_lineage_that_runs_in_a_circle_or_branches_and_meets_ends(cli, ask, fresh):
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("b", "d")]
    with Lake.open(fresh.root) as lake:
        lake.table("lineage").append([{"child": c, "parent": p, "role": "r"} for c, p in edges])
    assert len(ask("lineage", "a", lake=fresh.root)["up"]) == 5
    shown = cli("lineage", "a", "--up", lake=fresh.root).stdout
    assert shown.splitlines() == [
        "a",
        "made from:",
        "  r: b",
        "    r: c",
        "      r: a (above)",
        "    r: d",
        "  r: d (above)",
    ]
