"""CARES: two-speaker scenes whose sounds have a known reaction."""

from __future__ import annotations

from typing import Any

import dataframely as dy
import polars as pl

from schemas.base import SPLIT, column


class Templates(dy.Schema):
    """Situations two adults could discuss (CARES, section 3.1)."""

    template_id = column(dy.String, "hash of the template's text", primary_key=True)
    title = column(dy.String, "short title", min_length=1)
    description = column(dy.String, "the situation in one or two sentences", min_length=1)
    theme = column(dy.String, "theme within the category")
    category = column(dy.String, "category")
    record = column(dy.String, "the whole template, a JSON object")


class Scenarios(dy.Schema):
    """Who speaks where about what, and which sounds occur (CARES, section 3.1)."""

    scenario_id = column(dy.String, "hash of what was allocated", primary_key=True)
    template_id = column(dy.String, "template it is made from")
    composition = column(
        dy.String, "number of pivot, verbal, behavioral and ambient sounds", regex=r"^P[01]V\dB\dA\d$"
    )
    location = column(dy.String, "place")
    relation = column(dy.String, "roles of the two speakers")
    genders = column(dy.String, "genders of speakers A and B", regex=r"^[FM]{2}$")
    record = column(dy.String, "the whole scenario, a JSON object")


class Dialogues(dy.Schema):
    """Dialogues of a chat model or a file; what the embedded writer says needs no row (CARES, section 3.3)."""

    scenario_id = column(dy.String, "scenario it is made from", primary_key=True)
    writer = column(
        dy.String, "who wrote it: chat:SPEC with the prompt's version, or imported:FILE", min_length=1
    )
    length = column(dy.String, "paper or short", regex=r"^(paper|short)$")
    utterances = column(dy.Int64, "number of utterances", min=1)
    words = column(dy.Int64, "number of words", min=1)
    timeline = column(dy.String, "utterances and sounds in order of time, a JSON list")


def _of_scene(meaning: str, unit: str) -> Any:
    return column(dy.Float64, f"{meaning}; null in scenes made before", unit, nullable=True)


class Scenes(dy.Schema):
    """Rendered scenes: 44.1 kHz mono PCM16 (CARES, section 4)."""

    scene_id = column(dy.String, "hash of the recipe", primary_key=True)
    scenario_id = column(dy.String, "scenario it is made from")
    template_id = column(dy.String, "template of the scenario")
    split = column(dy.String, "split of the template", regex=SPLIT)
    asset_id = column(dy.String, "SHA-256 of the audio", min_length=64, max_length=64)
    duration_s = column(dy.Float64, "length", "s", min_exclusive=0.0)
    loudness_lufs = column(dy.Float64, "integrated loudness measured on the file, ITU-R BS.1770-4", "LUFS")
    peak_dbfs = column(dy.Float64, "highest sample magnitude measured on the file", "dBFS", max=0.0)
    licence = column(dy.String, "licence that follows from all layers")
    location = column(dy.String, "place")
    true_peak_dbtp = column(dy.Float64, "true peak, ITU-R BS.1770-4 annex 2", "dBTP")
    record = column(dy.String, "the recipe that renders the scene again, a JSON object")
    asked_loudness_lufs = _of_scene("what `loudness_lufs` is to be", "LUFS")
    asked_voice_lufs = _of_scene("loudness of the voice before the master gain", "LUFS")
    measured_voice_lufs = _of_scene("the same, measured on its stem", "LUFS")
    asked_ambience_lufs = _of_scene("loudness of the ambience before the master gain", "LUFS")
    measured_ambience_lufs = _of_scene("the same, measured on its stem", "LUFS")
    master_gain_db = _of_scene("gain of everything together", "dB")
    limited_db = _of_scene("how far the limiter lowered the highest sample", "dB")


class SceneEvents(dy.Schema):
    """Sounds in scenes, with the reaction each one draws (CARES, section 3.2)."""

    scene_id = column(dy.String, "scene", primary_key=True)
    event = column(dy.String, "sound identifier", primary_key=True)
    reaction = column(
        dy.String, "pivot, verbal, behavioral or ambient", regex=r"^(pivot|verbal|behavioral|ambient)$"
    )
    register = column(dy.String, "way to react; null for ambient", nullable=True)
    layer = column(dy.String, "core or supporting", regex=r"^(core|supporting)$")
    take = column(dy.String, "asset id of the recording", min_length=64, max_length=64)
    band = column(dy.String, "third of the dialogue that it falls into", regex=r"^(early|middle|late)$")
    distance_m = column(dy.Float64, "distance that its level and filter follow", "m", min_exclusive=0.0)
    asked_onset_s = column(dy.Float64, "onset planned", "s", min=0.0)
    measured_onset_s = column(dy.Float64, "onset measured on its stem", "s", min=0.0)
    asked_offset_s = column(
        dy.Float64, "end planned; null in scenes made before", "s", nullable=True, min_exclusive=0.0
    )
    measured_offset_s = column(
        dy.Float64,
        "end measured on its stem; null in scenes made before",
        "s",
        nullable=True,
        min_exclusive=0.0,
    )
    asked_level_lufs = column(dy.Float64, "level planned before the master gain", "LUFS")
    measured_level_lufs = column(dy.Float64, "level measured on its stem before the master gain", "LUFS")
    asked_snr_db = column(dy.Float64, "least level over the ambience under it", "dB")
    measured_snr_db = column(dy.Float64, "level over the ambience under it", "dB")
    asked_clear_s = column(
        dy.Float64, "start planned of the clear stretch; null if behavioral", "s", nullable=True
    )
    measured_clear_s = column(dy.Float64, "start measured of it; null if behavioral", "s", nullable=True)
    asked_lead_s = column(
        dy.Float64, "planned from its end to the voice; null unless behavioral", "s", nullable=True
    )
    measured_lead_s = column(dy.Float64, "measured; null unless behavioral", "s", nullable=True)
    duck_db = column(dy.Float64, "how far the voice is lowered under it", "dB", min=0.0)
    asked_duck_db = column(
        dy.Float64, "the same; null unless behavioral, in scenes made before", "dB", nullable=True
    )
    measured_duck_db = column(
        dy.Float64,
        "the most that the voice is lowered; null unless behavioral, where nobody speaks, in scenes made before",
        "dB",
        nullable=True,
    )
    voice_s = column(
        dy.Float64,
        "how long somebody speaks while it is heard; null in scenes made before",
        "s",
        nullable=True,
    )
    onset_s = column(dy.Float64, "onset", "s", min=0.0)
    offset_s = column(dy.Float64, "end", "s", min_exclusive=0.0)
    violates = column(dy.String, "rule of the mix that is broken; null where none is", nullable=True)
    muted = column(
        dy.String, "asset id of a test scene without this sound; null in the other splits", nullable=True
    )

    @dy.rule()
    def ends_after_it_begins(cls) -> pl.Expr:
        """An event ends after it begins."""
        return pl.col("offset_s") > pl.col("onset_s")


class Turns(dy.Schema):
    """Utterances of scenes with the times found by the aligner (CARES, section 3.4)."""

    scene_id = column(dy.String, "scene", primary_key=True)
    turn = column(dy.Int64, "number of the utterance within the scene, from 0", primary_key=True, min=0)
    speaker = column(dy.String, "A or B", regex=r"^[AB]$")
    text = column(
        dy.String, "what is said; [softly] and the like are delivery tags: heard, not spoken", min_length=1
    )
    start_s = column(dy.Float64, "start of what is first heard of the speaker", "s", min=0.0)
    end_s = column(dy.Float64, "end of what is last heard of the speaker", "s", min_exclusive=0.0)
    asked_gap_s = column(
        dy.Float64, "gap planned before it; null for the first, in scenes made before", "s", nullable=True
    )
    measured_gap_s = column(
        dy.Float64,
        "gap measured on the dry voice; null for the first, in scenes made before",
        "s",
        nullable=True,
    )
    confidence = column(
        dy.Float64,
        "how sure the aligner is that these words are said, 0 to 1",
        "1",
        nullable=True,
        min=0.0,
        max=1.0,
    )
    words = column(
        dy.String,
        "words with start_s, end_s and confidence, a JSON list; null in turns of earlier versions",
        nullable=True,
    )
    tags = column(
        dy.String,
        "what each inline tag became (engine, vocal, pause or delivery), its take and times, a JSON list",
        nullable=True,
    )
