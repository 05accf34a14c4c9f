"""A small release over made-up sounds: one config with voices and events, one with four-channel clips."""

import functools
import hashlib
import io
import shutil

import numpy as np
import pyarrow as pa
import pytest
import soundfile

from sonolake.releases import Chart, Config, Content, build

RATE = 8000


def flac(seed, channels=1, seconds=0.2):
    rng = np.random.default_rng(seed)
    samples = rng.integers(-20000, 20000, (round(RATE * seconds), channels), dtype=np.int16)
    out = io.BytesIO()
    soundfile.write(out, samples, RATE, format="FLAC", subtype="PCM_16")
    return out.getvalue(), samples


class Store(dict):
    """Bytes by their SHA-256, as a lake's media would give them."""

    def put(self, data):
        name = hashlib.sha256(data).hexdigest()
        self[name] = data
        return name


def scene_rows(store, split, count, channels=1):
    kind = "clip" if channels == 4 else "scene"
    rows = []
    for index in range(count):
        item = f"{kind}-{split}-{index:03d}"
        data, _ = flac(int.from_bytes(hashlib.sha256(item.encode()).digest()[:4], "big"), channels)
        rows.append(
            {
                "item_id": item,
                "audio_asset": store.put(data),
                "duration_s": 0.2,
                "sample_rate": RATE,
                "channels": channels,
                "licence": "CC0-1.0",
                "location": ("cafe", "beach")[index % 2],
                "events": [
                    {"event": "shared/dog_bark", "reaction": "pivot", "onset_s": 0.05, "violates": None}
                ],
            }
        )
    return rows


EVENT = pa.struct(
    [("event", pa.string()), ("reaction", pa.string()), ("onset_s", pa.float64()), ("violates", pa.string())]
)
SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("audio_asset", pa.string()),
        ("duration_s", pa.float64()),
        ("sample_rate", pa.int32()),
        ("channels", pa.int32()),
        ("licence", pa.string()),
        ("location", pa.string()),
        ("events", pa.list_(EVENT)),
    ]
)
MEANINGS = {
    "item_id": "id of the item",
    "duration_s": "length, s",
    "sample_rate": "samples a second, Hz",
    "channels": "channels, 1 or 4 (AmbiX)",
    "licence": "SPDX id",
    "location": "where it plays",
    "events": "what is heard, onset in s",
}


def make_config(store, name, counts, channels=1, rows_per_shard=64):
    splits = {s: pa.Table.from_pylist(scene_rows(store, s, n, channels), SCHEMA) for s, n in counts.items()}
    return Config(
        name, name.upper(), f"Made-up {name}.", splits, MEANINGS, ("audio-classification",), rows_per_shard
    )


def make_content(store, counts=None, version="0.1.0", rows_per_shard=64, **changes):
    counts = counts or {"train": 6, "validation": 2, "test": 2}
    cares = make_config(store, "cares", counts, rows_per_shard=rows_per_shard)
    foa = make_config(store, "rms-aqa", {"train": 2, "validation": 1}, channels=4)
    lineage, sources = [], []
    for config in (cares, foa):
        for split, table in config.splits.items():
            take = store.put(f"take of {split}".encode())
            sources.append(take_row(take, f"lib:dog-{split}"))
            for item in table["item_id"].to_pylist():
                lineage.append({"child": item, "parent": take, "role": "take"})
                lineage.append({"child": item, "parent": f"template-{split}", "role": "template"})
    unique = {row["asset_id"]: row for row in sources}
    settings = {
        "name": "demo",
        "version": version,
        "date": "2026-11-01",
        "title": "Demo",
        "summary": "Made-up sounds for tests.",
        "licence": "CC0-1.0",
        "configs": (cares, foa),
        "sources": pa.Table.from_pylist(list(unique.values())),
        "lineage": pa.Table.from_pylist(lineage),
        "notes": ("Nothing here is a real recording.",),
        "languages": ("en",),
        "charts": (Chart("Reactions", "cares", "events.reaction", "events"),),
    }
    return Content(**(settings | changes))


def take_row(asset, source, licence="CC0-1.0"):
    return {
        "asset_id": asset,
        "source_id": source,
        "title": f"Dog [{source}]",
        "author": 'Ann, "A"',
        "licence": licence,
        "licence_url": "https://creativecommons.org/publicdomain/zero/1.0/",
        "source_url": "https://example.org/dog",
        "changes": "trimmed",
        "synthetic": False,
    }


@pytest.fixture
def store():
    return Store()


@pytest.fixture
def make(store):
    """Content over ``store``, with whatever a test wants otherwise."""
    return functools.partial(make_content, store)


@pytest.fixture
def content(make):
    return make()


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """The release of ``content``, built once; tests get copies."""
    store = Store()
    folder = tmp_path_factory.mktemp("published") / "0.1.0"
    build(make_content(store), store.__getitem__, folder)
    return folder


@pytest.fixture(scope="module")
def make_release(tmp_path_factory):
    """Builds a release of made-up content, with whatever a module wants otherwise, and gives its folder."""

    def make(**changes):
        store, folder = Store(), tmp_path_factory.mktemp("made") / "0.1.0"
        build(make_content(store, **changes), store.__getitem__, folder)
        return folder

    return make


@pytest.fixture
def release(published, tmp_path):
    """A published release's folder, to be changed at will."""
    folder = tmp_path / "releases" / "demo" / "0.1.0"
    shutil.copytree(published, folder)
    return folder
