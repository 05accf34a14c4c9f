"""RMS-AQA clips from their records: rendered from takes and responses, or cut from recordings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sonolake.datasets.sounds import Sounds
from sonolake.errors import InvalidInput, NotFound
from sonolake.lake.catalog import among
from sonolake.spatial.domestic import class_name
from sonolake.spatial.labels import read_labels
from sonolake.spatial.recorded import Window, cut
from sonolake.spatial.records import ClipEvent, ClipRecipe
from sonolake.spatial.render import Clip, ClipInputs, render

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

CODE_VERSION = "6"
"""Changes whenever the same record would give other samples or labels, or a window another verdict."""
CODE = f"code:render-clips:{CODE_VERSION}"
"""Names what makes clips in their lineage."""


def source_of(clip_id: str, record: str) -> ClipRecipe | Window:
    """What a clip's record says that it is made from.

    Raises:
        InvalidInput: for the record of another clip.
    """
    fields = json.loads(record)
    if "recording_id" in fields:
        source: ClipRecipe | Window = Window(**{k: v for k, v in fields.items() if k != "clip_id"})
    else:
        source = ClipRecipe.from_record(fields)
    if source.clip_id != clip_id:
        raise InvalidInput(f"record of {clip_id}", "its own", source.clip_id)
    return source


def layers_of(source: ClipRecipe | Window) -> dict[str, str]:
    """The assets of a clip with the part each one plays."""
    if isinstance(source, Window):
        return {source.recording_id: "foa"}
    layers = {one.take_id: "take" for one in source.sources}
    layers |= {name: "response" for one in source.sources for name in one.response_ids}
    return layers | ({source.ambience_id: "ambience"} if source.ambience_id else {})


def made_clip(lake: Lake, source: ClipRecipe | Window, sounds: Sounds) -> Clip:
    """The clip, with its labels.

    Raises:
        NotFound: when a sound is not there.
        ItemRefused: what the renderer refuses.
    """
    declared = _conventions(lake, source)
    if isinstance(source, ClipRecipe):
        return _rendered(source, sounds, declared)
    rows = lake.rows("SELECT tags, labels FROM assets WHERE asset_id = ?", [source.recording_id])
    if not rows:
        raise NotFound(f"recording {source.recording_id} is not among the assets of {lake.place}")
    recording = sounds.sound(source.recording_id, declared[source.recording_id])
    return cut(source, *recording, labels_of(rows[0]))


def _conventions(lake: Lake, source: ClipRecipe | Window) -> defaultdict[str, Any]:
    """The Ambisonics convention that each layer was declared to have; empty for those that are none."""
    query = f"SELECT asset_id, convention FROM assets WHERE asset_id IN {among(sorted(layers_of(source)))}"
    found = {row["asset_id"]: row["convention"] or "" for row in lake.rows(query)}
    return defaultdict(str, found)


def _rendered(recipe: ClipRecipe, sounds: Sounds, declared: Mapping[str, Any]) -> Clip:
    takes = {source.take_id: sounds.channel(source.take_id) for source in recipe.sources}
    names = {name for source in recipe.sources for name in source.response_ids}
    responses = {name: sounds.sound(name, declared[name]) for name in sorted(names)}
    ambience = sounds.sound(recipe.ambience_id, declared[recipe.ambience_id]) if recipe.ambience_id else None
    return render(recipe, ClipInputs(takes, responses, ambience))


def labels_of(asset: Mapping[str, Any]) -> Sequence[ClipEvent]:
    """The labels of a recording: JSON lines, or a DCASE table whose classes and unit its manifest row names."""
    if not asset["labels"]:
        return ()
    tags = json.loads(asset["tags"] or "{}")
    classes = [class_name(name) for name in tags.get("classes", "").split(";")]
    events = read_labels(asset["labels"], classes, tags.get("distance_unit", ""))
    return [replace(event, event=class_name(event.event)) for event in events]
