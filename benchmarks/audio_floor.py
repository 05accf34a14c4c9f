"""Rendering's building blocks against peers that do the same job, one thread, as ratios of CPU time in one run.

    OMP_NUM_THREADS=1 python benchmarks/audio_floor.py [--seconds 120]

A ratio over 1 says how many times the peer's time is ours. Peers are what is installed: SciPy and libebur128.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import pyebur128
from scipy.signal import fftconvolve, oaconvolve

from sonolake.audio.convolve import convolve
from sonolake.audio.encode import flac_bytes, quantise, wav_bytes
from sonolake.audio.facts import facts_of, inspect
from sonolake.audio.fingerprint import fingerprint
from sonolake.audio.limiter import limit
from sonolake.audio.loudness import loudness
from sonolake.audio.resample import resample
from sonolake.audio.rooms import RoomRecipe, simulate_foa
from sonolake.audio.truepeak import true_peak_dbtp

RATE = 44100


def cpu_ms(job: Callable[[], object], repeats: int = 3) -> float:
    """Median CPU time of ``job`` in milliseconds, after one warm-up."""
    job()
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        job()
        times.append((time.process_time() - begin) * 1000)
    return float(np.median(times))


def libebur128(x: np.ndarray, mode: pyebur128.MeasurementMode) -> float:
    state = pyebur128.R128State(1, RATE, mode)
    state.add_frames(x, len(x))
    if mode == pyebur128.MeasurementMode.MODE_I:
        return float(pyebur128.get_loudness_global(state))
    return float(pyebur128.get_true_peak(state, 0))


def brickwall(x: np.ndarray) -> np.ndarray:
    """A limiter that walks over every sample: the same gain curve without skipping what is under the ceiling."""
    from scipy.ndimage import minimum_filter1d

    need = np.minimum(1.0, 10 ** (-1 / 20) / np.maximum(np.abs(x), 1e-9))
    return x * fftconvolve(minimum_filter1d(need, 882), np.hanning(221) / np.hanning(221).sum(), "same")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    seconds = parser.parse_args().seconds
    rng = np.random.default_rng(1)
    x = rng.standard_normal(round(seconds * RATE)) * 0.1
    peaks = x.copy()
    peaks[:: RATE // 2] = 1.5
    response = rng.standard_normal(RATE) * np.exp(-np.arange(RATE) / 6000)
    pcm = quantise(x)
    wav, flac = wav_bytes(pcm, RATE), flac_bytes(pcm, RATE)
    _, decoded = inspect(wav)
    room = RoomRecipe("room", (6.0, 5.0, 3.0), 0.6)
    rows: list[tuple[str, Callable[[], object], str, Callable[[], object] | None]] = [
        (
            "convolve, 1 s response",
            lambda: convolve(x, response),
            "fftconvolve",
            lambda: fftconvolve(x, response),
        ),
        (
            "convolve, 1 s response",
            lambda: convolve(x, response),
            "oaconvolve",
            lambda: oaconvolve(x, response),
        ),
        (
            "loudness",
            lambda: loudness(x, RATE),
            "libebur128",
            lambda: libebur128(x, pyebur128.MeasurementMode.MODE_I),
        ),
        (
            "true peak",
            lambda: true_peak_dbtp(x, RATE),
            "libebur128",
            lambda: libebur128(x, pyebur128.MeasurementMode.MODE_TRUE_PEAK),
        ),
        ("limiter, nothing over", lambda: limit(x, RATE), "dense", lambda: brickwall(x)),
        ("limiter, two overs a second", lambda: limit(peaks, RATE), "dense", lambda: brickwall(peaks)),
        ("resample 48 to 44.1 kHz", lambda: resample(x, 48000, RATE), "", None),
        ("fingerprint", lambda: fingerprint(x, RATE), "loudness", lambda: loudness(x, RATE)),
        ("all facts", lambda: facts_of(decoded), "loudness", lambda: loudness(x, RATE)),
        ("inspect WAV", lambda: inspect(wav), "loudness", lambda: loudness(x, RATE)),
        ("inspect FLAC", lambda: inspect(flac), "loudness", lambda: loudness(x, RATE)),
        ("FOA room response", lambda: simulate_foa(room, 30, 0, 2.0, 24000), "", None),
    ]
    print(f"{seconds:g} s of mono at {RATE} Hz, CPU ms")
    for name, ours, peer, theirs in rows:
        mine, other = cpu_ms(ours), ""
        if theirs:
            peers = cpu_ms(theirs)
            other = f"{peer:12} {peers:8.1f}   ratio {peers / mine:5.2f}"
        print(f"{name:28} {mine:8.1f}   {other}")


if __name__ == "__main__":
    main()
