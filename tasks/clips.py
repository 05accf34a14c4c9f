"""RMS-AQA: clips allocated, rendered and asked about."""

from __future__ import annotations

from typing import Any

from prefect import task

from schemas import ClipEvents, Clips, valid_rows
from sonolake.audio.encode import flac_bytes
from sonolake.ids import canonical_json, sha256_hex
from sonolake.lake import Lake
from sonolake.lake.step import Counts, Done, Edge, Outcome
from sonolake.spatial.allocate import allocate_splits
from sonolake.spatial.pool import Pool, Response, Take, split_pools
from sonolake.spatial.records import CLIP_S, Clip, ClipEvent, ClipInputs, ClipRecipe
from sonolake.spatial.render import render
from tasks.layers import licences_of, mixed_licence, usable_assets
from tasks.making import make
from tasks.opening import lake_at, run_of
from tasks.sounds import mono, sound
