"""A corpus of vocal events planted in speech at known times, as folders that are taken in like any other.

Utterances are two sentences with a pause, of the installed voices and of the recorded speech in ``DATA/speech``. Three
recordings of each kind (a folder a kind) are planted, each six times in a pause and six times over speech, at 0 and
+6 dB, and so are the packaged laughs, each once a place.

Written are ``speech/`` with a manifest of transcripts and languages, ``takes/`` with the recordings that are planted,
``known.jsonl`` with the events, and ``queries-N.json`` for each of three turns: the packaged sentences, the first two
packaged audio queries, which name classes, and the recording that is the turn's. Where that one is planted it is no
discovery: such recordings are of a source whose name begins with :func:`planted_source`.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes
from sonolake.audio.levels import db_to_gain
from sonolake.audio.resample import resample
from sonolake.ids import rng_of
from sonolake.models.registry import available, get
from sonolake.sources.packaged import write_packaged
from sonolake.wesr.queries import TAKE, Purpose, load

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
TURNS, TIMES, LEVELS_DB = 3, 6, (0.0, 6.0)
LONGEST_S, PIECE_S, FLOOR_DB, SPEECH_DB = 2.5, 6.0, -60.0, -26.0
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
class Sound:
    """An event to plant, and at which level over speech in dB; in a pause when that is None."""

    tag: str
    take: int
    samples: Signal
    level_db: float | None = None


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


def takes(folder: Path) -> Iterator[tuple[str, int, Path]]:
    """Tag, number and file of the first recordings of each kind."""
    for kind, tag in KINDS.items():
        for take, file in enumerate(sorted((folder / kind).iterdir())[:TURNS], start=1):
            yield tag, take, file


def planted(folder: Path, work: Path) -> list[Sound]:
    """All that is planted: each event in pauses, then each over speech, at the levels in turn."""
    laughs = sorted((work / "laughs").rglob("*.wav")) if write_packaged(work / "laughs", "vocal") else []
    chosen = [*takes(folder), *(("laughs", 0, file) for file in laughs)]
    sounds = [Sound(tag, take, active(read(file), LONGEST_S)) for tag, take, file in chosen]
    each = [sound for sound in sounds for _ in range(TIMES if sound.take else 1)]
    return each + [replace(sound, level_db=LEVELS_DB[n % len(LEVELS_DB)]) for n, sound in enumerate(each)]


def paired(pieces: Sequence[Piece], count: int) -> list[tuple[Piece, Piece]]:
    """So many different pairs of sentences, of one synthetic voice or of recordings.

    Raises:
        SystemExit: when there are fewer.
    """
    pairs = [
        (first, second)
        for first in pieces
        for second in pieces
        if first is not second and (first.speaker == second.speaker or not (first.spoken or second.spoken))
    ]
    if len(pairs) < count:
        raise SystemExit(f"{len(pieces)} sentences make {len(pairs)} pairs, not {count}")
    order = rng_of("pairs", "wesr mining").permutation(len(pairs))
    return [pairs[n] for n in order[:count]]


def mixed(
    number: int, pair: tuple[Piece, Piece], event: Sound | None
) -> tuple[Signal, Piece, tuple[float, float] | None]:
    """An utterance, its first piece with the whole text, and when the event begins and ends, seconds."""
    rng = rng_of(f"utterance {number}", "wesr mining")
    first, second = pair
    length = len(event.samples) if event else 0
    pause = length + round(RATE * rng.uniform(0.4, 1.0)) if event and event.level_db is None else RATE
    parts = [levelled(first.samples, SPEECH_DB), np.zeros(pause), levelled(second.samples, SPEECH_DB)]
    lead = np.zeros(RATE // 5)
    made = np.concatenate([lead, *parts, lead])
    made += rng.standard_normal(len(made)) * db_to_gain(FLOOR_DB)
    said = Piece(made, f"{first.text} {second.text}", first.language, first.speaker)
    if event is None:
        return _whole(made), said, None
    room = len(parts[0]) - length
    if event.level_db is None:
        at = len(lead) + len(parts[0]) + (pause - length) // 2
    else:
        at = len(lead) + (int(rng.integers(room)) if room > 0 else 0)
    made[at : at + length] += levelled(event.samples, SPEECH_DB + (event.level_db or 0.0))[: len(made) - at]
    return _whole(made), said, (at / RATE, min(at + length, len(made)) / RATE)


def _whole(x: Signal) -> Signal:
    """The signal, quieter where it would clip."""
    return x / max(1.0, float(np.abs(x).max()) / 0.95)


def write_corpus(data: Path, events: Path, work: Path, count: int) -> None:
    """Write the corpus into a folder.

    Raises:
        SystemExit: when there are fewer pairs of sentences than ``count``, or more events than utterances.
    """
    for tag, take, file in takes(events):
        copy = work / "takes" / take_name(tag, take)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    rows = [{"path": take_name(tag, take), "event": f"vocal/{tag}"} for tag, take, _ in takes(events)]
    _table(work / "takes/manifest.csv", rows)
    for turn in range(1, TURNS + 1):
        (work / f"queries-{turn}.json").write_text(json.dumps({"version": 1, "queries": queries(turn)}))
    where = planted(events, work)
    pairs = paired([*recorded(data), *spoken(30)], count)
    if len(where) > count:
        raise SystemExit(f"{len(where)} events need as many utterances, not {count}")
    (work / "speech").mkdir(exist_ok=True)
    said, known = [], []
    for number, pair in enumerate(pairs):
        event = where[number] if number < len(where) else None
        samples, piece, span = mixed(number, pair, event)
        name = f"u{number:05}.flac"
        whole = np.round(samples * 32767).astype(np.int16)
        (work / "speech" / name).write_bytes(flac_bytes(whole, RATE))
        source = f"{planted_source(event.take if event else 0)}{number:05}"
        said.append({"path": name, "source_id": source, "language": piece.language, "transcript": piece.text})
        if event and span:
            place = "in pauses" if event.level_db is None else "over speech"
            at = {"onset_s": round(span[0], 3), "offset_s": round(span[1], 3)}
            known.append({"item": name, "tag": event.tag, **at, "place": place})
    _table(work / "speech/manifest.csv", said)
    (work / "known.jsonl").write_text("".join(json.dumps(row) + "\n" for row in known))


def take_name(tag: str, take: int) -> str:
    """What a recording of a kind is called in the lake."""
    return f"{tag}-{take}.wav"


def planted_source(take: int) -> str:
    """What the sources of recordings begin with in which that take of its kind is planted; 0 is none of them."""
    return f"take-{take}/"


def queries(turn: int) -> Mapping[str, object]:
    """A query set of the kinds in which the recording of a turn is an audio query."""
    return {tag: {"benchmark": _asked(tag, turn), "training": _asked(tag, 0)} for tag in KINDS.values()}


def _asked(tag: str, turn: int) -> Mapping[str, Sequence[object]]:
    purpose: Purpose = "benchmark" if turn else "training"
    chosen = [query for query in load(purpose) if query.tag == tag]
    audio: list[object] = [list(query.classes) for query in chosen if query.modality == "audio"]
    if turn:
        audio[2:] = [f"{TAKE}{take_name(tag, turn)}"]
    return {"text": [query.text for query in chosen if query.modality == "text"], "audio": audio}


def _table(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    every = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(every[0]))
        table.writeheader()
        table.writerows(every)
