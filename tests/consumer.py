"""What a consumer does with the wheel alone: run by ``tests/wheel.py`` in an environment that has nothing else.

Writes a release of two sounds, pulls it from a folder and over HTTP, verifies, proves, loads and asks it.
"""

from __future__ import annotations

import functools
import hashlib
import http.server
import importlib
import importlib.util
import io
import json
import pkgutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import soundfile

import sonolake
from sonolake.releases import Config, Content, build

ABSENT = (
    "av",
    "boto3",
    "cachetools",
    "datasets",
    "lancedb",
    "onnxruntime",
    "pandas",
    "PIL",
    "polars",
    "prefect",
    "scipy",
    "soxr",
    "torch",
)
RATE = 24_000


def command(*arguments: object, status: int = 0, says: str = "") -> str:
    """Run ``sonolake``; it must end with ``status`` and say ``says``."""
    line = [str(Path(sys.executable).with_name("sonolake")), *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode != status or says not in said or "Traceback" in said:
        sys.exit(
            f"{' '.join(map(str, arguments))}: status {done.returncode}, wanted {status} and {says!r}\n{said}"
        )
    return done.stdout


def ramp(channels: int) -> np.ndarray:
    """A second of int16, another ramp in each channel."""
    return np.stack([np.arange(RATE, dtype=np.int16) // (c + 1) for c in range(channels)], axis=1)


def flac(samples: np.ndarray) -> bytes:
    """A FLAC file of 16 bits."""
    out = io.BytesIO()
    soundfile.write(out, samples, RATE, format="FLAC", subtype="PCM_16")
    return out.getvalue()


def write_release(folder: Path) -> None:
    """Two clips in four channels, the one that trains played backwards."""
    sounds = {"train": flac(ramp(4)[::-1]), "test": flac(ramp(4))}
    media = {hashlib.sha256(sound).hexdigest(): sound for sound in sounds.values()}
    rows = {
        split: pa.table(
            {
                "item_id": [f"clip-{split}"],
                "audio_asset": [digest],
                "licence": ["CC0-1.0"],
                "channels": pa.array([4], pa.int32()),
            }
        )
        for split, digest in zip(sounds, media, strict=True)
    }
    meanings = {"item_id": "id", "licence": "SPDX", "channels": "channels"}
    names = ("asset_id", "source_id", "title", "author", "licence", "licence_url", "source_url", "changes")
    none = pa.array([], pa.string())
    sources = pa.table({**dict.fromkeys(names, none), "synthetic": pa.array([], pa.bool_())})
    lineage = pa.table(dict.fromkeys(("child", "parent", "role"), none))
    config = Config("clips", "Clips", "Ramps.", rows, meanings)
    content = Content(
        "clips", "1.0.0", "2026-11-30", "Clips", "Ramps.", "CC0-1.0", (config,), sources, lineage
    )
    build(content, media.__getitem__, folder / "clips" / "1.0.0")


def check_load(place: str | Path) -> None:
    """Four channels, bit for bit."""
    (record,) = sonolake.load(place, split="test", dtype="int16")
    if not np.array_equal(record["audio"], ramp(4)) or record["sample_rate"] != RATE:
        sys.exit(f"load {place}: other samples")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A web server that writes no log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def over_http(folder: Path) -> None:
    """Pull and load from a web server."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}"
            command("pull", "clips@1.0.0", "from-http", "--from", address, "--where", "split = 'test'")
            check_load(f"{address}/clips/1.0.0")
            command("prove", f"{address}/clips/1.0.0", status=1, says="pip install 'sonolake[s3]'")
        finally:
            server.shutdown()
            thread.join()
    command("verify", "from-http", says="every byte as published")
    check_load(Path("from-http"))


def check_scores() -> None:
    """WESR's scores of a perfect answer."""
    line = json.dumps({"audio": {"path": "a.wav"}, "sentence": "Well [laughs] yes."})
    for name in ("reference.jsonl", "hypothesis.jsonl"):
        Path(name).write_text(line + "\n")
    said = command(
        "score", "wesr", "--reference", "reference.jsonl", "--hypothesis", "hypothesis.jsonl", "--json"
    )
    if '"f1"' not in said:
        sys.exit(f"score: {said}")


def main() -> None:
    """Everything, in the folder that this is run in."""
    there = [name for name in ABSENT if importlib.util.find_spec(name)]
    if there:
        sys.exit(f"the wheel alone brings {there}")
    for module in pkgutil.walk_packages(sonolake.__path__, "sonolake."):
        if module.ispkg:
            importlib.import_module(module.name)
    releases = Path("releases")
    write_release(releases)
    command("--help")
    command("init", "lake")
    command("init", "--project", "our-sounds", says="Made a project")
    command("--lake", "lake", "sql", "SELECT count(*) AS n FROM assets", says="n")
    command("doctor", "--lake", "lake")
    command("pull", "clips@1.0.0", "pulled", "--from", releases)
    command("verify", "pulled", says="every byte as published")
    command("prove", "pulled", says="holds")
    check_load(Path("pulled"))
    over_http(releases)
    check_scores()
    command("--lake", "lake", "search", "rain", status=1, says="pip install 'sonolake[lake]'")
    command("pull", "s3://bucket/clips", "x", status=1, says="pip install 'sonolake[s3]'")


if __name__ == "__main__":
    main()
