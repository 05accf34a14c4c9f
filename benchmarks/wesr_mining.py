"""Mining of vocal events planted at known times: how many are found, by words, by sounds, and by both.

    python benchmarks/wesr_mining.py --data DATA [--utterances 2000] [--work DIR] [--events DIR] [--query N]

Utterances are two sentences with a pause, of the installed voices and of the recorded speech in ``DATA/speech``. Three
recordings of each kind (``--events``, a folder a kind, by default ``DATA/speech/vocal-events-nc-nd``) are planted, each
six times in a pause and six times over speech, at 0 and +6 dB, and so are the packaged laughs, each once a place.

Each of the three recordings is the audio query in turn: utterances in which it is planted cannot be found then. Figures
are the means of the three turns, or of one (``--query``). Other ``--events`` are there to choose a setting by, without
a look at what is tested.

The lake has rows and vectors and no sound; an utterance is a whole recording, as it was made. The lists of a turn are
fused: of sentences (text), of names of classes, of the recording alone (audio), of the latter two (sounds), and of all.
Precision is of utterances with the event in a pause, those with it over speech left out, and the other way round.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sonolake.audio.decode import decode
from sonolake.audio.levels import db_to_gain
from sonolake.audio.resample import resample
from sonolake.ids import rng_of
from sonolake.lake import Lake
from sonolake.models.base import Vectors
from sonolake.models.registry import available, get
from sonolake.search.embedding import SOUND_SPACE, SoundModel, class_rows, sound_rows
from sonolake.sources.packaged import write_packaged
from sonolake.wesr.mining import Candidate, RankedList, mine
from sonolake.wesr.queries import load
from tasks.embedding import CLASS_SPACE
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
TURNS, TIMES, LEVELS_DB, BATCH = 3, 6, (0.0, 6.0), 200
LONGEST_S, PIECE_S, FLOOR_DB, SPEECH_DB = 2.5, 6.0, -60.0, -26.0
DEPTH = 50
PARTS = {"text": "text", "classes": "audio", "audio": "example"}
"""What the lists of each way have in their query's id: sentences, names of classes, the recording."""
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
    """An event in a recording: which, where, seconds, and in a pause (None) or over speech at a level in dB."""

    path: str
    tag: str
    take: int
    """Number from 1 of what is planted among the recordings of its kind; 0 when it is never a query."""
    onset_s: float
    offset_s: float
    level_db: float | None


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


class Heard:
    """YAMNet with what it heard last, so that the vectors of two spaces cost one pass."""

    def __init__(self, model: SoundModel) -> None:
        self._model = model
        self._last: tuple[Signal, tuple[Vectors, Vectors]] | None = None
        self.spec, self.window_s, self.hop_s = model.spec, model.window_s, model.hop_s
        self.weights_sha256 = model.weights_sha256

    def analyse(self, x: Signal, rate: int) -> tuple[Vectors, Vectors]:
        """Vectors and class scores of the windows."""
        last = self._last
        if last is None or last[0] is not x:
            self._last = last = x, self._model.analyse(x, rate)
        return last[1]


def write_lake(data: Path, folder: Path, work: Path, count: int) -> list[Planted]:
    """A lake with utterances and examples; what was planted where."""
    lake = lake_at(str(work / "lake"))
    for tag, take, file in takes(folder):
        samples = read(file)
        row = {
            "asset_id": _id(f"{tag}-{take}"),
            "kind": "vocal",
            "item": file.name,
            "source_id": f"query:{tag}-{take}",
        }
        write_recordings(lake, [({**row, "event": f"vocal/{tag}"}, samples)])
    where = planted(folder, work)
    pairs = paired([*recorded(data), *spoken(30)], count)
    if len(where) > count:
        raise SystemExit(f"{len(where)} events need as many utterances, not {count}")
    truth, made = [], []
    for number, pair in enumerate(pairs):
        event = where[number] if number < len(where) else None
        samples, said, span = mixed(number, pair, event)
        name = f"u{number:05}"
        row = {"asset_id": _id(name), "kind": "speech", "item": name, "source_id": f"mining:{name}"}
        made.append(
            ({**row, "language": said.language, "transcript": said.text, "speaker": said.speaker}, samples)
        )
        if event and span:
            truth.append(Planted(name, event.tag, event.take, *span, event.level_db))
        if len(made) == BATCH or number == count - 1:
            write_recordings(lake, made)
            made = []
    return truth


def write_recordings(lake: Lake, made: Sequence[tuple[dict[str, str], Signal]]) -> None:
    """Rows and vectors of recordings, and speech as utterances."""
    heard, bridge = Heard(get("yamnet")), get("bridge")
    spaces: dict[str, list[pa.Table]] = {SOUND_SPACE: [], CLASS_SPACE: []}
    utterances: list[dict[str, object]] = []
    for row, samples in made:
        of = row["asset_id"], samples, RATE, row, heard
        spaces[SOUND_SPACE].append(sound_rows(*of)[SOUND_SPACE])
        if row["kind"] == "speech":
            spaces[CLASS_SPACE].append(class_rows(*of, bridge))
            span = {"start_s": 0.0, "end_s": len(samples) / RATE}
            text = {"language": row["language"], "transcript": row["transcript"], "transcript_by": "source"}
            utterances.append(
                {**text, **span, "utterance_id": row["item"], "asset_id": of[0], "audio": of[0]}
            )
    with lake.writing():
        for space, tables in spaces.items():
            if tables:
                lake.vectors.write(space, pa.concat_tables(tables))
    lake.table("assets").append([row for row, _ in made])
    if utterances:
        lake.table("utterances").append(utterances)


def _id(name: str) -> str:
    return hashlib.sha256(f"wesr mining {name}".encode()).hexdigest()


class Truth:
    """Which utterances of a lake have which event where, when one recording of each kind is the query."""

    def __init__(self, lake: str, planted: Sequence[Planted], turn: int) -> None:
        self.turn = turn
        self.hidden = [f"mining:{one.path}" for one in planted if one.take == turn]
        rows = lake_at(lake).rows(
            "SELECT u.utterance_id, u.start_s, u.end_s, a.source_id FROM utterances u JOIN assets a USING (asset_id) "
            f"WHERE {self.where}"
        )
        self.found: dict[tuple[str, str], tuple[Planted, float]] = {}
        by_path = {f"mining:{one.path}": one for one in planted}
        for row in rows:
            one = by_path.get(row["source_id"])
            if one and row["start_s"] < (one.onset_s + one.offset_s) / 2 < row["end_s"]:
                self.found[row["utterance_id"], one.tag] = one, one.onset_s - row["start_s"]
        self.utterances = len(rows)

    @property
    def where(self) -> str:
        """The condition on what may be found: nothing in which a query is planted."""
        return f"source_id NOT IN ({', '.join(repr(name) for name in self.hidden)})"

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
    by = {name: [one for one in lists if f"/{part}/" in one.query] for name, part in PARTS.items()}
    sounds = [*by["classes"], *by["audio"]]
    return {name: mine(some, 2 * DEPTH) for name, some in (by | {"sounds": sounds, "fused": lists}).items()}


def lists_in(lake: str, turn: int, truth: Truth) -> list[RankedList]:
    """The ranked lists of one turn: the packaged queries, and of the examples one of each kind."""
    opened = lake_at(lake)
    rows = opened.rows("SELECT asset_id, source_id FROM assets WHERE kind = 'vocal'")
    others = {row["asset_id"] for row in rows if not row["source_id"].endswith(f"-{turn}")}
    asked = [query for query in load("benchmark") if query.tag in KINDS.values()]
    lists = lists_of(opened, asked, DEPTH, truth.where)
    return [one for one in lists if one.query.rpartition("/")[2] not in others]


Row = Mapping[str, float]


def mean(rows: Sequence[Row]) -> Row:
    """The mean of each figure, of those that there are."""
    there = {key: [row[key] for row in rows if row[key] == row[key]] for key in rows[0]}
    return {key: float(np.mean(some)) if some else float("nan") for key, some in there.items()}


def report(turns: Sequence[tuple[Truth, Mapping[str, list[Candidate]]]]) -> None:
    """Print a table a place, with a line a label, the means, and the means of each turn."""
    names = list(turns[0][1])
    for in_pause in (True, False):
        print(f"\n## {'In pauses' if in_pause else 'Over speech'}\n")
        print("| label | n | " + " | ".join(f"{name} P@3 P@10 R@50 error" for name in names) + " |")
        print("|---" * (2 + len(names)) + "|")
        found = {
            (tag, name, n): figures(truth, [c for c in some[name] if c.tag == tag], tag, in_pause)
            for n, (truth, some) in enumerate(turns)
            for name in names
            for tag in KINDS.values()
        }
        for tag in KINDS.values():
            planted = "/".join(str(truth.count(tag, in_pause)) for truth, _ in turns)
            _line(tag, planted, [mean([found[tag, name, n] for n in range(len(turns))]) for name in names])
        for n, (truth, _) in enumerate(turns):
            row = [mean([found[tag, name, n] for tag in KINDS.values()]) for name in names]
            _line(f"query {truth.turn}", "", row)
        _line("mean", "", [mean([found[key] for key in found if key[1] == name]) for name in names])


def _line(label: str, n: str, cells: Sequence[Row]) -> None:
    said = [f"{c['p3']:.2f} {c['p10']:.2f} {c['r50']:.2f} {c['error_s']:.2f} s" for c in cells]
    print(f"| {label} | {n} | " + " | ".join(said) + " |")


def main() -> None:
    """Build, mine, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--utterances", type=int, default=2000)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--events", type=Path, help="default: vocal-events-nc-nd of the speech in --data")
    parser.add_argument("--query", type=int, choices=range(1, TURNS + 1), help="default: each in turn")
    given = parser.parse_args()
    folder = given.events or given.data / "speech/vocal-events-nc-nd"
    turns = [given.query] if given.query else list(range(1, TURNS + 1))
    with tempfile.TemporaryDirectory() as scratch:
        run(given.data, folder, given.work or Path(scratch), given.utterances, turns)


def run(data: Path, folder: Path, work: Path, count: int, turns: Sequence[int]) -> None:
    """The whole measurement in a folder; a lake that is there is only asked."""
    work.mkdir(parents=True, exist_ok=True)
    lake, began = str(work / "lake"), time.monotonic()
    if not (work / "truth.json").exists():
        written = write_lake(data, folder, work, count)
        (work / "truth.json").write_text(json.dumps([asdict(one) for one in written]))
    planted = [Planted(**row) for row in json.loads((work / "truth.json").read_text())]
    print(f"made in {time.monotonic() - began:.0f} s (load {os.getloadavg()[0]:.1f})")
    found = []
    for turn in turns:
        truth, began, used = Truth(lake, planted, turn), time.monotonic(), time.process_time()
        lists = lists_in(lake, turn, truth)
        print(
            f"query {turn}: {truth.utterances} utterances, {len(lists)} lists in "
            f"{time.monotonic() - began:.1f} s ({time.process_time() - used:.1f} s of processor)"
        )
        found.append((truth, ways(lists)))
    report(found)


if __name__ == "__main__":
    main()
