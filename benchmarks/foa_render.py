"""Rendering of four-channel clips beside SpatialScaper's method, one thread, CPU time in the same run.

    OMP_NUM_THREADS=1 python benchmarks/foa_render.py [--clips 10] [--rounds 3]

A clip: 10 s at 24 kHz, three sources of 3 s, four-channel responses of 1 s (five of them for a moving source), a
four-channel ambience. Both sides go from samples in memory to a WAV file of 16 bits and its labels each 100 ms, in a
process of their own; loading of sounds and modules is not counted. The peer is a plain implementation, made here, of
what SpatialScaper (Roman et al. 2024) does: takes of one peak, responses of one energy; static sources by SciPy's
``fftconvolve``, without what comes after the take; moving ones frame by frame in the short-time Fourier domain (windows
of 512, hop 256), every frame of the responses weighted by where the source was when that part of the input sounded;
ambience and sources scaled by mean magnitudes; sum; labels interpolated; soundfile and ``savetxt``. Ours keeps tails,
measures loudness on W and keeps a ceiling besides. A ratio says how many of our clips take the peer's time for one.
Both sides take turns, round by round; what is printed are medians over the rounds, and the lowest and highest ratio.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from sonolake.audio.encode import wav_bytes
from sonolake.audio.heap import keep_memory
from sonolake.ids import rng_of
from sonolake.spatial.dcase import frames_of, write
from sonolake.spatial.records import CLIP_FRAMES, CLIP_RATE, ClipRecipe, SourcePlacement, Waypoint
from sonolake.spatial.render import ClipInputs, render

WINDOW, HOP = 512, 256
SOURCES, PLACES = 3, 5


def make(number: int, moving: bool) -> tuple[ClipRecipe, ClipInputs]:
    rng = rng_of(f"foa-render-{number}", "benchmark")
    decay = np.exp(-np.arange(CLIP_RATE) / 3000)[:, None]
    names = [f"r{i}-{place}" for i in range(SOURCES) for place in range(PLACES if moving else 1)]
    responses = {name: (rng.standard_normal((CLIP_RATE, 4)) * decay, CLIP_RATE) for name in names}
    takes = {f"t{i}": (rng.standard_normal(3 * CLIP_RATE) * 0.1, CLIP_RATE) for i in range(SOURCES)}
    ambience = (rng.standard_normal((CLIP_FRAMES, 4)) * 0.01, CLIP_RATE)
    sources = tuple(
        SourcePlacement(
            "noise",
            f"t{i}",
            f"r{i}-0",
            2.0 * i,
            2.0 * i + 3.0,
            0.0,
            0.0,
            2.0,
            path=tuple(Waypoint(name, 0.0, 0.0, 2.0) for name in names if name.startswith(f"r{i}-"))[1:],
        )
        for i in range(SOURCES)
    )
    recipe = ClipRecipe("train", "room", "simulated", sources, "ambience", 15.0, -26.0, "SC", "count_events")
    return recipe, ClipInputs(takes, responses, ambience)


def frames(x: np.ndarray) -> np.ndarray:
    """Spectra ``(frames, bins, channels)`` of ``(samples, channels)``: windows that overlap by half and add up to 1."""
    window = np.hanning(WINDOW + 1)[:-1, None]
    count = -(-len(x) // HOP) + 1
    padded = np.pad(x, ((HOP, count * HOP + WINDOW - len(x)), (0, 0)))
    parts = np.stack([padded[n * HOP : n * HOP + WINDOW] * window for n in range(count)])
    return np.fft.rfft(parts, 2 * WINDOW, axis=1)


def stft_moving(x: np.ndarray, responses: list[np.ndarray]) -> np.ndarray:
    """Frames of the input under weighted frames of all responses, summed over their lags, then overlap-added."""
    spectra = frames(x[:, None])[:, :, 0]
    rooms = np.stack([frames(response) for response in responses], axis=-1)
    places = np.linspace(0, len(responses) - 1, len(spectra))
    weights = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(len(responses)))).astype(complex)
    y = np.zeros((len(x) + WINDOW * 4, 4))
    for n in range(len(spectra)):
        lags = min(n + 1, len(rooms))
        then = slice(n, n - lags if n >= lags else None, -1)
        room = np.einsum("ijkl,il->ijk", rooms[:lags], weights[then])
        heard = np.einsum("ijk,ij->jk", room, spectra[then])
        y[n * HOP : n * HOP + 2 * WINDOW] += np.fft.irfft(heard, 2 * WINDOW, axis=0)
    return y[: len(x)]


def peer(recipe: ClipRecipe, inputs: ClipInputs, path: Path) -> None:
    """The clip and its labels as SpatialScaper makes them."""
    import soundfile
    from scipy.signal import fftconvolve

    assert inputs.ambience is not None
    mix, labels = np.zeros((CLIP_FRAMES, 4)), []
    mix += inputs.ambience[0] * (0.01 / np.mean(np.abs(inputs.ambience[0])))
    for number, source in enumerate(recipe.sources):
        take = inputs.takes[source.take_id][0]
        take = take / np.max(np.abs(take))
        rooms = [unit(inputs.responses[name][0]) for name in source.response_ids]
        if source.path:
            wet = stft_moving(take, rooms)
            wet /= np.abs(wet).max()
        else:
            wet = fftconvolve(take[:, None], rooms[0], axes=0)[: len(take)]
        wet = wet * (0.05 / np.mean(np.abs(wet)))
        start = round(source.onset_s * CLIP_RATE)
        mix[start : start + len(wet)] += wet
        labels.append(track(source, number, len(wet) / CLIP_RATE))
    rows = np.vstack(labels)
    soundfile.write(path.with_suffix(".wav"), mix, CLIP_RATE)
    rows = rows[np.lexsort((rows[:, 2], rows[:, 0]))]
    np.savetxt(path.with_suffix(".csv"), rows, delimiter=",", fmt=["%i"] * 5 + ["%.3f"])


def unit(response: np.ndarray) -> np.ndarray:
    """A response whose channels have an energy of 1 in the mean."""
    return response / np.mean(np.sqrt(np.sum(np.abs(response) ** 2, axis=0)))


def track(source: SourcePlacement, number: int, seconds: float) -> np.ndarray:
    """Frame, class, source, azimuth, elevation and distance every 100 ms, interpolated along the way."""
    points = [source, *source.path] if source.path else [source, source]
    places = np.radians([(p.azimuth_deg, p.elevation_deg) for p in points])
    away = np.array([p.distance_m for p in points])
    flat = np.cos(places[:, 1])
    way = np.stack([np.cos(places[:, 0]) * flat, np.sin(places[:, 0]) * flat, np.sin(places[:, 1])]) * away
    at = np.arange(0, seconds, 0.1)
    x, y, z = (np.interp(at, np.linspace(0, seconds, len(points)), axis) for axis in way)
    turned = np.degrees([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])
    first = np.full(len(at), round(source.onset_s * 10)) + np.arange(len(at))
    return np.stack([first, 0 * first, first * 0 + number, *turned, np.hypot(np.hypot(x, y), z)], axis=1)


def ours(recipe: ClipRecipe, inputs: ClipInputs, path: Path) -> None:
    """The clip and its labels as Sonolake makes them."""
    clip = render(recipe, inputs)
    path.with_suffix(".wav").write_bytes(wav_bytes(clip.samples, clip.rate))
    path.with_suffix(".csv").write_text(write(frames_of(clip.events, ["noise"]), "m"))


def work(side: str, moving: bool, clips: int) -> None:
    """Prints the median CPU milliseconds a clip, after one that is not counted."""
    keep_memory()
    job, spent = {"ours": ours, "peer": peer}[side], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(-1, clips):
            recipe, inputs = make(max(0, number), moving)
            begin = time.process_time()
            job(recipe, inputs, Path(folder) / str(number))
            spent.append((time.process_time() - begin) * 1000)
    print(statistics.median(spent[1:]))


def measured(side: str, moving: bool, clips: int) -> tuple[float, float]:
    """Median CPU milliseconds a clip and peak MiB of a process that renders them."""
    command = [sys.executable, __file__, "--work", side, "--clips", str(clips)] + ["--moving"] * moving
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **single}) as child:
        assert child.stdout is not None
        said = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{side} ended with status {child.returncode}")
    return float(said), used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", choices=["ours", "peer"])
    parser.add_argument("--moving", action="store_true")
    options = parser.parse_args()
    if options.work:
        work(options.work, options.moving, options.clips)
        return
    for kind, moving, aim in (("static", False, "1.2, aiming at 1.5"), ("moving", True, "50")):
        rounds = [
            (
                *measured("ours", moving, options.clips),
                *measured("peer", moving, 3 if moving else options.clips),
            )
            for _ in range(options.rounds)
        ]
        mine, peak, theirs, their_peak = (statistics.median(column) for column in zip(*rounds, strict=True))
        ratios = sorted(one[2] / one[0] for one in rounds)
        print(
            f"{kind}: ours {mine:.0f} ms, peer {theirs:.0f} ms, ratio {statistics.median(ratios):.2f} "
            f"({ratios[0]:.2f} to {ratios[-1]:.2f}; at least {aim} asked)"
        )
        print(
            f"  {10_000 / mine:.0f} s of audio a CPU second; peak {peak:.0f} MiB, peer {their_peak:.0f} MiB"
        )


if __name__ == "__main__":
    main()
