"""The notice in a version that was retracted: what was taken down and why, and which items and files are withheld."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sonolake.errors import Damaged, NotFound, Refused
from sonolake.plural import counted
from sonolake.releases.layout import NOTICE, checked_path
from sonolake.releases.origins import Origin, read_whole


@dataclass(frozen=True, order=True)
class Withdrawn:
    """What was taken down, such as ``source freesound:123``, why, and on which day (YYYY-MM-DD)."""

    what: str
    reason: str
    date: str


@dataclass(frozen=True)
class Notice:
    """What is known of a version that was retracted.

    Attributes:
        release: ``NAME@VERSION``.
        withdrawn: what was taken down.
        items: ids of the items that are withheld.
        files: files of the release that are withheld because they hold any of these.
        replaced_by: the version without them; None when there is none.
    """

    release: str
    withdrawn: tuple[Withdrawn, ...]
    items: tuple[str, ...]
    files: tuple[str, ...]
    replaced_by: str | None = None

    def text(self) -> str:
        """The file."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    def told(self) -> str:
        """It in a few lines."""
        lines = [f"{self.release} was retracted."]
        lines += [f"Taken down on {one.date}: {one.what}. {one.reason}" for one in self.withdrawn]
        lines.append(f"Withheld: {counted(len(self.items), 'item')}, {counted(len(self.files), 'file')}.")
        if self.replaced_by is not None:
            lines.append(f"{self.replaced_by} is the same without them.")
        return "\n".join(lines)

    def why(self, item_id: str) -> str:
        """Why an item is not to be had: it was taken down, or lies in a shard with one that was."""
        if item_id in self.items:
            return (
                f"withheld: {' '.join(f'{one.what} was taken down: {one.reason}' for one in self.withdrawn)}"
            )
        instead = "" if self.replaced_by is None else f"; {self.replaced_by} has its shard without them"
        return f"withheld with its shard, which holds items that were taken down{instead}"

    def joined(
        self, withdrawn: Withdrawn, items: Iterable[str], files: Iterable[str], replaced_by: str | None
    ) -> Notice:
        """It with what was taken down later."""
        return Notice(
            self.release,
            tuple(sorted({*self.withdrawn, withdrawn})),
            tuple(sorted({*self.items, *items})),
            tuple(sorted({*self.files, *files})),
            replaced_by,
        )


def parse_notice(data: bytes, where: str) -> Notice:
    """The notice in a file; ``where`` is what messages call it.

    Raises:
        Damaged: when it is not one.
        InvalidInput: when it names a path outside the release.
    """
    try:
        said = json.loads(data)
        withdrawn = tuple(Withdrawn(**{k: str(v) for k, v in one.items()}) for one in said["withdrawn"])
        if not all(isinstance(said[name], list) for name in ("items", "files")):
            raise TypeError("items and files are lists")
        items, files = (tuple(str(one) for one in said[name]) for name in ("items", "files"))
        replaced_by = None if said["replaced_by"] is None else str(said["replaced_by"])
        notice = Notice(str(said["release"]), withdrawn, items, files, replaced_by)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Damaged(f"{where} is no notice of a retracted release ({error!r})") from None
    for path in notice.files:
        checked_path(path)
    return notice


def notice_at(origin: Origin) -> Notice | None:
    """The notice of the release at ``origin``; None for one that was not retracted.

    Raises:
        Damaged: when what is there is no notice.
        Unreachable: when the place does not answer.
    """
    try:
        data = read_whole(origin, NOTICE)
    except (NotFound, Refused):
        return None
    return parse_notice(data, f"{origin.name}/{NOTICE}")
