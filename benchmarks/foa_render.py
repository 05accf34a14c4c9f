"""Rendering of four-channel clips beside SpatialScaper's method, one thread, CPU time in the same run.

    OMP_NUM_THREADS=1 python benchmarks/foa_render.py [--clips 10]

A clip: 10 s at 24 kHz, three sources of 3 s, four-channel responses of 1 s (five of them for a moving source), a
four-channel ambience. The peer is a plain implementation, made here, of what SpatialScaper (Roman et al. 2024) does:
static sources by SciPy's ``fftconvolve``; moving ones frame by frame in the short-time Fourier domain (windows of 512,
hop 256), every frame of the responses weighted by where the source was when that part of the input sounded; levels by
root mean squares; sum; 16 bits. Ours measures loudness and keeps a ceiling besides. A ratio says how many of our clips
take the peer's time for one.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
from scipy.signal import fftconvolve

from sonolake.audio.heap import keep_memory
from sonolake.ids import rng_of
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


def peer(recipe: ClipRecipe, inputs: ClipInputs) -> np.ndarray:
    assert inputs.ambience is not None
    mix = inputs.ambience[0].copy()
    for source in recipe.sources:
        take = inputs.takes[source.take_id][0]
        rooms = [inputs.responses[name][0] for name in source.response_ids]
        wet = stft_moving(take, rooms) if source.path else fftconvolve(take[:, None], rooms[0], axes=0)
        start = round(source.onset_s * CLIP_RATE)
        wet = wet[: CLIP_FRAMES - start]
        mix[start : start + len(wet)] += wet * (0.05 / np.sqrt(np.mean(wet**2)))
    return np.round(mix / max(1.0, np.abs(mix).max()) * 32767).astype(np.int16)


def cpu_ms(job: Callable[[], object]) -> float:
    begin = time.process_time()
    job()
    return (time.process_time() - begin) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=10)
    clips = parser.parse_args().clips
    keep_memory()
    render(*make(0, True))
    for kind, moving, aim in (("static", False, "1.2, aiming at 1.5"), ("moving", True, "50")):
        made = [make(number, moving) for number in range(clips)]
        ours = np.median([cpu_ms(lambda m=m: render(*m)) for m in made])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        theirs = np.median([cpu_ms(lambda m=m: peer(*m)) for m in made[: clips if not moving else 2]])
        print(
            f"{kind}: ours {ours:.0f} ms, peer {theirs:.0f} ms, ratio {theirs / ours:.1f} (at least {aim} asked)"
        )
        print(f"  {10_000 / ours:.0f} s of audio a CPU second; peak so far {peak:.0f} MiB")


if __name__ == "__main__":
    main()
