"""A small lake that has published: sounds by five people, scenes of them, a release of two versions.

In train are, of the dog, ``scene-0`` and from 1.1.0 on ``scene-3``, and of the bell ``scene-1`` and ``scene-2``, all
but the last one in the cafe; in test is ``scene-4``, of the fan in the hall. The release ``solo`` is ``scene-0`` alone.
"""

import hashlib
import io
import shutil
import time
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import soundfile

from sonolake import Lake
from sonolake.lake.run import running
from sonolake.lake.step import Batch, Done, Edge
from sonolake.lake.vector_rows import vector_id
from sonolake.releases import Config, Content
from sonolake.releases.publishing import publish
from sonolake.releases.takedown import TakenDown, Target, take_down
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake
from sonolake.sources.records import SourceItem

RATE = 8000
TAKES = {
    "dog": ("take", "freesound:1", "ann"),
    "bell": ("take", "freesound:12", "bea"),
    "cafe": ("ambience", "freesound:3", "cem"),
    "fan": ("take", "freesound:7", "dan"),
    "hall": ("ambience", "freesound:8", "eve"),
}
SCENES = {
    "scene-0": ("train", "dog", "cafe"),
    "scene-1": ("train", "bell", "cafe"),
    "scene-2": ("train", "bell"),
    "scene-3": ("train", "dog", "cafe"),
    "scene-4": ("test", "fan", "hall"),
}


def noise(name, rate=RATE, gain=0.5):
    """A second of sound that is nothing else's: noise in bursts, at any rate and level the same sound."""
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big"))
    t = np.arange(2 * RATE) / RATE
    x = sum(
        rng.uniform(1, 3)
        * np.sin(2 * np.pi * rng.uniform(150, 3000) * t + rng.uniform(0, 6))
        * (t > rng.uniform(0, 1.5))
        for _ in range(6)
    )
    x = x * np.abs(np.sin(np.pi * rng.uniform(1, 5) * t)) + 0.05 * rng.standard_normal(len(t))
    x = x / np.abs(x).max()
    if rate != RATE:
        x = np.interp(np.arange(2 * rate) / rate, t, x)
    return gain * x


def packed(x, rate=RATE, form="FLAC"):
    out = io.BytesIO()
    soundfile.write(out, np.round(32767 * x).astype(np.int16), rate, format=form, subtype="PCM_16")
    return out.getvalue()


def take(run, kind, *items):
    return Ingest(run, Intake(kind)).take(items)


def item(folder, name, data, **fields):
    path = folder / name.replace(":", "-").replace("/", "-")
    path.write_bytes(data)
    return SourceItem(name, path, {"licence": "CC0-1.0", **fields})


def make_scenes(run, ids):
    """Put scenes into the lake: a sound of their own, a row, edges to what they are of."""
    batch = Batch("render", "scene")
    for scene, (_, *layers) in SCENES.items():
        data = packed(noise(scene))
        asset = run.lake.media.put(data)
        row = {
            "asset_id": asset,
            "kind": "scene",
            "item": scene,
            "source_id": scene,
            "author": "sonolake",
            "licence": "CC0-1.0",
        }
        edges = [Edge(scene, ids[layer], TAKES[layer][0]) for layer in layers] + [Edge(asset, scene, "audio")]
        edges.append(Edge(scene, f"template-{SCENES[scene][0]}", "template"))
        batch.put(scene, Done({"assets": [row]}, tuple(edges)))
    run.commit(batch)


def content_of(lake, version, scenes, name="demo"):
    """What a version holds: these scenes, as the lake has them."""
    rows = lake.rows(
        "SELECT item AS item_id, asset_id AS audio_asset, licence FROM assets WHERE kind = 'scene' ORDER BY item"
    )
    schema = pa.schema(
        [
            ("item_id", pa.string()),
            ("audio_asset", pa.string()),
            ("licence", pa.string()),
            ("duration_s", pa.float64()),
            ("sample_rate", pa.int32()),
            ("channels", pa.int32()),
            ("words", pa.string()),
        ]
    )
    splits = {}
    for split in ("train", "test"):
        there = [
            {**r, "duration_s": 2.0, "sample_rate": RATE, "channels": 1, "words": f"words of {r['item_id']}"}
            for r in rows
            if r["item_id"] in scenes and SCENES[r["item_id"]][0] == split
        ]
        if there:
            splits[split] = pa.Table.from_pylist(there, schema)
    config = Config(
        "cares",
        "scenes",
        "Made-up scenes.",
        splits,
        dict.fromkeys(schema.names, "as its name says"),
        rows_per_shard=1,
    )
    lineage = lake.sql(
        "SELECT child, parent, role FROM lineage WHERE child IN (SELECT unnest(?)) ORDER BY ALL",
        [list(scenes)],
    )
    sources = lake.sql(
        "SELECT asset_id, source_id, title, author, licence, licence_url, source_url, 'mixed' AS changes, synthetic "
        "FROM assets WHERE asset_id IN (SELECT unnest(?)) AND kind <> 'scene' ORDER BY asset_id",
        [lineage["parent"].to_pylist()],
    )
    lines = "".join(f'{{"item_id": "{scene}", "answer": "A"}}\n' for scene in sorted(scenes))
    return Content(
        name,
        version,
        "2026-11-01",
        "Demo",
        f"{config.rows} scenes, made up.",
        "CC0-1.0",
        (config,),
        sources,
        lineage,
        benchmark={"cares/answers.jsonl": lines.encode()},
    )


def vectors_of(lake, ids):
    rng = np.random.default_rng(1)
    names = [one for one in ids for _ in range(3)]
    rows = {
        "vector_id": [vector_id(one, number % 3) for number, one in enumerate(names)],
        "asset_id": names,
        "model": ["made-up"] * len(names),
        "weights_sha256": ["0" * 64] * len(names),
        "vector": pa.array(
            rng.standard_normal((len(names), 4)).astype(np.float32).tolist(), pa.list_(pa.float32())
        ),
    }
    with lake.writing():
        lake.vectors.write("sounds", pa.table(rows))


def make_lake(place, folder):
    """Make it at ``place``; files that are taken lie in ``folder``."""
    with Lake.create(place) as lake, running(lake, "made up") as run:
        ids = {}
        for name, (kind, source, author) in TAKES.items():
            data = packed(noise(name))
            ids[name] = hashlib.sha256(data).hexdigest()
            take(
                run,
                kind,
                item(
                    folder,
                    source,
                    data,
                    source_id=source,
                    author=author,
                    title=f"A {name}",
                    speaker=f"voice of {author}",
                ),
            )
        make_scenes(run, ids)
        vectors_of(lake, sorted(ids.values()))
        publish(run, content_of(lake, "1.0.0", {"scene-0", "scene-1", "scene-2", "scene-4"}), lake.snapshot)
        publish(run, content_of(lake, "1.1.0", set(SCENES)), lake.snapshot)
        publish(run, content_of(lake, "1.0.0", {"scene-0"}, "solo"), lake.snapshot)


@pytest.fixture(scope="session")
def published_lake(tmp_path_factory):
    """Its folder; nobody changes it."""
    folder = tmp_path_factory.mktemp("takedown")
    make_lake(folder / "lake", folder)
    return folder / "lake"


@pytest.fixture
def published_team_lake(team_place, tmp_path):
    """The same in S3, with its catalog in PostgreSQL."""
    make_lake(f"{team_place}/lake", tmp_path)
    return f"{team_place}/lake"


@pytest.fixture
def lake(published_lake, tmp_path):
    """A copy of it, to be changed at will."""
    shutil.copytree(published_lake, tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as opened:
        yield opened


@pytest.fixture
def ids(lake):
    """Asset ids of the takes and scenes, by name."""
    return {row["item"]: row["asset_id"] for row in lake.rows("SELECT item, asset_id FROM assets")}


@pytest.fixture(name="noise")
def noise_():
    """Gives samples, by a name."""
    return noise


@pytest.fixture(name="packed")
def packed_():
    """Gives a file of samples."""
    return packed


@pytest.fixture
def offer(tmp_path):
    """Gives an item of a source, with its sound as bytes or as samples."""
    return lambda name, data, **fields: item(tmp_path, name, data, **fields)


@pytest.fixture
def contents():
    """Gives what a version holds, of scenes of a lake."""
    return content_of


@dataclass(frozen=True)
class Taken:
    """A lake of which the dog was taken down, what was done, and what had been there: ids, items, shards by version.

    ``seconds`` is how long it took here and now.
    """

    lake: Lake
    done: TakenDown
    ids: dict
    items: dict
    shards: dict
    seconds: float


@pytest.fixture(scope="session")
def taken(published_lake, tmp_path_factory):
    """Nobody changes it."""
    place = shutil.copytree(published_lake, tmp_path_factory.mktemp("taken") / "lake")
    with Lake.open(place) as lake:
        ids = {row["item"]: row["asset_id"] for row in lake.rows("SELECT item, asset_id FROM assets")}
        folders = {v: lake.releases_root / "demo" / v for v in ("1.0.0", "1.1.0")}
        items = {v: items_in(folder) for v, folder in folders.items()}
        shards = {v: {path.name for path in (f / "data/cares").iterdir()} for v, f in folders.items()}
        began = time.monotonic()
        done = take_down(lake, Target("source", "freesound:1"), "The author asked for it.")
        yield Taken(lake, done, ids, items, shards, time.monotonic() - began)


def items_in(folder):
    """Split by item of a release."""
    return {row["item_id"]: row["split"] for row in pq.read_table(folder / "items.parquet").to_pylist()}


@pytest.fixture
def items():
    """Gives the split of each item of a version of ``demo``."""
    return lambda lake, version: items_in(lake.releases_root / "demo" / version)


@pytest.fixture
def taken_lake(taken, tmp_path):
    """A copy of it, to be changed at will."""
    with Lake.open(shutil.copytree(taken.lake.root, tmp_path / "taken")) as opened:
        yield opened
