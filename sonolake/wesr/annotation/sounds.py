"""The sound of a task as a browser plays and shows it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from sonolake.errors import ItemRefused
from sonolake.pages.hearing import Shown, shown
from sonolake.wesr.annotation.tasks import Task, Times, estimated


class Sounds:
    """Recordings of a project.

    Args:
        folder: of relative paths.
        media: of ``media:`` hashes, the folder ``media`` of a lake; None without a lake.
    """

    def __init__(self, folder: Path, media: Path | None = None) -> None:
        self._folder, self._media = folder, media
        self.show = lru_cache(maxsize=16)(self._show)

    def path(self, audio: str) -> Path:
        """Where a recording lies.

        Raises:
            ItemRefused: ``missing`` when there is none, or it lies outside the folders.
        """
        name = audio.removeprefix("media:")
        if name != audio:
            root, inner = self._media, Path(name[:2]) / name
        else:
            root, inner = self._folder, Path(audio)
        if root is None:
            raise ItemRefused("missing", f"{audio} lies in a lake: serve with --lake")
        path = (root / inner).resolve()
        if not path.is_relative_to(root.resolve()) or not path.is_file():
            raise ItemRefused("missing", f"no recording {audio} in {root}")
        return path

    def times(self, task: Task) -> Times:
        """Times of the words: those that are known, else estimated."""
        if task.times:
            return task.times
        heard = self.show(task.audio)
        return estimated(task.text, heard.start_s, heard.end_s)

    def _show(self, audio: str) -> Shown:
        path = self.path(audio)
        return shown(path.read_bytes(), path.name)
