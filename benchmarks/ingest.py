"""Whole ingest of 1,000 mixed real files against a bare loop that decodes, hashes and takes one loudness pass.

    python benchmarks/ingest.py [--files 1000] [--runs 3] [--source FOLDER]

The files are excerpts of the real recordings that installed packages carry, in six formats, unless a folder is named.
Both sides run in processes of their own, one thread, in turn; the figure is the ratio of CPU seconds (user + system) of
the work, after each has decoded six files (imports). Aim: at most 1.6, better 1.2.
"""

from __future__ import annotations

import argparse
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
BATCH = 250
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
        speed = int(rng.choice(MP3_RATES)) if suffix == "mp3" else int(rate * rng.uniform(6, 13)) // 1000 * 100
        part = samples[start : start + frames]
        soundfile.write(dest / f"{number:04}.{suffix}", part, speed, subtype=subtype)


def bare(folder: Path) -> float:
    """Decode, hash and take the loudness of every file; CPU seconds."""
    from sonolake.audio.decode import decode
    from sonolake.audio.loudness import loudness
    from sonolake.ids import sha256_hex

    def one(path: Path) -> None:
        data = path.read_bytes()
        sha256_hex(data)
        decoded = decode(data, path.name)
        loudness(decoded.samples, decoded.sample_rate)

    paths = sorted(folder.iterdir())
    for path in paths[: len(FORMATS)]:
        one(path)
    began = time.process_time()
    for path in paths:
        one(path)
    return time.process_time() - began


def ingest(folder: Path) -> float:
    """Take every file into a new lake; CPU seconds from listing the folder to the end of the run."""
    from sonolake.audio.facts import inspect
    from sonolake.lake.lake import Lake
    from sonolake.lake.run import running
    from sonolake.lake.step import batches
    from sonolake.sources.folder import read_folder
    from sonolake.sources.ingest import Ingest
    from sonolake.sources.intake import Intake

    for path in sorted(folder.iterdir())[: len(FORMATS)]:
        inspect(path.read_bytes(), path.name)
    with tempfile.TemporaryDirectory() as name:
        lake = Lake.create(Path(name) / "lake")
        began = time.process_time()
        with lake, running(lake, "benchmark") as run:
            taking = Ingest(run, Intake("take", licence="CC0-1.0"))
            for chunk in batches(read_folder(folder).items, BATCH):
                taking.take(chunk)
            counts = run.counts()["ingest-take"]
        seconds = time.process_time() - began
        print(f"#{counts}", flush=True)
        return seconds


def measured(side: str, folder: Path) -> tuple[float, str]:
    """CPU seconds of one side in a new process, and what it said."""
    command = [sys.executable, __file__, "--side", side, "--source", str(folder)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return float(said[-1]), " ".join(line[1:] for line in said[:-1])


def compare(folder: Path, runs: int) -> None:
    """Both sides in turn, and the ratios."""
    ratios, sides = [], {"bare": [], "ingest": []}
    for _ in range(runs):
        said = {side: measured(side, folder) for side in sides}
        for side, (seconds, _) in said.items():
            sides[side].append(seconds)
        ratios.append(said["ingest"][0] / said["bare"][0])
    print(said["ingest"][1])
    for side, seconds in sides.items():
        print(f"{side:8} {median(seconds):7.2f} CPU-s (median of {runs})")
    print(
        f"ratio    {median(ratios):7.2f} (from {min(ratios):.2f} to {max(ratios):.2f}); at most 1.6, aim 1.2"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--source", type=Path)
    parser.add_argument("--side", choices=("bare", "ingest"))
    arguments = parser.parse_args()
    if arguments.side:
        print({"bare": bare, "ingest": ingest}[arguments.side](arguments.source))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.source or Path(name) / "files"
        if arguments.source is None:
            excerpts(folder, arguments.files)
        compare(folder, arguments.runs)


if __name__ == "__main__":
    main()
