"""Build a lake from the folders of ``reduced_sources.py`` and publish it, with no engine: the tasks' plain functions.

Batches are small and one worker does all, unlike in the flows: what comes out is the same.

python build_lake.py SOURCES LAKE
"""

import sys
from pathlib import Path

from sonolake.datasets.ledgers import PARTITIONED
from sonolake.lake.run import running
from sonolake.lake.step import batches
from sonolake.sources.folder import read_folder
from sonolake.sources.intake import Intake
from tasks.clip_plans import plan_clips
from tasks.clips import ask_clips, render_clips
from tasks.dry_events import check_takes, takes_to_check
from tasks.embedding import embed_batch, to_embed
from tasks.mining import mine_events
from tasks.opening import lake_at
from tasks.partitioning import partition_assets, split_rooms, split_sources
from tasks.publishing import publish_release
from tasks.scenes import render_scenes
from tasks.scripts import allocate_scenarios, make_templates, scenarios, split_templates
from tasks.taking import take_batch
from tasks.utterances import cut_recordings, recordings

FOLDERS = {
    "takes": "take", "ambiences": "ambience", "responses": "response", "foa-responses": "response",
    "foa": "foa", "vocals": "vocal", "speech": "speech",
}  # fmt: skip
TEMPLATES, SCENES, CLIPS, QUOTA = 2, 2, 6, 5

sources, lake = Path(sys.argv[1]), sys.argv[2]


def ingest(run_id):
    for name, kind in FOLDERS.items():
        for some in batches(read_folder(sources / name).items, 7):
            take_batch.fn(lake, run_id, Intake(kind), some, workers=1)


def split(run_id):
    for kind in PARTITIONED:
        partition_assets.fn(lake, run_id, kind)
    split_rooms.fn(lake, run_id)
    split_sources.fn(lake, run_id)


def cares(run_id):
    make_templates.fn(lake, run_id, TEMPLATES)
    split_templates.fn(lake, run_id)
    allocate_scenarios.fn(lake, run_id, SCENES)
    for scenario in reversed(scenarios(lake_at(lake))):
        render_scenes.fn(lake, run_id, [scenario], "short", workers=1)


def spatial(run_id):
    check_takes.fn(lake, run_id, takes_to_check(lake))
    for some in batches(plan_clips(lake, CLIPS), 2):
        render_clips.fn(lake, run_id, some, workers=1)
    ask_clips.fn(lake, run_id)


def wesr(run_id):
    for some in batches(recordings(lake_at(lake)), 1):
        cut_recordings.fn(lake, run_id, some, workers=1)
    for some in batches(to_embed(lake_at(lake)), 11):
        embed_batch.fn(lake, run_id, some)
    mine_events.fn(lake, run_id, "", QUOTA)


with running(lake_at(lake), "tests", {}) as run:
    for part in (ingest, split, cares, spatial, wesr):
        part(run.run_id)
    publish_release.fn(lake, run.run_id, "tiny", "0.1.0", "2026-11-30")
