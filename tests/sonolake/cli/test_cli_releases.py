"""``sonolake releases``, ``verify``, ``pull`` and ``prove``."""

import json
import shutil

import pytest

from sonolake import Lake
from sonolake.releases import read_manifest
from sonolake.releases.checksums import checksums_text
from sonolake.releases.disk import sha256_of
from sonolake.releases.tables import write_manifest


@pytest.fixture
def folder(stocked, tmp_path):
    """A release's folder, apart from any lake."""
    copy = tmp_path / "copy of demo"
    shutil.copytree(stocked.root / "releases" / "demo" / "0.1.0", copy)
    return copy


def test_releases_of_the_lake(cli, ask, stocked):
    (row,) = ask("releases", lake=stocked.root)
    assert (row["name"], row["version"], row["state"], row["problem"]) == ("demo", "0.1.0", "published", None)
    assert row["files"] > 5 and len(row["manifest_sha256"]) == 64
    assert "demo@0.1.0" in cli("releases", lake=stocked.root).stdout


def test_verify_by_name_and_by_folder(cli, ask, stocked, folder):
    for arguments in ({"lake": stocked.root}, {}):
        which = "demo@0.1.0" if arguments else folder
        result = cli("verify", which, **arguments)
        assert result.exit_code == 0 and "every byte as published" in result.stdout
    assert ask("verify", folder)["problems"] == []


def test_verify_names_what_differs_and_fails(cli, folder):
    card = folder / "README.md"
    card.write_text(card.read_text().replace("Demo", "Deno"))
    (folder / "extra.txt").write_text("x")
    result = cli("verify", folder)
    assert result.exit_code == 1 and "2 differences" in result.stderr
    assert "README.md" in result.stdout and "extra.txt" in result.stdout
    as_json = cli("verify", folder, "--json")
    assert as_json.exit_code == 1
    kinds = {p["path"]: p["kind"] for p in json.loads(as_json.stdout)["problems"]}
    assert kinds == {"README.md": "changed", "extra.txt": "extra"}


@pytest.mark.parametrize("place", ["lake", "releases", "folder"])
def test_pull_from_a_lake_a_folder_of_releases_or_a_release(cli, stocked, tmp_path, place):
    source = {
        "lake": stocked.root,
        "releases": stocked.root / "releases",
        "folder": stocked.root / "releases" / "demo" / "0.1.0",
    }[place]
    dest = tmp_path / "pulled"
    first = cli("pull", "demo@0.1.0", dest, "--from", source)
    assert first.exit_code == 0 and cli("verify", dest).exit_code == 0
    again = cli("pull", "demo@0.1.0", dest, "--from", source, "--json")
    assert json.loads(again.stdout)["fetched"] == 0


def test_pull_some_splits_and_then_the_rest(cli, ask, stocked, tmp_path):
    dest = tmp_path / "pulled"
    result = cli("pull", "demo@0.1.0", dest, "--split", "train", lake=stocked.root)
    assert result.exit_code == 0 and "left out: test" in result.stdout
    assert not list(dest.glob("data/notes/test*")) and list(dest.glob("data/notes/train*"))
    shown = cli("verify", dest)
    assert shown.exit_code == 0 and "1 files were not pulled" in shown.stdout
    assert cli("pull", "demo@0.1.0", dest, lake=stocked.root).exit_code == 0
    assert list(dest.glob("data/notes/test*"))
    wrong = cli("pull", "demo@0.1.0", dest, "--split", "dev", lake=stocked.root)
    assert wrong.exit_code == 1 and "test, train, received 'dev'" in wrong.stderr


def test_what_is_not_there_says_what_is(cli, stocked, tmp_path):
    missing = cli("verify", "demo@9.9.9", lake=stocked.root)
    assert missing.exit_code == 1 and "there is: demo@0.1.0" in missing.stderr
    unclear = cli("verify", "demo", lake=stocked.root)
    assert unclear.exit_code == 1 and "NAME@VERSION" in unclear.stderr
    other = cli("pull", "other@0.1.0", tmp_path / "x", "--from", stocked.root / "releases/demo/0.1.0")
    assert other.exit_code == 1 and "that is demo@0.1.0" in other.stderr
    nowhere = cli("pull", "demo@0.1.0", tmp_path / "x", "--from", tmp_path)
    assert nowhere.exit_code == 1 and "looked in" in nowhere.stderr
    assert not (tmp_path / "x").exists()
    empty = cli("verify", tmp_path)
    assert empty.exit_code == 1


def test_prove(cli, ask, stocked, folder):
    rows = ask("prove", "demo@0.1.0", lake=stocked.root)
    assert all(row["outcome"] == "holds" for row in rows if row["policy"] == "must") and rows
    assert cli("prove", folder).exit_code == 0
    (proof,) = (row for row in rows if row["proof"] == "split-take")
    assert proof["rows"] == proof["expected"] == 0


def test_a_proof_that_fails_fails_the_command(cli, folder):
    (folder / "proofs" / "nonsense.sql").write_text(
        "-- id: nonsense\n-- policy: must\n-- meaning: One is two.\n-- expected: 0 rows\nSELECT 1;\n"
    )
    result = cli("prove", folder)
    assert result.exit_code == 1 and "nonsense" in result.stdout


def test_a_release_without_proofs_is_not_proven(cli, folder):
    shutil.rmtree(folder / "proofs")
    result = cli("prove", folder)
    assert result.exit_code == 1 and "nothing was proven" in result.stderr


def test_a_release_whose_retraction_was_cut_short_is_not_given_away(cli, fresh, tmp_path):
    with Lake.open(fresh.root) as lake:
        (row,) = lake.rows("SELECT * FROM releases")
        lake.table("releases").merge([{**row, "state": "retracted"}])
    result = cli("pull", "demo@0.1.0", tmp_path / "pulled", lake=fresh.root)
    assert result.exit_code == 1 and "is being retracted: `sonolake takedown`" in result.stderr
    assert not (tmp_path / "pulled").exists()
    assert "retracted" in cli("releases", lake=fresh.root).stdout


def test_a_release_whose_folder_is_gone_is_listed_with_the_problem(ask, fresh):
    shutil.rmtree(fresh.root / "releases" / "demo")
    (row,) = ask("releases", lake=fresh.root)
    assert row["files"] is None and "manifest.parquet" in row["problem"]


def lake_release(lake):
    return lake.root / "releases" / "demo" / "0.1.0"


def agree_with_itself(folder):
    """Take a file out of a release, and out of its manifest, sums and mark."""
    (folder / "report.html").unlink()
    files = [f for f in read_manifest(folder) if f.path != "report.html"]
    write_manifest(files, folder)
    sha256 = sha256_of(folder / "manifest.parquet")
    (folder / "SHA256SUMS").write_text(checksums_text(files, sha256))
    (folder / "_COMPLETE").write_text(f"{sha256}\n")


@pytest.mark.parametrize("by_folder", [False, True], ids=["by name", "by folder"])
def test_in_a_lake_a_release_is_what_the_catalog_recorded(cli, fresh, tmp_path, by_folder):
    agree_with_itself(lake_release(fresh))
    lake = None if by_folder else fresh.root
    which = lake_release(fresh) if by_folder else "demo@0.1.0"
    found = cli("verify", which, lake=lake)
    assert found.exit_code == 1 and "was published" in found.stdout
    for command in (["prove", which], ["pull", which, tmp_path / "copy"]):
        result = cli(*command, lake=lake)
        assert result.exit_code == 1 and "publish it again" in result.stderr
    assert not (tmp_path / "copy").exists()
    shutil.copytree(lake_release(fresh), tmp_path / "elsewhere")
    assert cli("verify", tmp_path / "elsewhere").exit_code == 0


@pytest.mark.parametrize("by_folder", [False, True], ids=["by name", "by folder"])
def test_in_a_lake_no_mark_excuses_what_is_missing(cli, fresh, by_folder):
    folder = lake_release(fresh)
    (folder / "_PULLED-train").touch()
    for path in folder.glob("data/notes/test-*"):
        path.unlink()
    found = cli("verify", folder) if by_folder else cli("verify", "demo@0.1.0", lake=fresh.root)
    assert found.exit_code == 1 and "missing" in found.stdout and "_PULLED-train" in found.stdout


@pytest.mark.parametrize("lost", ["_COMPLETE", "manifest.parquet", ""])
def test_a_release_on_record_that_is_not_whole_is_verified_not_unknown(cli, fresh, lost):
    if lost:
        (lake_release(fresh) / lost).unlink()
    else:
        shutil.rmtree(lake_release(fresh))
    found = cli("verify", "demo@0.1.0", lake=fresh.root)
    assert found.exit_code == 1 and "incomplete" in found.stdout


def test_a_folder_that_is_not_on_record_says_so(cli, fresh):
    shutil.copytree(lake_release(fresh), lake_release(fresh).with_name("0.2.0"))
    found = cli("verify", "demo@0.2.0", lake=fresh.root)
    assert found.exit_code == 1 and "not on record" in found.stderr


def test_from_a_folder_of_releases_the_one_that_is_named_is_pulled(cli, stocked, tmp_path):
    releases = tmp_path / "releases"
    shutil.copytree(stocked.root / "releases/demo/0.1.0", releases / "demo" / "0.1.0")
    shutil.copytree(stocked.root / "releases/demo/0.1.0", releases / "other" / "0.1.0")
    assert cli("pull", "demo@0.1.0", tmp_path / "x", "--from", releases).exit_code == 0
    wrong = cli("pull", "other@0.1.0", tmp_path / "y", "--from", releases)
    assert wrong.exit_code == 1 and "that is demo@0.1.0" in wrong.stderr
    assert not (tmp_path / "y").exists()


@pytest.mark.parametrize(
    "which",
    [
        "a..@0.1.0",
        "..@0.1.0",
        "a/b@0.1.0",
        "/@0.1.0",
        "@0.1.0",
        "demo@",
        "demo@../demo",
        f"demo@{'9' * 300}.0.0",
    ],
)
def test_what_cannot_be_a_release_is_said_in_a_line(cli, stocked, tmp_path, which):
    for command in (["verify", which], ["prove", which], ["pull", which, tmp_path / "x"]):
        for options in ({"lake": stocked.root}, {}):
            extra = [] if options or command[0] != "pull" else ["--from", stocked.root]
            result = cli(*command, *extra, **options)
            assert result.exit_code == 1 and "expected" in result.stderr and "Traceback" not in result.stderr


def test_a_pull_to_where_nothing_can_be_written_is_said_in_a_line(cli, stocked, tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for dest in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "link", "/proc/nowhere/mine"):
        result = cli("pull", "demo@0.1.0", dest, lake=stocked.root)
        assert result.exit_code == 1 and result.stderr.startswith("sonolake: ") and str(dest) in result.stderr
        assert result.stderr.count("\n") == 1


def test_lineage_of_a_release(cli, ask, stocked):
    by_name, by_id = (
        ask("lineage", which, lake=stocked.root) for which in ("demo@0.1.0", "release:demo@0.1.0")
    )
    assert by_name == by_id and by_name["id"] == "release:demo@0.1.0"
    assert "release:demo@0.1.0" in cli("lineage", "demo@0.1.0", lake=stocked.root).stdout
    missing = cli("lineage", "demo@0.2.0", lake=stocked.root)
    assert missing.exit_code == 1 and "demo@0.2.0" in missing.stderr


def test_pull_chosen_items(cli, ask, stocked, tmp_path):
    dest, options = tmp_path / "chosen", ["--where", "item_id LIKE '%-1'", "--split", "train"]
    result = cli("pull", "demo@0.1.0", dest, *options, lake=stocked.root)
    assert result.exit_code == 0 and "1 items chosen" in result.stdout
    assert ask("pull", "demo@0.1.0", dest, *options, lake=stocked.root)["already"] == 1
    shown = cli("verify", dest)
    assert shown.exit_code == 0 and "every byte as published" in shown.stdout
    assert "chosen by item_id LIKE '%-1'" in shown.stdout
    (dest / "extra.txt").write_text("x")
    assert cli("verify", dest).exit_code == 1
    wrong = cli("pull", "demo@0.1.0", tmp_path / "x", "--where", "size > 3", lake=stocked.root)
    assert wrong.exit_code == 1 and "item_id, config, split" in wrong.stderr
    assert not (tmp_path / "x").exists()


def test_a_pull_has_a_pace(cli, stocked, tmp_path):
    dest = tmp_path / "pulled"
    pace = ["--workers", "2", "--rate", "100MB"]
    assert cli("pull", "demo@0.1.0", dest, *pace, lake=stocked.root).exit_code == 0
    for option, value in (("--rate", "fast"), ("--workers", "0")):
        wrong = cli("pull", "demo@0.1.0", dest, option, value, lake=stocked.root)
        assert wrong.exit_code == 1 and option[2:] in wrong.stderr


def test_pull_by_an_address_that_answers_nothing(cli, tmp_path):
    for arguments in (["ftp://example.org/demo"], ["demo@0.1.0", "--from", "gs://bucket"]):
        result = cli("pull", arguments[0], tmp_path / "x", *arguments[1:])
        assert result.exit_code == 1 and "s3://bucket/prefix" in result.stderr
