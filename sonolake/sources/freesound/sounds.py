"""A sound as the API describes it, and as a manifest of ours would."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonolake.sources.manifest import printable
from sonolake.sources.records import Refusal

FIELDS = (
    "id",
    "url",
    "name",
    "tags",
    "username",
    "license",
    "type",
    "filesize",
    "md5",
    "previews",
    "gen_ai_preference",
    "pack_name",
    "created",
    "category",
    "subcategory",
    "description",
)
"""What a search asks for, so that no sound has to be asked for again."""
PREVIEWS = ("preview-hq-ogg", "preview-hq-mp3", "preview-lq-ogg", "preview-lq-mp3")
"""Best first: about 192, 128, 80 and 64 kbit/s."""
OPEN_PREFERENCES = (
    "",
    "no-additional-preferences",
    "open-source-models",
    "noncommercial-open-source-models",
)
"""Uploaders' wishes for generative models under which a sound may be in a data set; "" where none is stated."""


def item_of(sound_id: int) -> str:
    """The item, and the source id, of a sound."""
    return f"freesound:{sound_id}"


@dataclass(frozen=True)
class Sound:
    """One sound; texts are NFC, "" where the API gives none.

    Attributes:
        id: its number.
        fields: what a manifest would say of it under our headers.
        tags: what is kept beside.
        previews: address by name.
        filesize: bytes of the original, 0 where it is not stated.
        md5: of the original.
        preference: the uploader's wish for generative models.
    """

    id: int
    fields: Mapping[str, str]
    tags: Mapping[str, str]
    previews: Mapping[str, str]
    filesize: int
    md5: str
    preference: str

    @classmethod
    def of(cls, record: Any) -> Sound | None:
        """The sound that the API describes; None for a result that is null, or has no number."""
        number = record.get("id") if isinstance(record, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            return None
        said = {name: _text(record.get(name)) for name in FIELDS}
        fields = {
            "source_id": item_of(number),
            "title": said["name"],
            "author": said["username"],
            "licence": said["license"],
            "url": said["url"] or f"https://freesound.org/s/{number}/",
            "tags": said["tags"],
        }
        kept = ("gen_ai_preference", "created", "category", "subcategory", "description")
        tags = {name: said[name] for name in kept} | {
            "pack": said["pack_name"],
            "original_type": said["type"],
        }
        previews = record.get("previews")
        size = record.get("filesize")
        return cls(
            number,
            {name: text for name, text in fields.items() if text},
            {name: text for name, text in tags.items() if text},
            {n: _text(previews.get(n)) for n in PREVIEWS} if isinstance(previews, Mapping) else {},
            size if isinstance(size, int) else 0,
            said["md5"].lower(),
            said["gen_ai_preference"],
        )

    @property
    def item(self) -> str:
        """``freesound:`` and the number."""
        return item_of(self.id)

    @property
    def preview(self) -> tuple[str, str] | None:
        """Name and address of the best preview, None where there is none."""
        return next(((name, self.previews[name]) for name in PREVIEWS if self.previews.get(name)), None)

    def refusal(self) -> Refusal | None:
        """The refusal of a sound whose uploader wants it in no data set of this kind."""
        if self.preference in OPEN_PREFERENCES:
            return None
        detail = f"its uploader's wish for generative models is {self.preference!r}"
        return Refusal(self.item, "no_gen_ai", detail)


def _text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(filter(None, map(_text, value)))
    if not isinstance(value, str):
        return ""
    return unicodedata.normalize("NFC", printable(value)).strip()
