"""Releases: publishing and pulling against copying and hashing, small steps, and memory.

    python benchmarks/releases.py [--only local|s3|steps|memory] [--runs 3] [--scale 1.0] [--work FOLDER]

- **local**: 2,000 sounds of 320 kB, and 20 of 100 MB, are published in a lake, and pulled; against ``cp`` and then
  ``sha256sum`` of the same bytes. The figure is what they take divided by what we take, at least 0.8.
- **s3**: the same with a lake in S3, against bare loops of boto3: each object down, hashed, and up; or down into a file
  and hashed. The server is moto's, on this machine, in a process of its own; sounds of 320 kB alone, as it keeps all.
- **steps**: of 2,000 sounds 1 % are edited. Bytes that the next version stores, and that a pull beside the one before
  fetches, at most 3 %.
- **memory**: highest resident size of publish, verify, prove and pull of generated sounds of 320 kB, of two sizes,
  at most 400 MiB.

Each side runs in processes of its own, one thread (but for the uploads of a publication in S3), in turn, with all files
in the page cache, a publication after one of six sounds (imports, first use of DuckDB); shown is the median of the runs
in wall seconds and in CPU seconds (user and system). Publishing also waits for the disk (fsync), which ``cp`` does not;
on a machine that does other work besides, look at the CPU seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

SHORT, LONG = (2000, 320_000), (20, 100_000_000)
EDITED = 0.01
CATALOG, WARM = "SONOLAKE_CATALOG", "SONOLAKE_BENCHMARK_WARM"
"""Variables: where the catalog of a lake in S3 is, and the lake that a publication follows one from."""
LEAST, MOST_FETCHED, MOST_MIB = 0.8, 0.03, 400
QUERY = (
    "SELECT item_id, split, asset AS audio_asset, licence, duration_s, 16000::INTEGER AS sample_rate, "
    "1::INTEGER AS channels, label FROM sounds ORDER BY item_id"
)


def sound(number: int, size: int, edition: int = 0) -> bytes:
    """Bytes that do not compress and that nothing else has, as long as asked for, or a little longer."""
    seed = hashlib.sha256(f"{number} {edition}".encode()).digest()
    return b"RIFF" + hashlib.shake_128(seed).digest(size + number % 97)


class Generated:
    """Sounds of ``size`` bytes for little work: they differ in their last bytes, so that all before is hashed once."""

    def __init__(self, size: int) -> None:
        self.start = b"RIFF" + hashlib.sha256(b"start").digest() * (size // 32 - 1)
        self._hashed = hashlib.sha256(self.start)

    def sha256(self, number: int) -> str:
        """Of a sound."""
        whole = self._hashed.copy()
        whole.update(self._end(number))
        return whole.hexdigest()

    def sound(self, number: int) -> bytes:
        """Its bytes."""
        return self.start + self._end(number)

    def _end(self, number: int) -> bytes:
        return hashlib.sha256(str(number).encode()).digest()


def make_lake(root: str, count: int, size: int) -> None:
    """A lake with so many sounds in its media, and a table of them."""
    from sonolake import Lake
    from sonolake.lake.spec import Column, TableSpec

    names = ("item_id", "split", "asset", "licence", "label")
    columns = (
        *(Column(name, "VARCHAR", name) for name in names),
        Column("duration_s", "DOUBLE", "length", "s"),
    )
    with Lake.create(root) as lake:
        lake.declare(TableSpec("sounds", columns, ("item_id",), "Sounds"))
        rows = []
        for number in range(count):
            data = sound(number, size)
            row = {"item_id": f"item-{number:06d}", "split": "test" if number % 10 == 9 else "train"}
            label = hashlib.sha256(str(number).encode()).hexdigest() * 8
            facts = {
                "asset": lake.media.put(data),
                "licence": "CC0-1.0",
                "label": label,
                "duration_s": size / 32000,
            }
            rows.append(row | facts)
        lake.table("sounds").append(rows)


def edit_lake(root: str, size: int) -> None:
    """Give every hundredth item, by a hash, another sound."""
    from sonolake import Lake

    with Lake.open(root) as lake:
        rows = lake.rows("SELECT item_id FROM sounds ORDER BY hash(item_id), item_id")
        with lake.transaction("edit") as tx:
            for row in rows[: round(EDITED * len(rows))]:
                asset = lake.media.put(sound(int(row["item_id"][5:]), size, 1))
                tx.sql("UPDATE sounds SET asset = ? WHERE item_id = ?", [asset, row["item_id"]])


def publish_lake(root: str, version: str, name: str = "big") -> str:
    """Publish all of it; what was stored."""
    import pyarrow as pa

    from sonolake import Lake, running
    from sonolake.datasets.tables import config_of
    from sonolake.releases import Content
    from sonolake.releases.publishing import publish

    none = pa.array([], pa.string())
    columns = ("asset_id", "source_id", "title", "author", "licence", "licence_url", "source_url", "changes")
    sources = pa.table({**dict.fromkeys(columns, none), "synthetic": pa.array([], pa.bool_())})
    lineage = pa.table(dict.fromkeys(("child", "parent", "role"), none))
    with Lake.open(root) as lake, running(lake, "benchmark") as run:
        snapshot = lake.snapshot
        config = config_of(
            lake, snapshot, QUERY, name="sounds", title="Sounds", description="Sounds.", meanings={"label": "label"},
            tasks=(),
        )  # fmt: skip
        assert config is not None
        content = Content(name, version, "2026-11-30", "Big", "Big.", "CC0-1.0", (config,), sources, lineage)
        return publish(run, content, snapshot).told()


def publish_again(root: str, number: int) -> str:
    """Publish it under a name of its own, so that nothing is there yet."""
    return publish_lake(root, "1.0.0", f"big{number}")


def pull_release(source: str, dest: str) -> dict[str, Any]:
    """Pull it; what came."""
    from sonolake.releases import Pace, pull

    return vars(pull(source, Path(dest), pace=Pace(1)))


def build_generated(folder: str, count: int, size: int) -> None:
    """A release of generated sounds, with no lake."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from sonolake.releases import Config, Content, build

    sounds = Generated(size)
    numbers = {bytes.fromhex(sounds.sha256(n)): n for n in range(count)}
    names = pa.array((key.hex() for key in numbers), size=count)
    takes = [hashlib.sha256(f"take {n}".encode()).hexdigest() for n in range(count // 2)]
    once = pa.array(["x"] * len(takes))
    columns = ("title", "author", "licence_url", "source_url", "changes")
    sources = pa.table({
        "asset_id": pa.array(takes), "source_id": pa.array([f"lib:{n}" for n in range(len(takes))]),
        **dict.fromkeys(columns, once), "licence": pa.array(["CC0-1.0"] * len(takes)),
        "synthetic": pa.array([False] * len(takes)),
    })  # fmt: skip
    rows = pa.table({
        "item_id": pa.array((f"item-{n:06d}" for n in range(count)), size=count), "audio_asset": names,
        "licence": pa.array(["CC0-1.0"] * count),
        "label": pc.binary_repeat(names, 8),
    })  # fmt: skip
    config = Config(
        "big", "Big", "Big.", {"train": rows}, {"item_id": "id", "licence": "SPDX", "label": "label"}
    )
    lineage = pa.table({
        "child": rows["item_id"], "parent": pa.array([takes[n % len(takes)] for n in range(count)]),
        "role": pa.array(["take"] * count),
    })  # fmt: skip
    del takes
    content = Content("big", "1.0.0", "2026-11-30", "Big", "Big.", "CC0-1.0", (config,), sources, lineage)
    build(content, lambda sha256: sounds.sound(numbers[bytes.fromhex(sha256)]), Path(folder))


def verify_release(folder: str) -> None:
    """Every byte of it."""
    from sonolake.releases import verify

    assert verify(Path(folder)) == []


def prove_release(folder: str) -> None:
    """Every proof of it."""
    from sonolake.releases import prove

    assert all(result.outcome == "holds" for result in prove(Path(folder)))


def copy_and_hash(source: str, dest: str) -> None:
    """What is to be measured against: ``cp``, then ``sha256sum``."""
    subprocess.run(["cp", "-r", source, dest], check=True)
    paths = [str(path) for path in Path(dest).rglob("*") if path.is_file()]
    subprocess.run(
        ["xargs", "-0", "sha256sum"], input="\0".join(paths).encode(), stdout=subprocess.DEVNULL, check=True
    )


def copy_and_hash_in_s3(address: str, dest: str) -> None:
    """A bare loop of boto3: every object down, hashed, and up."""
    from sonolake import s3

    bucket, prefix = s3.parts_of(address)
    target = s3.parts_of(dest)[1]
    client = s3.client(s3.session())
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=f"{prefix}/"):
        for entry in page.get("Contents", ()):
            data = client.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()
            hashlib.sha256(data).hexdigest()
            client.put_object(Bucket=bucket, Key=f"{target}/{entry['Key']}", Body=data)


def download_and_hash(address: str, dest: str) -> None:
    """A bare loop of boto3, down."""
    from sonolake import s3

    bucket, prefix = s3.parts_of(address)
    client = s3.client(s3.session())
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=f"{prefix}/"):
        for entry in page.get("Contents", ()):
            path = Path(dest) / entry["Key"][len(prefix) + 1 :]
            path.parent.mkdir(parents=True, exist_ok=True)
            client.download_file(bucket, entry["Key"], str(path))
            with path.open("rb") as file:
                hashlib.file_digest(file, "sha256")


WORK: dict[str, Callable[..., Any]] = {
    work.__name__: work
    for work in (
        make_lake, edit_lake, publish_lake, publish_again, pull_release, build_generated, verify_release, prove_release,
        copy_and_hash, copy_and_hash_in_s3, download_and_hash,
    )
}  # fmt: skip


def at_work(name: str, *arguments: str) -> dict[str, Any]:
    """One work in a process of its own: wall and CPU seconds without imports, MiB at most, what it said."""
    command = [sys.executable, __file__, "--at-work", name, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def do(name: str, arguments: list[str]) -> None:
    """What :func:`at_work` has the process do."""
    import duckdb  # noqa: F401  (that imports are not measured)

    import sonolake.datasets.tables
    import sonolake.releases.publishing  # noqa: F401

    if any(a.startswith("s3://") for a in arguments):
        import boto3  # noqa: F401

    if name.startswith("publish") and (warm := os.environ.get(WARM)):
        catalog = os.environ.pop(CATALOG, None)
        publish_lake(warm, "1.0.0", f"warm{os.getpid()}")
        os.environ |= {} if catalog is None else {CATALOG: catalog}
    began, cpu = time.perf_counter(), cpu_seconds()
    said = WORK[name](*(int(a) if a.isdecimal() else a for a in arguments))
    wall, used = time.perf_counter() - began, cpu_seconds() - cpu
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall": wall, "cpu": used, "mib": highest, "said": said}))


def cpu_seconds() -> float:
    """User and system, of this process and of those that it waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def ratios(
    what: str, runs: int, floor: Callable[[], dict[str, Any]], ours: Callable[[], dict[str, Any]]
) -> None:
    """Both in turn, and the medians of each."""
    found: list[tuple[dict[str, Any], dict[str, Any]]] = [(floor(), ours()) for _ in range(runs)]
    line = f"{what:<34}"
    for kind in ("wall", "cpu"):
        theirs, mine = (median(pair[side][kind] for pair in found) for side in (0, 1))
        line += f"  {kind} {mine:6.2f} s against {theirs:6.2f} s: {theirs / mine:4.2f}"
    print(f"{line}  (at least {LEAST})", flush=True)


def local(place: Path, runs: int, count: int, size: int) -> None:
    """Publish and pull against ``cp`` and ``sha256sum``."""
    label = f"{count:,} of {size / 1e6:g} MB"
    lake, release = place / "lake", place / "lake" / "releases" / "big" / "1.0.0"
    at_work("make_lake", lake, count, size)
    warmed(str(place / "warm"))
    numbers = iter(range(1, 1000))

    def publish() -> dict[str, Any]:
        shutil.rmtree(lake / "releases", ignore_errors=True)
        return at_work("publish_again", lake, next(numbers))

    def copy(source: Path) -> dict[str, Any]:
        return at_work("copy_and_hash", source, fresh(place / "copy") / "all")

    ratios(f"publish {label}", runs, lambda: copy(lake / "media"), publish)
    at_work("publish_lake", lake, "1.0.0")
    ratios(
        f"pull {label}",
        runs,
        lambda: copy(release),
        lambda: at_work("pull_release", release, fresh(place / "pulled") / "x" / "mine"),
    )
    del os.environ[WARM]
    shutil.rmtree(place)


def warmed(lake: str) -> None:
    """Have each publication from now on follow one of six sounds, from a lake of its own in a folder."""
    at_work("make_lake", lake, 6, 1000)
    os.environ[WARM] = lake


def in_s3(work: Path, runs: int, scale: float) -> None:
    """Publish and pull against bare loops of boto3."""
    count, size = max(2, round(SHORT[0] * scale)), SHORT[1]
    place = fresh(work / "s3")
    warmed(str(place / "warm"))
    with s3_server() as bucket:
        os.environ[CATALOG] = str(place / "catalog.sqlite")
        at_work("make_lake", f"{bucket}/lake", count, size)
        at_work("publish_lake", f"{bucket}/lake", "1.0.0")
        label, numbers = f"{count:,} of {size / 1e6:g} MB", iter(range(1, 1000))
        ratios(
            f"S3: publish {label}", runs,
            lambda: at_work("copy_and_hash_in_s3", f"{bucket}/lake/media", f"{bucket}/floor"),
            lambda: at_work("publish_again", f"{bucket}/lake", next(numbers)),
        )  # fmt: skip
        ratios(
            f"S3: pull {label}", runs,
            lambda: at_work("download_and_hash", f"{bucket}/lake/releases/big/1.0.0", fresh(place / "copy")),
            lambda: at_work(
                "pull_release", f"{bucket}/lake/releases/big/1.0.0", fresh(place / "pulled") / "x" / "mine"
            ),
        )  # fmt: skip
    del os.environ[CATALOG], os.environ[WARM]
    shutil.rmtree(place)


def steps(work: Path, scale: float) -> None:
    """1 % edited: what is stored, and what is fetched."""
    count, size = max(100, round(SHORT[0] * scale)), SHORT[1]
    place = fresh(work / "steps")
    at_work("make_lake", place / "lake", count, size)
    at_work("publish_lake", place / "lake", "1.0.0")
    at_work("edit_lake", place / "lake", size)
    told = at_work("publish_lake", place / "lake", "2.0.0")["said"]
    print(f"{count:,} of {size / 1e6:g} MB, 1 % edited: {told.rpartition(': ')[2]}")
    releases = place / "lake" / "releases" / "big"
    at_work("pull_release", releases / "1.0.0", place / "mine" / "1.0.0")
    done = at_work("pull_release", releases / "2.0.0", place / "mine" / "2.0.0")
    fetched, beside = done["said"]["fetched_bytes"], done["said"]["beside_bytes"]
    share = fetched / (fetched + beside)
    print(
        f"pulled beside 1.0.0: {fetched:,} bytes fetched, {beside:,} from there: {100 * share:.2f} % "
        f"(at most {100 * MOST_FETCHED:g} %)"
    )
    shutil.rmtree(place)


def memory(work: Path, scale: float) -> None:
    """Highest resident size of each work, for a small and a large release."""
    for count in (max(2, round(n * scale)) for n in (3_000, 12_500)):
        place = fresh(work / "memory")
        folder = place / "big" / "1.0.0"
        found = {
            "publish": at_work("build_generated", folder, count, SHORT[1])["mib"],
            "verify": at_work("verify_release", folder)["mib"],
            "prove": at_work("prove_release", folder)["mib"],
            "pull": at_work("pull_release", folder, place / "x" / "mine")["mib"],
        }
        said = ", ".join(f"{name} {mib:.0f} MiB" for name, mib in found.items())
        print(f"{count * SHORT[1] / 1e9:.1f} GB in {count:,} items: {said} (at most {MOST_MIB})", flush=True)
        shutil.rmtree(place)


@contextmanager
def s3_server() -> Iterator[str]:
    """A bucket in a server of its own, and credentials for it in the environment."""
    script = (
        "import logging, time, moto.server as m; logging.disable(); "
        "s = m.ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False); s.start(); "
        "print(*s.get_host_and_port(), flush=True); time.sleep(1e6)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        host, port = server.stdout.readline().split()
        settings = {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "DEFAULT_REGION": "us-east-1"}
        os.environ |= {
            f"AWS_{k}": v for k, v in (settings | {"ENDPOINT_URL": f"http://{host}:{port}"}).items()
        }
        import boto3

        boto3.session.Session().client("s3").create_bucket(Bucket="bench")
        try:
            yield "s3://bench"
        finally:
            server.kill()


def fresh(folder: Path) -> Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["--at-work"]:
        do(sys.argv[2], sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=("local", "s3", "steps", "memory"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores", flush=True)
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sonolake-bench-", dir=options.work) as folder:
        work = Path(folder)
        if options.only in (None, "local"):
            for count, size in (SHORT, LONG):
                local(fresh(work / "local"), options.runs, max(2, round(count * options.scale)), size)
        if options.only in (None, "s3"):
            in_s3(work, options.runs, options.scale)
        if options.only in (None, "steps"):
            steps(work, options.scale)
        if options.only in (None, "memory"):
            memory(work, options.scale)


if __name__ == "__main__":
    main()
