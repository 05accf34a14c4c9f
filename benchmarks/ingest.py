"""Whole ingest of 1,000 mixed real files against a bare loop that decodes, hashes and takes one loudness pass.

    python benchmarks/ingest.py [--files 1000] [--runs 3] [--source FOLDER] [--work FOLDER]

The files are excerpts of the real recordings that installed packages carry, in six formats, unless a folder is named.
Both sides run in processes of their own, one thread, in turn; the figure is the ratio of CPU seconds (user + system) of
the work, after each has done the same with six files (imports). Aim: at most 1.6, better 1.2.

What the file system takes for keeping the files is in the ratio and shown beside it. It is not always the same: for
five minutes after many files were deleted, ext4 takes up to a millisecond to make a new one near them, and a virtual
machine half a second for the first touch of memory for 300 MB of them. All lakes stay until the end, and for good with
``--work``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

FORMATS = (
    ("wav", "PCM_16"),
    ("wav", "PCM_24"),
    ("flac", "PCM_16"),
    ("mp3", None),
    ("ogg", "VORBIS"),
    ("wav", "FLOAT"),
)
MP3_RATES = (16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
BATCH = 500
"""As the flows do."""


def excerpts(dest: Path, count: int) -> None:
    """``count`` files of up to 6 s, cut out of the packaged recordings, formats in turn, each at a speed of its own."""
    import soundfile

    from sonolake.audio.decode import decode
    from sonolake.sources.packaged import KINDS, write_packaged

    sounds = []
    for kind in KINDS:
        for path in sorted(write_packaged(dest.parent / kind, kind).folder.rglob("*.*")):
            if path.suffix in (".wav", ".mp3"):
                decoded = decode(path.read_bytes())
                sounds.append((decoded.samples, decoded.sample_rate))
    dest.mkdir(parents=True)
    rng = np.random.default_rng(1)
    for number in range(count):
        samples, rate = sounds[number % len(sounds)]
        frames = min(len(samples), int(rng.uniform(1.0, 6.0) * rate))
        start = int(rng.integers(len(samples) - frames + 1))
        suffix, subtype = FORMATS[(number + number // len(sounds)) % len(FORMATS)]
        speed = (
            int(rng.choice(MP3_RATES)) if suffix == "mp3" else int(rate * rng.uniform(6, 13)) // 1000 * 100
        )
        part = samples[start : start + frames]
        soundfile.write(dest / f"{number:04}.{suffix}", part, speed, subtype=subtype)


def bare(folder: Path, _: Path) -> tuple[float, str]:
    """Decode, hash and take the loudness of every file; CPU seconds, and nothing to say."""
    from sonolake.audio.decode import decode
    from sonolake.audio.loudness import loudness
    from sonolake.ids import sha256_hex

    began = time.process_time()
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        sha256_hex(data)
        decoded = decode(data, path.name)
        loudness(decoded.samples, decoded.sample_rate)
    return time.process_time() - began, ""


def ingest(folder: Path, root: Path) -> tuple[float, str]:
    """Take every file into a new lake; CPU seconds from listing the folder to the end of the run, and the counts."""
    from sonolake.lake.lake import Lake
    from sonolake.lake.run import running
    from sonolake.lake.step import batches
    from sonolake.sources.folder import read_folder
    from sonolake.sources.ingest import Ingest
    from sonolake.sources.intake import Intake

    lake = Lake.create(root)
    began = time.process_time()
    with lake, running(lake, "benchmark") as run:
        taking = Ingest(run, Intake("take", licence="CC0-1.0"))
        for chunk in batches(read_folder(folder).items, BATCH):
            taking.take(chunk)
        counts = run.counts()["ingest-take"]
    return time.process_time() - began, str(counts)


def keep(folder: Path, root: Path) -> tuple[float, str]:
    """Write every file in a folder that is named as a lake would and wait for the disk; CPU seconds without reading."""
    files = [path.read_bytes() for path in sorted(folder.iterdir())]
    began = time.process_time()
    for number, data in enumerate(files):
        place = root / f"{number % 256:02x}"
        place.mkdir(parents=True, exist_ok=True)
        with (place / f"{number:064x}").open("wb", buffering=0) as file:
            file.write(data)
            os.fsync(file.fileno())
    return time.process_time() - began, ""


SIDES = {"bare": bare, "ingest": ingest, "keep": keep}


def one_side(side: str, folder: Path, work: Path) -> None:
    """Six files, then all; prints CPU seconds and what there is to say."""
    few, roots = work / "few", Path(tempfile.mkdtemp(dir=work))
    if not few.exists():
        few.mkdir()
        for path in sorted(folder.iterdir())[: len(FORMATS)]:
            shutil.copy(path, few)
    SIDES[side](few, roots / "few")
    print(*SIDES[side](folder, roots / "all"), sep="\n")


def measured(side: str, folder: Path, work: Path) -> tuple[float, str]:
    """CPU seconds of one side in a new process, and what it said."""
    command = [sys.executable, __file__, "--side", side, "--source", str(folder), "--work", str(work)]
    seconds, words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[
        :2
    ]
    return float(seconds), words


def compare(folder: Path, work: Path, runs: int) -> None:
    """Both sides in turn, and the ratios."""
    taken: dict[str, list[float]] = {side: [] for side in SIDES}
    said: dict[str, str] = {}
    for _ in range(runs):
        for side, seconds in taken.items():
            cpu, words = measured(side, folder, work)
            seconds.append(cpu)
            said[side] = words
    print(said["ingest"])
    for side, seconds in taken.items():
        print(f"{side:8} {median(seconds):7.2f} CPU-s (median of {runs})")
    ratios = [ours / floor for floor, ours in zip(taken["bare"], taken["ingest"], strict=True)]
    print(
        f"ratio    {median(ratios):7.2f} (from {min(ratios):.2f} to {max(ratios):.2f}); at most 1.6, aim 1.2"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--source", type=Path)
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument(
        "--work", type=Path, help="where lakes are made and left; a temporary folder without it"
    )
    arguments = parser.parse_args()
    if arguments.side:
        one_side(arguments.side, arguments.source, arguments.work)
        return
    with tempfile.TemporaryDirectory() as name:
        work = Path(tempfile.mkdtemp(dir=arguments.work)) if arguments.work else Path(name)
        folder = arguments.source or work / "files"
        if arguments.source is None:
            excerpts(folder, arguments.files)
        compare(folder, work, arguments.runs)


if __name__ == "__main__":
    main()
