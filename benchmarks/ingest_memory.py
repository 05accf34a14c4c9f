"""Memory of an ingest: 10,000 small files against 100, each in a process of its own.

    python benchmarks/ingest_memory.py [--files 10000] [--few 100] [--flow]

Each file is a sound of its own, of 0.2 to 1.2 s, that the lake has to remember. The figure is the difference of the
highest resident sizes, at most 300 MiB. With ``--flow`` the whole command is measured, its engine included, without the
server that the engine starts as a process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RATE = 16_000
BATCH = 500
"""As the flows do."""
MOST_MIB = 300.0


def write_sounds(folder: Path, count: int) -> None:
    """``count`` WAV files in folders of 1,000."""
    from sonolake.audio.encode import quantise, wav_bytes

    for number in range(count):
        path = folder / f"{number // 1000:02}" / f"{number:05}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wav_bytes(quantise(sound(np.random.default_rng(number))), RATE))


def sound(rng: np.random.Generator) -> np.ndarray:
    """0.2 to 1.2 s of tones that come and go over noise of some colour."""
    t = np.arange(int(rng.uniform(0.2, 1.2) * RATE)) / RATE
    noise = np.convolve(rng.standard_normal(len(t)), rng.standard_normal(rng.integers(1, 40)), "same")
    x = rng.uniform(0.05, 1) * noise / np.abs(noise).max() * np.sin(np.pi * rng.uniform(1, 12) * t) ** 2
    for _ in range(rng.integers(1, 5)):
        rhythm, phase = rng.uniform(1, 12), rng.uniform(0, 6)
        x += (
            rng.uniform(0.1, 1)
            * np.sin(2 * np.pi * rng.uniform(100, 7000) * t)
            * np.sin(np.pi * rhythm * t + phase) ** 2
        )
    return 0.5 * x / np.abs(x).max()


def ingest(folder: Path, root: Path) -> str:
    """Take every file into a new lake as the flows do; what was counted."""
    from sonolake.lake.lake import Lake
    from sonolake.lake.run import running
    from sonolake.lake.step import batches
    from sonolake.sources.folder import read_folder
    from sonolake.sources.ingest import Ingest
    from sonolake.sources.intake import Intake

    with Lake.create(root) as lake, running(lake, "benchmark") as run:
        taking = Ingest(run, Intake("take", licence="CC0-1.0"), workers=2)
        for chunk in batches(read_folder(folder).items, BATCH):
            taking.take(chunk)
        return str(run.counts()["ingest-take"])


def ingest_by_flow(folder: Path, root: Path) -> str:
    """The same by the flow, with Prefect's engine."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import flows.quiet  # noqa: F401
    from flows.ingesting import ingest_takes

    return str(ingest_takes(str(folder), str(root), licence="CC0-1.0")["ingest-take"])


def highest_mib() -> float:
    """The highest resident size of this process so far."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("this system does not say how much memory a process has used")


def measured(folder: Path, root: Path, flow: bool) -> float:
    """The highest resident size, in MiB, of a new process that takes ``folder``; prints what it counted."""
    command = [
        sys.executable,
        __file__,
        "--folder",
        str(folder),
        "--root",
        str(root),
        *(["--flow"] if flow else []),
    ]
    began = time.monotonic()
    counts, mib = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")[
        -3:-1
    ]
    print(f"{counts}: {float(mib):.0f} MiB at most, {time.monotonic() - began:.0f} s")
    return float(mib)


def compare(files: int, few: int, flow: bool) -> None:
    """Both sizes, and the difference."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        sizes = []
        for count in (few, files):
            write_sounds(work / f"sounds-{count}", count)
            sizes.append(measured(work / f"sounds-{count}", work / f"lake-{count}", flow))
    more = sizes[1] - sizes[0]
    print(f"{files:,} files need {more:.0f} MiB more than {few:,} (at most {MOST_MIB:.0f})")
    if more > MOST_MIB:
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--flow", action="store_true")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.folder:
        print((ingest_by_flow if given.flow else ingest)(given.folder, given.root))
        print(highest_mib())
    else:
        compare(given.files, given.few, given.flow)


if __name__ == "__main__":
    main()
