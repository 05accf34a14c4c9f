"""lhotse: manifests of recordings, supervisions and cuts beside their sounds, and the same as Shar.

Names are those that ``read_manifests_if_cached`` finds: ``CONFIG_recordings_SPLIT.jsonl.gz`` and its like. Sources are
relative to the folder: give it by ``with_path_prefix``. Durations are frames divided by the rate, never what a header
of a lossy format guesses. Turns are supervisions with their words as alignment ``word``; sound events are supervisions
without text, whose ``custom`` names them; one without length, which no supervision can have, is among ``points`` of the
cut's ``custom``. A sound of several channels is one recording and one MultiCut.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.labels import Event, Turn
from sonolake.releases.exports.packing import Lines, Tar, json_text
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import place_of, require_sound

KINDS = ("recordings", "supervisions", "cuts")
Json = dict[str, Any]


class Manifests:
    """Three manifests a config and split; sounds under ``audio/CONFIG/SPLIT``."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._open: dict[str, Lines] = {}
        self._place = ("", "")

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        require_sound(item)
        sound = place_of(self._folder / "audio", item, item.suffix)
        sound.write_bytes(item.sound or b"")
        where = sound.relative_to(self._folder).as_posix()
        recording = recording_of(item, {"type": "file", "source": where})
        lines = self._of(item.config, item.split)
        supervisions = supervisions_of(item)
        lines["recordings"].write(recording)
        for supervision in supervisions:
            lines["supervisions"].write(supervision)
        lines["cuts"].write(cut_of(item, recording, supervisions))

    def close(self) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        self._stack.close()

    def _of(self, config: str, split: str) -> dict[str, Lines]:
        if (config, split) != self._place:
            self._stack.close()
            self._place = (config, split)
            for kind in KINDS:
                path = self._folder / f"{config}_{kind}_{split}.jsonl.gz"
                self._open[kind] = self._stack.enter_context(Lines(path))
        return self._open


class Shar:
    """``CONFIG/SPLIT/cuts.000000.jsonl.gz`` beside ``recording.000000.tar``, a pair a shard of the release."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._place: tuple[str, str, int] | None = None
        self._number = -1

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        require_sound(item)
        recording = recording_of(item, {"type": "shar", "source": ""})
        if (place := (item.config, item.split, item.shard)) != self._place:
            self._next(place)
        self._tar.add(f"{item.key}.{item.suffix}", item.sound or b"")
        self._tar.add(f"{item.key}.json", json_text(recording).encode() + b"\n")
        self._lines.write(cut_of(item, recording, supervisions_of(item)))

    def close(self) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        self._stack.close()

    def _next(self, place: tuple[str, str, int]) -> None:
        self._stack.close()
        same = self._place is not None and self._place[:2] == place[:2]
        self._number = self._number + 1 if same else 0
        self._place = place
        folder = self._folder / place[0] / place[1]
        self._tar = self._stack.enter_context(Tar(folder / f"recording.{self._number:06d}.tar"))
        self._lines = self._stack.enter_context(Lines(folder / f"cuts.{self._number:06d}.jsonl.gz"))


def recording_of(item: Item, source: Json) -> Json:
    """The recording of an item; ``source`` says where its sound is."""
    rate, channels, frames = item.heard
    numbers = list(range(channels))
    return {
        "id": item.key,
        "sources": [{"type": source["type"], "channels": numbers, "source": source["source"]}],
        "sampling_rate": rate,
        "num_samples": frames,
        "duration": frames / rate,
        "channel_ids": numbers,
    }


def supervisions_of(item: Item) -> list[Json]:
    """The supervisions of an item: turns, or else its text as a whole; then its events."""
    labels = item.labels
    made = [_turn(item, number, turn) for number, turn in enumerate(labels.turns)]
    if labels.text and not made:
        whole = Turn(labels.speaker, labels.text, 0.0, item.heard.duration_s)
        made = [_turn(item, 0, whole) | ({"speaker": labels.speaker} if labels.speaker else {})]
    events = [event for event in labels.events if not _is_point(event)]
    return made + [_event(item, number, event) for number, event in enumerate(events)]


def cut_of(item: Item, recording: Json, supervisions: list[Json]) -> Json:
    """The cut that is the whole item; its other columns are ``custom``."""
    several = item.heard.channels > 1
    told = {"events", "turns", "transcript"}
    custom = {"split": item.split} | {k: v for k, v in item.row.items() if k not in told}
    if points := [event for event in item.labels.events if _is_point(event)]:
        custom["points"] = [{"event": e.label, "onset_s": e.onset_s, **e.facts} for e in points]
    return {
        "id": item.key,
        "start": 0,
        "duration": recording["duration"],
        "channel": _channel(item),
        "supervisions": supervisions,
        "recording": recording,
        "custom": custom,
        "type": "MultiCut" if several else "MonoCut",
    }


def _turn(item: Item, number: int, turn: Turn) -> Json:
    made = _segment(item, f"turn-{number:03d}", turn.start_s, turn.end_s)
    made["text"] = turn.text
    if item.labels.language:
        made["language"] = item.labels.language
    if turn.speaker:
        made["speaker"] = f"{item.key}-{turn.speaker}"
    if turn.gender:
        made["gender"] = turn.gender
    if turn.words:
        words = [[w.text, w.start_s, w.end_s - w.start_s, w.confidence] for w in turn.words]
        made["alignment"] = {"word": words}
    return made


def _is_point(event: Event) -> bool:
    return event.offset_s is None or event.offset_s <= event.onset_s


def _event(item: Item, number: int, event: Event) -> Json:
    made = _segment(item, f"event-{number:03d}", event.onset_s, event.offset_s or event.onset_s)
    return made | {"custom": {"event": event.label, **event.facts}}


def _segment(item: Item, name: str, start_s: float, end_s: float) -> Json:
    return {
        "id": f"{item.key}-{name}",
        "recording_id": item.key,
        "start": start_s,
        "duration": end_s - start_s,
        "channel": _channel(item),
    }


def _channel(item: Item) -> int | list[int]:
    channels = item.heard.channels
    return 0 if channels == 1 else list(range(channels))
