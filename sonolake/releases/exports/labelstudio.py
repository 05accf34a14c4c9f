"""Label Studio: tasks with the release's labels as predictions, and the labelling set-up that shows them.

``CONFIG-SPLIT.json`` is imported as tasks, ``config.xml`` pasted into the labelling set-up, and sounds lie under
``audio/``: serve this folder as local storage (``LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT``). The transcript is data,
with its tags it is in the field that ``sonolake annotate`` reads from exports.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.labels import Event
from sonolake.releases.exports.packing import json_text
from sonolake.releases.exports.source import About
from sonolake.releases.exports.tables import Appending
from sonolake.releases.exports.writer import place_of, require_sound
from sonolake.wesr.annotation.labelstudio import FIELD
from sonolake.wesr.writing import without_tags

ADDRESS = "/data/local-files/?d="
"""How it names files of local storage."""
Json = dict[str, Any]


class LabelStudio:
    """See this module."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder, self._about = folder, about
        self._files = Appending(folder)
        self._names: dict[str, int] = {}
        self._labels: dict[str, set[str]] = {"events": set(), "candidates": set(), "speakers": set()}

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        require_sound(item)
        sound = place_of(self._folder / "audio", item, item.suffix)
        sound.write_bytes(item.sound or b"")
        where = sound.relative_to(self._folder).as_posix()
        name = f"{item.config}-{item.split}.json"
        number = self._names[name] = self._names.get(name, 0) + 1
        task = json_text(self._task(item, where, number))
        self._files.add(name, [("" if number == 1 else ",\n") + task], "[\n")

    def close(self) -> None:
        """End the lists, and write the set-up."""
        for name in self._names:
            self._files.add(name, ["\n]\n"])
        (self._folder / "config.xml").write_text(setup(self._labels), encoding="utf-8")

    def _task(self, item: Item, where: str, number: int) -> Json:
        labels = item.labels
        results = [self._region("events", n, e, item) for n, e in enumerate(labels.events)]
        results += [self._region("candidates", n, e, item) for n, e in enumerate(labels.candidates)]
        for n, turn in enumerate(labels.turns):
            span = {"start": turn.start_s, "end": turn.end_s, "channel": 0}
            speaker = turn.speaker or "speaker"
            self._labels["speakers"].add(speaker)
            results.append(_result(f"turn-{n}", "speakers", "labels", {**span, "labels": [speaker]}))
            results.append(_result(f"turn-{n}", "said", "textarea", {**span, "text": [turn.text]}))
        text = labels.text or " ".join(turn.text for turn in labels.turns)
        results.append(_result("text", FIELD, "textarea", {"text": [text]}))
        data = {"audio": ADDRESS + where, "text": without_tags(text), "name": item.item_id}
        prediction = {"model_version": self._about.release, "result": results}
        return {
            "id": number,
            "data": data | {"language": labels.language, "licence": item.row.get("licence")},
            "predictions": [prediction],
        }

    def _region(self, kind: str, number: int, event: Event, item: Item) -> Json:
        self._labels[kind].add(event.label)
        end = event.onset_s if event.offset_s is None else event.offset_s
        value = {"start": event.onset_s, "end": end, "channel": 0, "labels": [event.label]}
        return _result(f"{kind}-{number}", kind, "labels", value)


def _result(name: str, field: str, kind: str, value: Json) -> Json:
    return {"id": name, "from_name": field, "to_name": "audio", "type": kind, "value": value}


def setup(labels: dict[str, set[str]]) -> str:
    """The labelling set-up for these labels by control."""
    lines = ["<View>", '  <Audio name="audio" value="$audio"/>']
    for control, names in labels.items():
        if names:
            lines.append(f'  <Labels name="{control}" toName="audio">')
            lines += [f'    <Label value="{escape(name)}"/>' for name in sorted(names)]
            lines.append("  </Labels>")
    if labels["speakers"]:
        lines.append('  <TextArea name="said" toName="audio" perRegion="true" editable="true"/>')
    lines.append(f'  <TextArea name="{FIELD}" toName="audio" value="$text" editable="true" rows="4"/>')
    return "\n".join([*lines, "</View>"]) + "\n"
