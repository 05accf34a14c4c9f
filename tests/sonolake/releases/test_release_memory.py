"""Publishing, pulling, verifying, proving and choosing need no more memory for more of the same."""

import json
import subprocess
import sys

import pytest

WORK = """
import functools, hashlib, http.server, json, resource, sys, threading
from pathlib import Path
import pyarrow as pa
from sonolake.releases import Config, Content, Pace, build, prove, pull, pull_items, verify

work, count, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
here = folder / "1.0.0"

def sound(number):
    return hashlib.sha256(str(number).encode()).digest() * 62_500  # 2 MB

def publish():
    names = {hashlib.sha256(sound(n)).hexdigest(): n for n in range(count)}
    rows = pa.table({
        "item_id": [f"i{n:05d}" for n in range(count)], "audio_asset": list(names), "licence": ["CC0-1.0"] * count
    })
    config = Config("big", "Big", "Big.", {"train": rows}, {"item_id": "id", "licence": "SPDX"})
    none = pa.array([], pa.string())
    columns = ("asset_id", "source_id", "title", "author", "licence", "licence_url", "source_url", "changes")
    sources = pa.table({**dict.fromkeys(columns, none), "synthetic": pa.array([], pa.bool_())})
    lineage = pa.table(dict.fromkeys(("child", "parent", "role"), none))
    content = Content("big", "1.0.0", "2026-11-30", "Big", "Big.", "CC0-1.0", (config,), sources, lineage)
    build(content, lambda sha256: sound(names[sha256]), here)

class Quiet(http.server.SimpleHTTPRequestHandler):
    log_message = lambda *_: None

def fetch():
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return pull(f"http://127.0.0.1:{server.server_port}/1.0.0", folder / "fetched")
        finally:
            server.shutdown()

done = {
    "publish": publish,
    "pull": lambda: pull(here, folder / "pulled"),
    "fetch": fetch,
    "verify": lambda: verify(here),
    "prove": lambda: [result for result in prove(here) if result.outcome != "holds"],
    "choose": lambda: pull_items(here, folder / "chosen", "row >= 0", pace=Pace(2)),
}[work]()
assert done in (None, []) or done.manifest_sha256
print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
"""
WORKS = ("publish", "pull", "fetch", "verify", "prove", "choose")


def peaks(folder, count):
    """MiB that each work needed at most, in a process of its own, for so many sounds of 2 MB."""
    folder.mkdir()
    found = {}
    for work in WORKS:
        command = [sys.executable, "-c", WORK, work, str(count), str(folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found[work] = json.loads(done.stdout)
    return found


def test_memory_is_flat(tmp_path):
    small, large = peaks(tmp_path / "small", 80), peaks(tmp_path / "large", 200)
    grown = {work: large[work] - small[work] for work in WORKS}
    assert max(grown.values()) < 100, f"240 MB more of sounds took MiB more: {grown}"


@pytest.mark.soak
def test_memory_is_flat_for_much(tmp_path):
    small, large = peaks(tmp_path / "small", 100), peaks(tmp_path / "large", 2000)
    grown = {work: large[work] - small[work] for work in WORKS}
    assert max(grown.values()) < 120, f"3.8 GB more of sounds took MiB more: {grown}"
    assert max(large.values()) < 400
