"""A small release: mono scenes in several shards, four-channel clips, and notes of which some have no sound."""

import functools
import hashlib
import http.server
import io
import threading

import numpy as np
import pyarrow as pa
import pytest
import soundfile

from sonolake.releases import Config, Content, build

RATE = 8000
COUNTS = {"train": 23, "validation": 3, "test": 5}
MEANINGS = {
    "item_id": "id",
    "licence": "SPDX id",
    "duration_s": "length, s",
    "sample_rate": "Hz",
    "channels": "channels",
    "events": "what is heard",
}


def pcm(item, channels):
    """The samples of an item: int16 ``(frames, channels)``; every item has others, and other lengths."""
    seed = int.from_bytes(hashlib.sha256(item.encode()).digest()[:4], "big")
    rng = np.random.default_rng(seed)
    return rng.integers(-20000, 20000, (400 + seed % 50, channels), dtype=np.int16)


def table(store, kind, split, count, channels):
    rows = []
    for number in range(count):
        item = f"{kind}-{split}-{number:02d}"
        out = io.BytesIO()
        soundfile.write(out, pcm(item, channels), RATE, format="FLAC", subtype="PCM_16")
        digest = hashlib.sha256(out.getvalue()).hexdigest()
        store[digest] = out.getvalue()
        silent = kind == "note" and number % 2
        rows.append(
            {
                "item_id": item,
                "audio_asset": None if silent else digest,
                "licence": "CC-BY-4.0" if number % 2 else "CC0-1.0",
                "duration_s": len(pcm(item, channels)) / RATE,
                "sample_rate": RATE,
                "channels": channels,
                "events": [{"event": "bark", "onset_s": number / 10}] * (number % 3),
            }
        )
    event = pa.struct([("event", pa.string()), ("onset_s", pa.float64())])
    kinds = {
        "duration_s": pa.float64(),
        "sample_rate": pa.int32(),
        "channels": pa.int32(),
        "events": pa.list_(event),
    }
    return pa.Table.from_pylist(rows, pa.schema([(name, kinds.get(name, pa.string())) for name in rows[0]]))


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    """``sounds 1.0.0`` in ``releases/sounds/1.0.0``; nobody changes it."""
    store = {}
    configs = [
        Config(
            name,
            name,
            f"Made-up {name}.",
            {split: table(store, kind, split, count, channels) for split, count in counts.items()},
            MEANINGS,
            rows_per_shard=3,
        )
        for name, kind, counts, channels in (
            ("sounds", "scene", COUNTS, 1),
            ("rms-aqa", "clip", {"train": 2, "test": 2}, 4),
            ("notes", "note", {"test": 4}, 1),
        )
    ]
    names = ("asset_id", "source_id", "title", "author", "licence", "licence_url", "source_url", "changes")
    sources = pa.table(
        {**dict.fromkeys(names, pa.array([], pa.string())), "synthetic": pa.array([], pa.bool_())}
    )
    lineage = pa.table(dict.fromkeys(("child", "parent", "role"), pa.array([], pa.string())))
    content = Content(
        "sounds",
        "1.0.0",
        "2026-11-30",
        "Sounds",
        "Made-up sounds.",
        "CC-BY-4.0",
        tuple(configs),
        sources,
        lineage,
    )
    folder = tmp_path_factory.mktemp("place") / "releases" / "sounds" / "1.0.0"
    build(content, store.__getitem__, folder)
    return folder


@pytest.fixture(scope="session")
def address(release):
    """The folder of releases on a web server that knows no ranges."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(release.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def samples():
    return pcm
