"""``sonolake plan`` and ``diff``."""

import shutil

import pyarrow as pa
import pytest

from sonolake import Lake, running
from sonolake.lake.spec import Column, TableSpec
from sonolake.lake.step import Batch, Done
from sonolake.releases import Content
from sonolake.releases.on_record import version_before
from sonolake.releases.publishing import publish

NOTES = TableSpec(
    "notes",
    tuple(Column(name, "VARCHAR", name) for name in ("item_id", "split", "licence", "text")),
    ("item_id",),
    "Notes",
)
QUERY = "SELECT item_id, split, licence, text FROM notes"


def rows(*texts, split="train"):
    return [
        {"item_id": f"n{i}", "split": split, "licence": "CC0-1.0", "text": t} for i, t in enumerate(texts)
    ]


def put(lake, rows):
    with running(lake, "write") as run:
        batch = Batch("write", "notes", "".join(sorted(row["text"] for row in rows)))
        for row in rows:
            batch.put(row["item_id"], Done({"notes": [row]}))
        run.commit(batch)


def release(lake, version):
    from sonolake.datasets.origins import sources_of
    from sonolake.datasets.tables import config_of

    snapshot = lake.snapshot
    words = {"name": "notes", "title": "Notes", "description": "Notes.", "meanings": {"text": "what it says"}}
    config = config_of(lake, snapshot, QUERY, tasks=(), **words)
    lineage = pa.table({name: pa.array([], pa.string()) for name in ("child", "parent", "role")})
    content = Content(
        "memo", version, "2026-12-01", "Memo", "Notes.", "CC0-1.0", (config,), sources_of(lake, snapshot, lineage),
        lineage, benchmark={"notes/items.jsonl": b'{"id": "n0"}\n'},
        queries={"notes": QUERY, "later": QUERY.replace("notes", "notes WHERE false")},
    )  # fmt: skip
    with running(lake, "release") as run:
        return publish(run, content, snapshot)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A lake with release memo 1.0.0."""
    with Lake.create(tmp_path_factory.mktemp("memo") / "lake") as lake:
        lake.declare(NOTES)
        put(lake, rows("one", "two"))
        release(lake, "1.0.0")
        return lake.root


@pytest.fixture
def memo(written, tmp_path):
    """A copy of it."""
    shutil.copytree(written, tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        lake.declare(NOTES)
        yield lake


def change(lake, sql):
    with lake.transaction("change") as tx:
        tx.sql(sql)


def test_the_least_version_that_may_follow(cli, ask, memo):
    same = ask("plan", "memo", lake=memo.root)
    assert same["bump"] == "NONE" and "the files of benchmark/" in same["not_compared"]
    said = cli("plan", "memo", lake=memo.root).stdout
    assert "what was compared is as in memo 1.0.0" in said and "not compared: the words of the card" in said
    put(memo, [{"item_id": "n2", "split": "train", "licence": "CC0-1.0", "text": "three"}])
    plan = ask("plan", "memo", lake=memo.root)
    assert (plan["last"], plan["least"], plan["counts"]) == ("1.0.0", "1.1.0", {"added": 1})
    assert plan["added"] == [{"config": "notes", "split": "train", "item_id": "n2"}]
    change(memo, "UPDATE notes SET text = 'uno' WHERE item_id = 'n0'")
    low = cli("plan", "memo", "1.1.0", lake=memo.root)
    assert low.exit_code == 1 and "2.0.0 or later" in low.stderr
    assert "1 item added, 1 item edited: MAJOR, so memo 2.0.0 or later may follow 1.0.0" in low.stdout
    assert ["edited", "notes", "train", "n0", "text"] in [line.split() for line in low.stdout.splitlines()]


def test_two_releases_by_name_and_by_folder(cli, ask, memo):
    change(memo, "UPDATE notes SET split = 'test' WHERE item_id = 'n1'")
    published = release(memo, "2.0.0")
    assert published.told().endswith("0 bytes from 1.0.0")
    moved = ask("diff", "memo@1.0.0", memo.root / "releases" / "memo" / "2.0.0", lake=memo.root)["moved"]
    assert moved == [{"config": "notes", "split": "test", "item_id": "n1", "came_from": "train"}]
    said = cli("diff", "memo@2.0.0", "memo@1.0.0", lake=memo.root)
    assert said.exit_code == 0
    assert "memo@2.0.0 to memo@1.0.0: 1 item moved between splits: MAJOR" in said.stdout


@pytest.mark.parametrize(
    "forget", ["UPDATE releases SET queries = NULL", "ALTER TABLE releases DROP COLUMN queries"]
)
def test_what_was_never_published_or_does_not_say_how_it_was_read(cli, memo, forget):
    never = cli("plan", "other", lake=memo.root)
    assert never.exit_code == 1 and "memo@1.0.0" in never.stderr
    change(memo, forget)
    said = cli("plan", "memo", lake=memo.root)
    assert said.exit_code == 1 and "does not say by which queries" in said.stderr


def test_a_version_published_later_below_another_does_not_change_what_that_followed(memo):
    row = {"name": "memo", "manifest_sha256": "0" * 64, "state": "published"}
    later = [{**row, "version": version, "snapshot": at} for version, at in (("1.2.0", 20), ("1.1.0", 30))]
    memo.table("releases").append(later)
    assert [version_before(memo, "memo", v) for v in ("1.0.0", "1.2.0", "1.1.0", "1.3.0")] == [
        None,
        "1.0.0",
        "1.0.0",
        "1.2.0",
    ]
