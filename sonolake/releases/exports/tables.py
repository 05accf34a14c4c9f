"""Tables of labels that other tools read: Audacity's label tracks, RTTM, and sound events with their durations."""

from __future__ import annotations

from pathlib import Path

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import Unfit, place_of


class Audacity:
    """``CONFIG/SPLIT/KEY.txt``: start, end and label, divided by tabs, as Audacity imports labels.

    Sounds by their names, turns as ``A: words``; what has no end ends where it starts.
    """

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        labels = item.labels
        rows = [(t.start_s, t.end_s, f"{t.speaker}: {t.text}" if t.speaker else t.text) for t in labels.turns]
        for event in labels.events:
            end = event.onset_s if event.offset_s is None else event.offset_s
            rows.append((event.onset_s, end, event.label))
        if not rows:
            raise Unfit("no labels in time")
        lines = [f"{start:.6f}\t{end:.6f}\t{' '.join(text.split())}\n" for start, end, text in sorted(rows)]
        place_of(self._folder, item, "txt").write_text("".join(lines), encoding="utf-8")

    def close(self) -> None:
        """Nothing comes last."""


class Appending:
    """Files that rows are added to, a few at a time, one open a name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._begun: set[str] = set()

    def add(self, name: str, lines: list[str], head: str = "") -> None:
        """Add lines to the file ``name``, which begins with ``head``."""
        path = self._folder / name
        with path.open("a", encoding="utf-8") as file:
            if name not in self._begun:
                file.write(head)
                self._begun.add(name)
            file.writelines(lines)


class Rttm:
    """``CONFIG-SPLIT.rttm``: who speaks when, a line a turn (NIST RT-09)."""

    def __init__(self, folder: Path, about: About) -> None:
        self._files = Appending(folder)

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        turns = item.labels.turns
        if not turns:
            raise Unfit("no turns of speakers")
        lines = [
            f"SPEAKER {item.key} 1 {t.start_s:.3f} {t.end_s - t.start_s:.3f} <NA> <NA> {_word(t.speaker)} <NA> <NA>\n"
            for t in sorted(turns, key=lambda t: (t.start_s, t.end_s))
        ]
        self._files.add(f"{item.config}-{item.split}.rttm", lines)

    def close(self) -> None:
        """Nothing comes last."""


def _word(name: str) -> str:
    return "_".join(name.split()) or "unknown"


class SoundEvents:
    """``CONFIG-SPLIT.tsv`` (filename, onset, offset, event_label) and ``CONFIG-SPLIT-durations.tsv``.

    ``filename`` is the sound's name without ending. An item without any event has a row in the second alone.
    """

    def __init__(self, folder: Path, about: About) -> None:
        self._files = Appending(folder)

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        if item.row.get("events") is None:
            raise Unfit("no column of events")
        name = item.key
        lines = []
        for event in item.labels.events:
            if event.offset_s is None:
                raise Unfit(f"an event without end: {event.label}")
            label = " ".join(event.label.split())
            lines.append(f"{name}\t{event.onset_s:.6f}\t{event.offset_s:.6f}\t{label}\n")
        stem = f"{item.config}-{item.split}"
        self._files.add(f"{stem}.tsv", lines, "filename\tonset\toffset\tevent_label\n")
        self._files.add(f"{stem}-durations.tsv", [f"{name}\t{item.duration_s:.6f}\n"], "filename\tduration\n")

    def close(self) -> None:
        """Nothing comes last."""
