"""A small lake with a run, a quarantine, lineage and a release, and the command line in this process."""

import datetime as dt
import json
import shutil
from types import SimpleNamespace

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from sonolake import Lake, running
from sonolake.cli.app import app
from sonolake.ids import sha256_hex
from sonolake.lake.step import Batch, Done, Duplicate, Edge, Quarantined
from sonolake.releases import Config, Content, build

DOG, CAT = (sha256_hex(name.encode()) for name in ("dog", "cat"))
SCENE = "scene-0123456789abcdef0123"


@pytest.fixture(autouse=True)
def _apart(monkeypatch, tmp_path):
    monkeypatch.delenv("SONOLAKE_LAKE", raising=False)
    monkeypatch.chdir(tmp_path)


def call(*arguments, lake=None, **options):
    """Run ``sonolake`` with ``arguments``; the result has exit_code, stdout and stderr."""
    named = [] if lake is None else ["--lake", str(lake)]
    result = CliRunner().invoke(app, [*named, *map(str, arguments)], **options)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="session")
def cli():
    return call


@pytest.fixture(scope="session")
def ask():
    """The answer of a command that prints JSON and ends well."""

    def asked(*arguments, lake=None):
        result = call(*arguments, "--json", lake=lake)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return asked


def batches():
    first = Batch("ingest-take", "take", "a1")
    for name, asset_id in (("dog.wav", DOG), ("cat.wav", CAT)):
        row = {
            "asset_id": asset_id,
            "kind": "take",
            "item": name,
            "title": name.title(),
            "licence": "CC0-1.0",
        }
        first.put(name, Done({"assets": [row]}, (Edge(asset_id, f"file:{name}", "source"),)))
    first.put("cut.wav", Quarantined("truncated", "a third of it is there", sha256_hex(b"cut")))
    first.put("page.wav", Quarantined("not_audio", "HTML"))
    first.put("dog copy.wav", Duplicate(DOG, DOG, "bytes"))
    second = Batch("render", "scene", "r1")
    edges = (Edge(SCENE, DOG, "take"), Edge(SCENE, CAT, "take"), Edge("clip-of-scene", SCENE, "scene"))
    second.put(SCENE, Done({"judgements": [{"item": SCENE}]}, edges, made=3))
    return first, second


def publish(lake):
    """A release of text rows, as a flow would leave it: the dog is heard in train, the cat in test."""
    takes = {"train": DOG, "test": CAT}
    rows = {
        split: pa.table({"item_id": [f"{split}-{n}" for n in range(3)], "licence": ["CC0-1.0"] * 3})
        for split in takes
    }
    config = Config("notes", "Notes", "Made-up notes.", rows, {"item_id": "id", "licence": "SPDX id"})
    names = ("title", "author", "licence_url", "source_url", "changes")
    sources = [
        {
            "asset_id": take,
            "source_id": take[:8],
            "licence": "CC0-1.0",
            "synthetic": False,
            **dict.fromkeys(names, "x"),
        }
        for take in takes.values()
    ]
    edges = [
        {"child": f"{split}-{n}", "parent": take, "role": "take"}
        for split, take in takes.items()
        for n in range(3)
    ]
    tables = (pa.Table.from_pylist(sources), pa.Table.from_pylist(edges))
    content = Content("demo", "0.1.0", "2026-11-30", "Demo", "Notes.", "CC0-1.0", (config,), *tables)
    built = build(content, lambda _: b"", lake.releases_root / "demo" / "0.1.0")
    row = {"name": "demo", "version": "0.1.0", "snapshot": lake.snapshot, "state": "published"}
    lake.table("releases").append([{**row, "manifest_sha256": built.manifest_sha256}])


def stock(path):
    """Fill a new lake at ``path``."""
    with Lake.create(path) as lake:
        with running(lake, "cares", {"scenes": 24}) as run:
            for batch in batches():
                run.commit(batch)
        killed = {
            "run_id": "0-killed",
            "flow": "embed",
            "started": dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC),
        }
        lake.table("runs").append([killed])
        for data in (b"dog", b"cat", b"cut"):
            lake.media.put(data)
        publish(lake)
        return SimpleNamespace(root=lake.root, run_id=run.run_id, snapshot=lake.snapshot)


@pytest.fixture(scope="session")
def stocked(tmp_path_factory):
    """A lake that tests only read."""
    return stock(tmp_path_factory.mktemp("stocked") / "lake")


@pytest.fixture
def fresh(stocked, tmp_path):
    """A lake of the test's own."""
    shutil.copytree(stocked.root, tmp_path / "lake")
    return SimpleNamespace(**vars(stocked) | {"root": tmp_path / "lake"})
