"""Mining of vocal events planted at known times: how many are found, by words, by sounds, and by both.

    python benchmarks/wesr_mining.py --data DATA [--utterances 2000] [--work DIR] [--planted test|queries]

Utterances are two sentences with a pause, of the installed voices and of the recorded speech in ``DATA/speech``. Of
each kind of ``DATA/speech/vocal-events-nc-nd`` the first recording is the audio query in the lake; the others are
planted, each six times in a pause and six times over speech, at 0 and +6 dB, and so are the packaged laughs, each once
a place. ``--planted queries`` plants the query recordings in their place, played faster and slower: to choose a setting
by, without a look at what is tested.

``python -m flows wesr`` mines the lake; then the same lists are fused of the text queries alone, and of the audio
queries alone. Precision is of utterances with the event in a pause, those with it over speech left out, and the other
way round. The events' licence forbids a release of what they are mixed into: the lake is in a folder of its own, and
goes at the end unless ``--work`` names it.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sonolake.audio.decode import decode
from sonolake.audio.encode import quantise, wav_bytes
from sonolake.audio.levels import db_to_gain
from sonolake.audio.resample import resample
from sonolake.ids import rng_of
from sonolake.models.registry import available, get
from sonolake.sources.packaged import write_packaged
from sonolake.wesr.mining import Candidate, RankedList, mine
from sonolake.wesr.queries import load
from tasks.listing import lists_of
from tasks.opening import lake_at

Signal = npt.NDArray[np.float64]
RATE = 24_000
KINDS = {
    "coughing": "cough",
    "crying": "cry",
    "laughing": "laughs",
    "panting": "breathing",
    "screaming": "scream",
    "sighing": "sigh",
    "throat-clearing": "clear_throat",
}
TIMES, LEVELS_DB = 6, (0.0, 6.0)
LONGEST_S, PIECE_S, FLOOR_DB, SPEECH_DB = 2.5, 6.0, -60.0, -26.0
SPEEDS = (0.8, 1.25)
DEPTH = 50
WHO = ("the old captain", "my neighbour", "a young doctor", "the night porter", "our teacher", "the gardener")
DID = (
    "walked past",
    "was looking for",
    "wrote a letter about",
    "had never seen",
    "kept asking for",
    "remembered",
)
WHAT = (
    "the red bicycle",
    "a house near the station",
    "the missing keys",
    "the small museum",
    "a winter coat",
)


@dataclass(frozen=True)
class Planted:
    """An event in a recording: where, seconds, and in a pause (None) or over speech at a level in dB."""

    path: str
    tag: str
    onset_s: float
    offset_s: float
    level_db: float | None


@dataclass(frozen=True)
class Piece:
    """Some speech: samples at :data:`RATE`, and what is said."""

    samples: Signal
    text: str
    language: str
    speaker: str
    spoken: bool = False
    """By a synthetic voice, whose sentences are joined to those of the same voice."""


def levelled(x: Signal, level_db: float) -> Signal:
    """The signal at an RMS level in dB of full scale."""
    return x * (db_to_gain(level_db) / max(1e-9, float(np.sqrt(np.mean(x**2)))))


def active(x: Signal, longest_s: float) -> Signal:
    """The signal from its first to its last loud moment, 40 dB below its loudest, with soft edges."""
    frames = np.sqrt(np.mean(x[: len(x) // 240 * 240].reshape(-1, 240) ** 2, axis=1))
    loud = np.flatnonzero(frames > 0.01 * frames.max())
    cut = x[240 * loud[0] : 240 * (loud[-1] + 1)][: round(longest_s * RATE)].copy()
    edge = np.linspace(0.0, 1.0, 240)
    cut[:240] *= edge
    cut[-240:] *= edge[::-1]
    return cut


def read(path: Path) -> Signal:
    """A sound file as one channel at :data:`RATE`."""
    decoded = decode(path.read_bytes(), path.name)
    return np.asarray(resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE))


def played(x: Signal, speed: float) -> Signal:
    """The signal played faster or slower: another throat, as it were."""
    return np.asarray(resample(x, round(RATE * speed), RATE))


def recorded(data: Path) -> Iterator[Piece]:
    """The recorded sentences that are plain speech with a transcript."""
    with (data / "TRANSCRIPTS.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            file = data / row["path"]
            if (
                row["path"].startswith("speech/")
                and row["style"].startswith("plain")
                and file.suffix == ".wav"
            ):
                samples = read(file)
                if len(samples) <= 2 * PIECE_S * RATE:
                    text = " ".join(row["text"].replace("<s>", "").replace("</s>", "").split())
                    yield Piece(active(samples, 2 * PIECE_S), text, row["lang"], file.stem)


def spoken(sentences: int) -> Iterator[Piece]:
    """Sentences of the installed voices."""
    rng = rng_of("sentences", "wesr mining")
    for spec in available("speech synthesis"):
        voice = get(spec)
        for number in range(sentences):
            words = [group[int(rng.integers(len(group)))] for group in (WHO, DID, WHAT)]
            text = " ".join(words).capitalize() + "."
            said = np.asarray(resample(voice.speak(text, number), voice.sample_rate, RATE))
            yield Piece(active(said, PIECE_S), text, "en", spec, spoken=True)


def events(data: Path, work: Path, planted: str) -> tuple[list[tuple[str, Signal]], list[tuple[str, Path]]]:
    """Events to plant, each with its tag, and files that are audio queries."""
    rows = {tag: sorted((data / "speech/vocal-events-nc-nd" / kind).iterdir()) for kind, tag in KINDS.items()}
    queries = [(tag, files[0]) for tag, files in rows.items()]
    if planted == "queries":
        sounds = [(tag, played(read(file), speed)) for tag, file in queries for speed in SPEEDS]
        return [(tag, active(x, LONGEST_S)) for tag, x in sounds for _ in range(TIMES // 2)], queries
    laughs = sorted((work / "laughs").rglob("*.wav")) if write_packaged(work / "laughs", "vocal") else []
    chosen = [(tag, file, TIMES) for tag, files in rows.items() for file in files[1:]]
    chosen += [("laughs", file, 1) for file in laughs]
    found = [(tag, active(read(file), LONGEST_S), times) for tag, file, times in chosen]
    return [(tag, samples) for tag, samples, times in found for _ in range(times)], queries


def places(sounds: Sequence[tuple[str, Signal]]) -> list[tuple[str, Signal, float | None]]:
    """Each event once in a pause and once over speech, at the levels in turn."""
    pauses: list[tuple[str, Signal, float | None]] = [(*sound, None) for sound in sounds]
    return pauses + [(*sound, LEVELS_DB[n % len(LEVELS_DB)]) for n, sound in enumerate(sounds)]


def mixed(
    number: int, pieces: Sequence[Piece], event: tuple[str, Signal, float | None] | None
) -> tuple[Signal, Piece, tuple[float, float] | None]:
    """An utterance, one of its pieces with the whole text, and when the event begins and ends, seconds."""
    rng = rng_of(f"utterance {number}", "wesr mining")
    first = pieces[int(rng.integers(len(pieces)))]
    same = [piece for piece in pieces if piece.speaker == first.speaker or not (piece.spoken or first.spoken)]
    second = same[int(rng.integers(len(same)))]
    length = len(event[1]) if event else 0
    pause = length + round(RATE * rng.uniform(0.4, 1.0)) if event and event[2] is None else RATE
    parts = [levelled(first.samples, SPEECH_DB), np.zeros(pause), levelled(second.samples, SPEECH_DB)]
    lead = np.zeros(RATE // 5)
    made = np.concatenate([lead, *parts, lead])
    made += rng.standard_normal(len(made)) * db_to_gain(FLOOR_DB)
    text = first.text if second is first else f"{first.text} {second.text}"
    said = Piece(made, text, first.language, first.speaker)
    if event is None:
        return made, said, None
    _, samples, level = event
    room = len(parts[0]) - length
    if level is None:
        at = len(lead) + len(parts[0]) + (pause - length) // 2
    else:
        at = len(lead) + (int(rng.integers(room)) if room > 0 else 0)
    made[at : at + length] += levelled(samples, SPEECH_DB + (level or 0.0))[: len(made) - at]
    return made, said, (at / RATE, min(at + length, len(made)) / RATE)


def write_corpus(data: Path, work: Path, count: int, planted: str) -> list[Planted]:
    """Folders ``speech`` and ``vocals`` with manifests; what was planted where."""
    sounds, queries = events(data, work, planted)
    pieces = [*recorded(data), *spoken(30)]
    where = places(sounds)
    if len(where) > count:
        raise SystemExit(f"{len(where)} events need as many utterances, not {count}")
    rows, truth = [], []
    (work / "speech").mkdir()
    for number in range(count):
        event = where[number] if number < len(where) else None
        made, said, span = mixed(number, pieces, event)
        name = f"u{number:05}.wav"
        top = max(1.0, float(np.abs(made).max()) / 0.95)
        (work / "speech" / name).write_bytes(wav_bytes(quantise(made / top), RATE))
        rows.append([name, f"mining:{name}", "LicenseRef-unclear", said.language, said.text, said.speaker])
        if event and span:
            truth.append(Planted(name, event[0], *span, event[2]))
    _manifest(work / "speech", ["path", "source_id", "licence", "language", "transcript", "speaker"], rows)
    (work / "vocals").mkdir()
    for tag, file in queries:
        (work / "vocals" / f"{tag}.wav").write_bytes(file.read_bytes())
    vocals = [[f"{tag}.wav", f"query:{tag}", "CC-BY-NC-ND-4.0", f"vocal/{tag}"] for tag, _ in queries]
    _manifest(work / "vocals", ["path", "source_id", "licence", "event"], vocals)
    return truth


def _manifest(folder: Path, header: list[str], rows: Sequence[Sequence[str]]) -> None:
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([header, *rows])


def flow(*arguments: str) -> None:
    """Run a flow in a process of its own."""
    subprocess.run([sys.executable, "-m", "flows", *arguments], check=True, stdout=subprocess.DEVNULL)


class Truth:
    """Which utterances of a lake have which event where."""

    def __init__(self, lake: str, planted: Sequence[Planted]) -> None:
        rows = lake_at(lake).rows(
            "SELECT u.utterance_id, u.start_s, u.end_s, a.source_id FROM utterances u JOIN assets a USING (asset_id)"
        )
        self.found: dict[tuple[str, str], tuple[Planted, float]] = {}
        by_path = {f"mining:{one.path}": one for one in planted}
        for row in rows:
            one = by_path.get(row["source_id"])
            if one and row["start_s"] < (one.onset_s + one.offset_s) / 2 < row["end_s"]:
                self.found[row["utterance_id"], one.tag] = one, one.onset_s - row["start_s"]
        self.utterances = len(rows)

    def of(self, candidate: Candidate) -> tuple[Planted, float] | None:
        """The event of a candidate's label in its utterance, and when it begins there."""
        return self.found.get((candidate.utterance_id, candidate.tag))

    def count(self, tag: str, in_pause: bool) -> int:
        """Utterances with an event in a pause, or over speech."""
        return sum(t == tag and (one.level_db is None) == in_pause for (_, t), (one, _) in self.found.items())


def figures(truth: Truth, candidates: Sequence[Candidate], tag: str, in_pause: bool) -> dict[str, float]:
    """Precision at 3 and 10, recall at 50 and the median error in time of a label, in one kind of place."""
    kept = [
        (one, truth.of(one))
        for one in candidates
        if not (hit := truth.of(one)) or (hit[0].level_db is None) == in_pause
    ]
    right = [hit is not None for _, hit in kept]
    errors = [abs(one.onset_s - hit[1]) for one, hit in kept[:10] if hit]
    return {
        "p3": sum(right[:3]) / 3,
        "p10": sum(right[:10]) / 10,
        "r50": sum(right[:DEPTH]) / max(1, truth.count(tag, in_pause)),
        "error_s": float(np.median(errors)) if errors else float("nan"),
    }


def ways(lists: Sequence[RankedList]) -> Mapping[str, list[Candidate]]:
    """Candidates by the lists that they are fused of."""
    text = [one for one in lists if "/text/" in one.query]
    sound = [one for one in lists if "/text/" not in one.query]
    return {
        name: mine(some, 2 * DEPTH) for name, some in (("text", text), ("audio", sound), ("fused", lists))
    }


def report(truth: Truth, found: Mapping[str, list[Candidate]]) -> None:
    """Print a table a place, with a line a label and the means."""
    for in_pause in (True, False):
        print(f"\n## {'In pauses' if in_pause else 'Over speech'}\n")
        print("| label | n | " + " | ".join(f"{name} P@3 P@10 R@50 error" for name in found) + " |")
        print("|---" * (2 + len(found)) + "|")
        table = {
            tag: {
                name: figures(truth, [c for c in some if c.tag == tag], tag, in_pause)
                for name, some in found.items()
            }
            for tag in KINDS.values()
        }
        for tag, row in table.items():
            print(
                f"| {tag} | {truth.count(tag, in_pause)} | " + " | ".join(_cell(row[n]) for n in found) + " |"
            )
        means = {
            name: {
                key: float(np.nanmean([row[name][key] for row in table.values()]))
                for key in ("p3", "p10", "r50", "error_s")
            }
            for name in found
        }
        print("| mean | | " + " | ".join(_cell(means[name]) for name in found) + " |")


def _cell(row: Mapping[str, float]) -> str:
    return f"{row['p3']:.2f} {row['p10']:.2f} {row['r50']:.2f} {row['error_s']:.2f} s"


def main() -> None:
    """Build, mine, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--utterances", type=int, default=2000)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--planted", choices=("test", "queries"), default="test")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run(given.data, given.work or Path(scratch), given.utterances, given.planted)


def run(data: Path, work: Path, count: int, planted: str) -> None:
    """The whole measurement in a folder; a lake that is there is only asked."""
    work.mkdir(parents=True, exist_ok=True)
    lake, began = str(work / "lake"), time.monotonic()
    if not (work / "truth.json").exists():
        truth = write_corpus(data, work, count, planted)
        flow("ingest-speech", str(work / "speech"), "--lake", lake)
        if any((work / "vocals").glob("*.wav")):
            flow("ingest-vocals", str(work / "vocals"), "--lake", lake)
        flow("wesr", "--lake", lake, "--quota", str(DEPTH))
        (work / "truth.json").write_text(json.dumps([asdict(one) for one in truth]))
    known = Truth(lake, [Planted(**row) for row in json.loads((work / "truth.json").read_text())])
    found = ways(lists_of(lake_at(lake), load("benchmark"), DEPTH))
    load_now = f"load {os.getloadavg()[0]:.1f}"
    print(f"{known.utterances} utterances, {time.monotonic() - began:.0f} s ({load_now})")
    report(known, found)


if __name__ == "__main__":
    main()
