"""Rendering of CARES scenes beside Scaper on the same inputs: whole processes, one thread, CPU time.

    OMP_NUM_THREADS=1 python benchmarks/cares_render.py [--scenes 20] [--runs 5] [--scaper PYTHON]

Scenes of two minutes, 44.1 kHz mono: speech of noise bursts (no synthesis is measured), up to three events, ambience,
a room of half a second. Ours reads WAV files and recipes, renders, and writes PCM16. Scaper reads the same takes and
ambience, and the voice as one foreground sound, and writes WAV; it has no room, no loudness of the whole, no limiter.
PYTHON is an interpreter with scaper 1.6.5 (it needs libsox, so it has an environment of its own); without it only ours
is measured. The cost of one more scene is the difference between many scenes and few. Both run in turn; shown are the
medians.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np

from sonolake.audio.decode import decode
from sonolake.audio.encode import wav_bytes
from sonolake.audio.heap import keep_memory
from sonolake.cares.recipe import SceneRecipe
from sonolake.cares.render import render
from sonolake.cares.scene import Clip, SceneInputs, TurnAudio, Word
from sonolake.ids import rng_of
from sonolake.serial import read, to_json

RATE = 44_100
SPEECH_RATE = 24_000
BURST_S, REST_S = 0.22, 0.05

SCAPER = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
import scaper
folder, scenes = sys.argv[1], int(sys.argv[2])
for number in range(scenes):
    plan = json.load(open(f"{folder}/{number}/scaper.json"))
    sc = scaper.Scaper(plan["duration"], f"{folder}/{number}/fg", f"{folder}/{number}/bg", random_state=number)
    sc.sr, sc.ref_db, sc.fade_in_len, sc.fade_out_len = 44100, -32, 0.01, 0.01
    sc.add_background(("const", "bed"), ("choose", []), ("const", 0))
    for event in plan["events"]:
        sc.add_event(("const", event["label"]), ("choose", []), ("const", 0), ("const", event["at"]),
                     ("const", event["duration"]), ("const", 10), None, None)
    sc.generate(f"{folder}/{number}/scaper.wav", None, reverb=None, disable_sox_warnings=True)
"""


def spoken(words: tuple[str, ...], rng: np.random.Generator) -> TurnAudio:
    """A noise burst a word, with pauses."""
    burst, rest = round(BURST_S * SPEECH_RATE), round(REST_S * SPEECH_RATE)
    parts = [
        np.concatenate([rng.standard_normal(burst) * np.hanning(burst) * 0.1, np.zeros(rest)]) for _ in words
    ]
    samples = np.concatenate([np.zeros(rest), *parts]) + 1e-6 * rng.standard_normal(
        rest + len(words) * (burst + rest)
    )
    starts = (REST_S + n * (BURST_S + REST_S) for n in range(len(words)))
    return TurnAudio(
        Clip(samples, SPEECH_RATE), tuple(Word(w, s, s + BURST_S) for w, s in zip(words, starts, strict=True))
    )


def prepare(folder: Path, scenes: int) -> None:
    """Recipes and sounds of the scenes, for both."""
    from sonolake.cares.allocator import allocate, slots
    from sonolake.cares.banks import default_banks
    from sonolake.cares.casting import CastVoice, Recordings, cast
    from sonolake.cares.pool import Pool
    from sonolake.cares.templates import write_templates
    from sonolake.cares.writer import write

    banks = default_banks()
    drafts = write_templates(scenes, banks)
    pool = Pool({"train": frozenset(banks.sounds)})
    voices = [CastVoice(f"voice:{gender}{n}", "0" * 64, gender) for gender in "fm" for n in (1, 2)]
    there = Recordings(
        {event: (event,) for event in banks.sounds},
        dict.fromkeys(banks.locations, ("bed",)),
        dict.fromkeys(banks.locations, ("room",)),
    )
    by_id = {template.template_id: template for template in drafts}
    for number, scenario in enumerate(allocate(slots([(t, "train") for t in drafts], scenes), banks, pool)):
        recipe = cast(scenario, write(scenario, by_id[scenario.template_id], banks), banks, voices, there)
        _sounds(folder / str(number), recipe, rng_of(recipe.scene_id, "benchmark"))


def _sounds(folder: Path, recipe: SceneRecipe, rng: np.random.Generator) -> None:
    import soundfile

    for part in ("turns", "fg/voice", "bg/bed"):
        (folder / part).mkdir(parents=True)
    turns = [spoken(turn.words, rng) for turn in recipe.turns]
    for n, turn in enumerate(turns):
        soundfile.write(folder / "turns" / f"{n}.wav", turn.clip.samples, SPEECH_RATE)
    (folder / "words.json").write_text(json.dumps([[vars(w) for w in turn.words] for turn in turns]))
    (folder / "recipe.json").write_text(to_json(recipe))
    room = rng.standard_normal(RATE // 2) * np.exp(-np.arange(RATE // 2) / 3000) * 0.05
    room[220] = 1.0
    soundfile.write(folder / "room.wav", room, RATE)
    soundfile.write(folder / "bg" / "bed" / "bed.wav", rng.standard_normal(60 * RATE) * 0.02, RATE)
    events = []
    for n, event in enumerate(recipe.events):
        decay = np.exp(-np.arange(3 * RATE) / (0.5 * RATE))
        (folder / "fg" / f"take{n}").mkdir()
        path = folder / "fg" / f"take{n}" / f"{event.take_id.replace('/', '_')}.wav"
        soundfile.write(path, rng.standard_normal(3 * RATE) * decay * 0.3, RATE)
        events.append({"label": f"take{n}", "at": 20.0 + 25 * n, "duration": 3.0})
    voice = np.concatenate([np.pad(t.clip.samples, (0, SPEECH_RATE // 2)) for t in turns])
    soundfile.write(folder / "fg" / "voice" / "voice.wav", voice, SPEECH_RATE)
    seconds = len(voice) / SPEECH_RATE
    plan = {"duration": seconds + 1, "events": [{"label": "voice", "at": 0.5, "duration": seconds}, *events]}
    (folder / "scaper.json").write_text(json.dumps(plan))


def render_all(folder: Path, scenes: int) -> None:
    """What a worker does with each scene, from files to a file."""
    keep_memory()
    for number in range(scenes):
        _render_one(folder / str(number))


def _render_one(here: Path) -> None:
    recipe = read(SceneRecipe, json.loads((here / "recipe.json").read_text()))
    words = json.loads((here / "words.json").read_text())
    turns = tuple(
        TurnAudio(_read(here / "turns" / f"{n}.wav"), tuple(Word(**w) for w in some))
        for n, some in enumerate(words)
    )
    takes = {
        event.take_id: _read(next((here / "fg" / f"take{n}").iterdir()))
        for n, event in enumerate(recipe.events)
    }
    made = render(recipe, SceneInputs(turns, takes, _read(here / "bg/bed/bed.wav"), _read(here / "room.wav")))
    (here / "ours.wav").write_bytes(wav_bytes(made.samples, made.rate))


def _read(path: Path) -> Clip:
    """Decoded as a lake decodes it, every check included."""
    found = decode(path.read_bytes())
    return Clip(found.samples[:, 0], found.sample_rate)


def cost(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak MiB of a process."""
    child = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} ended with status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def costs(command: list[str], scenes: int) -> tuple[float, float, float]:
    """CPU seconds a scene, of one more scene, and peak MiB."""
    few = max(2, scenes // 5)
    (short, _), (long, peak) = cost([*command, str(few)]), cost([*command, str(scenes)])
    return long / scenes, (long - short) / (scenes - few), peak


def report(name: str, found: Sequence[tuple[float, float, float]]) -> None:
    each, more, peak = (median(values) for values in zip(*found, strict=True))
    print(f"{name}: {each:.2f} CPU-s a scene, one more {more:.2f}, peak {peak:.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scaper", default="")
    parser.add_argument("--render", nargs=2, metavar=("FOLDER", "SCENES"))
    options = parser.parse_args()
    if options.render:
        render_all(Path(options.render[0]), int(options.render[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), options.scenes)
        commands = {"sonolake": [sys.executable, __file__, "--render", folder]}
        if options.scaper:
            commands["scaper"] = [options.scaper, "-c", SCAPER, folder]
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                found[name].append(costs(command, options.scenes))
        for name, some in found.items():
            report(name, some)
        if options.scaper:
            pairs = zip(found["scaper"], found["sonolake"], strict=True)
            ratios = [theirs[0] / ours[0] for theirs, ours in pairs]
            spread = f"{min(ratios):.1f} to {max(ratios):.1f}"
            print(f"ratio {median(ratios):.1f} ({spread}; at least 3 asked, aiming at 6)")


if __name__ == "__main__":
    main()
