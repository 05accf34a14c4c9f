"""The muted control: a test scene once more without each of its sounds, kept beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sonolake.cares.benchmark.building import sound_item_id
from sonolake.cares.scene import Scene
from sonolake.datasets.made import keep_made
from sonolake.lake import Lake
from sonolake.lake.step import Done, Edge

KIND = "muted"
"""Of these assets; their ``item`` is the benchmark's."""
SAME = ("location", "language", "synthetic")
"""What they have in common with the scene's own, beside licence and title."""


def with_muted(lake: Lake, done: Done, scene: Scene, asset: Mapping[str, object]) -> Done:
    """The rows of a scene with its muted sounds, each an asset that its event names; as they were when it has none."""
    assets: list[Mapping[str, object]] = []
    edges: list[Edge] = []
    by_event: dict[str, object] = {}
    same = {name: asset[name] for name in SAME}
    for event, samples in scene.muted.items():
        item = sound_item_id("muted", scene.scene_id, event)
        licence, title = str(asset["licence"]), str(asset["title"])
        made = keep_made(lake, KIND, item, samples, scene.rate, licence, title, **same)
        by_event[event] = made["asset_id"]
        assets.append(made)
        edges += [Edge(item, scene.scene_id, "scene"), Edge(str(made["asset_id"]), item, "audio")]
    events = [{**row, "muted": by_event.get(str(row["event"]))} for row in done.rows["scene_events"]]
    rows = {**done.rows, "assets": [*done.rows["assets"], *assets], "scene_events": events}
    return replace(done, rows=rows, edges=(*done.edges, *edges))
