"""From a source's item to a row of ``assets``: decoded, described, and told apart from what is there already."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

from sonolake.audio.arrival import room_facts
from sonolake.audio.decode import MAX_SECONDS
from sonolake.audio.facts import Facts, inspect
from sonolake.audio.foa import Convention, to_ambix
from sonolake.audio.foa_hints import convention_hint, is_amb
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import canonical_json, sha256_hex
from sonolake.lake.media import MediaRoom
from sonolake.lake.step import Done, Edge, Outcome, Quarantined
from sonolake.sources.folder import LABELS_HEADER
from sonolake.sources.licences import UNCLEAR, UNKNOWN, normalise
from sonolake.sources.records import SourceItem
from sonolake.spatial.labels import read_labels

KINDS = ("take", "ambience", "response", "foa", "speech", "vocal")
"""What an item can be taken as."""

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
"""Ambisonics conventions a four-channel item can be declared to have."""

CODE_VERSION = "3"
"""Raised whenever the facts or verdicts of an item could come out otherwise; what was refused is then tried again."""

_TEXT = ("event", "location", "room", "speaker", "language", "transcript", "title", "author")
_NUMBERS = ("azimuth_deg", "elevation_deg", "distance_m")


@dataclass(frozen=True)
class Intake:
    """How the items of one source are taken.

    Args:
        kind: what they are, one of :data:`KINDS`.
        convention: Ambisonics convention of four-channel items whose manifest row says none.
        licence: licence (SPDX) of items whose manifest row says none.

    Raises:
        InvalidInput: for a kind, convention or licence that is not one of those allowed.
    """

    kind: str
    convention: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidInput("kind", f"one of {', '.join(KINDS)}", self.kind)
        if self.convention and self.convention not in CONVENTIONS:
            raise InvalidInput("--convention", f"one of {', '.join(CONVENTIONS)}", self.convention)
        if self.licence.strip() not in ("", UNKNOWN) and normalise(self.licence)[0] == UNKNOWN:
            allowed = f"an SPDX identifier such as CC0-1.0 or CC-BY-4.0, a deed's URL, or {UNKNOWN}"
            raise InvalidInput("--licence", allowed, self.licence, "a slip of the pen")

    @property
    def step(self) -> str:
        """Name of the step, such as ``ingest-take``."""
        return f"ingest-{self.kind}"

    def attempt_of(self, fields: Mapping[str, str]) -> str:
        """Hash of what decides the verdict on an item beside its bytes: these options, its manifest row, the code.

        What was refused is tried again when it changes.
        """
        return sha256_hex(canonical_json([asdict(self), dict(fields), CODE_VERSION]).encode())[:16]

    def take(
        self,
        item: SourceItem,
        data: bytes,
        asset_id: str,
        media: MediaRoom,
        max_seconds: float = MAX_SECONDS,
    ) -> Outcome:
        """What becomes of ``item``: its row of ``assets``, or the reason it is refused; its bytes are kept either way.

        Args:
            item: the item with its manifest row.
            data: its bytes.
            asset_id: their SHA-256.
            media: where they are kept.
            max_seconds: the longest sound that is taken.
        """
        media.put(data, asset_id)
        try:
            convention = _declared(data, self._convention(item.fields))
            facts, decoded = inspect(data, item.item, convention, max_seconds)
            if self.kind in ("foa", "response", "ambience") and not convention:
                _require_no_scene(decoded.samples)
            row = self._row(item, asset_id, facts, convention)
            if self.kind == "foa":
                _require_labels(row, item)
            if self.kind == "response":
                _add_room_facts(row, decoded.samples, facts.sample_rate, convention)
        except ItemRefused as refusal:
            return Quarantined(refusal.reason, refusal.detail, asset_id, self.attempt_of(item.fields))
        return Done({"assets": [row]}, (Edge(asset_id, str(row["source_id"]), "source"),))

    def _convention(self, fields: Mapping[str, str]) -> Convention | None:
        declared = (fields.get("convention") or self.convention).strip().lower()
        for known in CONVENTIONS:
            if declared == known:
                return known
        if declared:
            raise ItemRefused(
                "unknown_convention", f"convention {declared!r} is none of {', '.join(CONVENTIONS)}"
            )
        return None

    def _row(
        self, item: SourceItem, asset_id: str, facts: Facts, convention: Convention | None
    ) -> dict[str, object]:
        fields = item.fields
        licence, licence_url = normalise(fields.get("licence") or self.licence)
        flags = [*facts.flags, *(["unknown_licence"] if licence in (UNKNOWN, UNCLEAR) else [])]
        return {
            **vars(facts),
            **{name: _text(fields.get(name)) for name in _TEXT},
            **{name: item.number(name) for name in _NUMBERS},
            "asset_id": asset_id,
            "kind": self.kind,
            "item": item.item,
            "source_id": _text(fields.get("source_id")) or f"file:{item.item}#{asset_id[:12]}",
            "licence": licence,
            "licence_url": licence_url,
            "source_url": _text(fields.get("url")),
            "dc": list(facts.dc),
            "flags": flags,
            "convention": convention if facts.channels >= 4 else None,
            "labels": _labels(item),
            "tags": _tags(item),
            "synthetic": (item.tags.get("synthetic") or "").lower() in ("true", "1", "yes"),
        }


def _declared(data: bytes, convention: Convention | None) -> Convention | None:
    """The convention of a file: as it was declared, or as the header of an ``.amb`` file says."""
    if not is_amb(data):
        return convention
    if convention not in (None, "fuma"):
        raise ItemRefused(
            "unknown_convention", f"{convention} was declared, and the file's own header says fuma (.amb)"
        )
    return "fuma"


def _require_no_scene(samples: Signal) -> None:
    channels = samples.shape[1]
    if channels < 4:
        return
    hint = f"; {convention_hint(samples)}" if channels == 4 else ""
    raise ItemRefused(
        "unknown_convention",
        f"{channels} channels and no declared Ambisonics convention: "
        f"declare it in the manifest or with --convention{hint}",
    )


def _add_room_facts(
    row: dict[str, object], samples: Signal, rate: int, convention: Convention | None
) -> None:
    """What the response itself says of room and direction; a declared place that it contradicts is flagged."""
    response = to_ambix(samples, convention) if convention else samples[:, 0]
    room = room_facts(response, rate)
    row |= {
        "rt60_s": room.rt60_s,
        "drr_db": room.drr_db,
        "direct_azimuth_deg": room.azimuth_deg,
        "direct_elevation_deg": room.elevation_deg,
    }
    azimuth, elevation = row["azimuth_deg"], row["elevation_deg"]
    if isinstance(azimuth, float) and room.differs(
        azimuth, elevation if isinstance(elevation, float) else None
    ):
        row["flags"] = sorted([*_flags(row), "direction_differs"])
    distance = row["distance_m"]
    if isinstance(distance, float) and room.contradicts(distance):
        row["flags"] = sorted([*_flags(row), "distance_differs"])


def _flags(row: Mapping[str, object]) -> list[str]:
    flags = row["flags"]
    return [str(flag) for flag in flags] if isinstance(flags, list) else []


def _text(value: str | None) -> str | None:
    return unicodedata.normalize("NFC", value.strip()) if value and value.strip() else None


def _tags(item: SourceItem) -> str | None:
    """The manifest's own header ``tags`` and its foreign ones, a JSON object."""
    said = _text(item.fields.get("tags"))
    tags = {**item.tags, **({"tags": said} if said else {})}
    return canonical_json(tags) if tags else None


def _labels(item: SourceItem) -> str | None:
    name = item.tags.get(LABELS_HEADER)
    if not name:
        return None
    root = item.path.parents[item.item.count("/")]
    path = Path(os.path.realpath(root / name))
    if not path.is_relative_to(os.path.realpath(root)):
        raise ItemRefused("conflicting_labels", f"its label file {name} lies outside the source")
    if not path.is_file():
        raise ItemRefused("conflicting_labels", f"its label file {name} is no file, or is not there")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ItemRefused(
            "conflicting_labels", f"its label file {name} cannot be read: {_why(error)}"
        ) from None


def _require_labels(row: Mapping[str, object], item: SourceItem) -> None:
    """The labels that come with a recording can be read."""
    text = row["labels"]
    if not isinstance(text, str):
        return
    try:
        read_labels(text, item.tags.get("classes", "").split(";"), item.tags.get("distance_unit", ""))
    except InvalidInput as error:
        raise ItemRefused("conflicting_labels", f"its label file cannot be used: {error}") from None


def _why(error: OSError | UnicodeDecodeError) -> str:
    return "it is no UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
